/// How the data of messages is to be read.
struct SchemaRecord: Equatable {
  var id: UInt16
  var name: String
  var encoding: String
  var data: [UInt8]
  /// The record as another program has written it, if these members do not say all of it: a name that is not UTF-8, or what a
  /// later version of MCAP has behind them.
  private var original: [UInt8]?

  /// Whether its members say all of it, as of one that sluice has written.
  var isPlain: Bool { original == nil }

  func write(to writer: inout RecordWriter) {
    if let original { return writer.append(.schema) { $0.append(raw: original) } }
    writer.append(.schema) { writer in
      writer.append(id)
      writer.append(name)
      writer.append(encoding)
      writer.append(UInt32(truncatingIfNeeded: data.count))
      writer.append(raw: data)
    }
  }

  init(id: UInt16, name: String, encoding: String, data: [UInt8]) {
    (self.id, self.name, self.encoding, self.data) = (id, name, encoding, data)
  }

  init?(_ contents: UnsafeRawBufferPointer) {
    var cursor = RecordCursor(contents)
    (id, name, encoding) = (cursor.number(UInt16.self), cursor.text(), cursor.text())
    data = Array(cursor.bytes(cursor.length()))
    // 0 says that a channel has no schema.
    guard cursor.isWhole, id != 0 else { return nil }
    original = RecordWriter.differing(from: contents) { write(to: &$0) }
  }
}

/// A series of messages of one topic and one schema.
struct ChannelRecord {
  var id: UInt16
  var schema: UInt16
  var topic: String
  var encoding: String
  var metadata: [(key: String, value: String)]
  /// The same two as those of ``SchemaRecord``.
  private var original: [UInt8]?
  var isPlain: Bool { original == nil }
  /// Whether its topic is UTF-8. Otherwise another topic may be the same text.
  private(set) var hasTextTopic = true

  func value(_ key: String) -> String? { metadata.first { $0.key == key }?.value }

  func write(to writer: inout RecordWriter) {
    if let original { return writer.append(.channel) { $0.append(raw: original) } }
    writer.append(.channel) { writer in
      writer.append(id)
      writer.append(schema)
      writer.append(topic)
      writer.append(encoding)
      writer.append(metadata)
    }
  }

  init(id: UInt16, schema: UInt16, topic: String, encoding: String, metadata: [(key: String, value: String)]) {
    (self.id, self.schema, self.topic, self.encoding, self.metadata) = (id, schema, topic, encoding, metadata)
  }

  init?(_ contents: UnsafeRawBufferPointer) {
    var cursor = RecordCursor(contents)
    (id, schema) = (cursor.number(UInt16.self), cursor.number(UInt16.self))
    let rawTopic = cursor.rawText()
    (topic, encoding, metadata) = (String(decoding: rawTopic, as: UTF8.self), cursor.text(), cursor.map())
    guard cursor.isWhole else { return nil }
    hasTextTopic = topic.utf8.elementsEqual(rawTopic)
    original = RecordWriter.differing(from: contents) { write(to: &$0) }
  }
}

/// The place of a chunk, and of the indexes of its messages behind it.
struct ChunkIndexRecord: Equatable {
  var start: UInt64 = 0
  var end: UInt64 = 0
  var offset: UInt64 = 0
  var length: UInt64 = 0
  /// By channel, the offset of the index of its messages.
  var indexes: [(channel: UInt16, offset: UInt64)] = []
  var indexLength: UInt64 = 0
  var compression = ""
  var compressedSize: UInt64 = 0
  var uncompressedSize: UInt64 = 0

  static func == (a: Self, b: Self) -> Bool {
    a.start == b.start && a.end == b.end && a.offset == b.offset && a.length == b.length
      && a.indexLength == b.indexLength && a.compression == b.compression && a.compressedSize == b.compressedSize
      && a.uncompressedSize == b.uncompressedSize && a.indexes.elementsEqual(b.indexes, by: ==)
  }

  func write(to writer: inout RecordWriter) {
    writer.append(.chunkIndex) { writer in
      for number in [start, end, offset, length] { writer.append(number) }
      writer.append(sized: indexes) { writer, index in
        writer.append(index.channel)
        writer.append(index.offset)
      }
      writer.append(indexLength)
      writer.append(compression)
      writer.append(compressedSize)
      writer.append(uncompressedSize)
    }
  }

  init() {}

  init?(_ contents: UnsafeRawBufferPointer) {
    var cursor = RecordCursor(contents)
    (start, end) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
    (offset, length) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
    var map = RecordCursor(cursor.bytes(cursor.length()))
    while map.left > 0, map.isWhole { indexes.append((map.number(UInt16.self), map.number(UInt64.self))) }
    indexLength = cursor.number(UInt64.self)
    compression = cursor.text()
    (compressedSize, uncompressedSize) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
    guard cursor.isWhole, map.isWhole else { return nil }
  }
}

/// The place of a metadata record.
struct MetadataIndexRecord: Equatable {
  var offset: UInt64
  var length: UInt64
  /// As it is, which may not be UTF-8.
  private(set) var rawName: [UInt8]

  var name: String { String(decoding: rawName, as: UTF8.self) }

  func write(to writer: inout RecordWriter) {
    writer.append(.metadataIndex) { writer in
      writer.append(offset)
      writer.append(length)
      writer.append(UInt32(truncatingIfNeeded: rawName.count))
      writer.append(raw: rawName)
    }
  }

  init(offset: UInt64, length: UInt64, rawName: [UInt8]) {
    (self.offset, self.length, self.rawName) = (offset, length, rawName)
  }

  init(offset: UInt64, length: UInt64, name: String) {
    self.init(offset: offset, length: length, rawName: Array(name.utf8))
  }

  init?(_ contents: UnsafeRawBufferPointer) {
    var cursor = RecordCursor(contents)
    (offset, length, rawName) = (cursor.number(UInt64.self), cursor.number(UInt64.self), cursor.rawText())
    guard cursor.isWhole else { return nil }
  }
}

/// Names with values.
struct MetadataRecord {
  var name: String
  var values: [(key: String, value: String)]

  func write(to writer: inout RecordWriter) {
    writer.append(.metadata) { writer in
      writer.append(name)
      writer.append(values)
    }
  }

  init(name: String, values: [(key: String, value: String)]) { (self.name, self.values) = (name, values) }

  init?(_ contents: UnsafeRawBufferPointer) {
    var cursor = RecordCursor(contents)
    (name, values) = (cursor.text(), cursor.map())
    guard cursor.isWhole else { return nil }
  }
}

/// The beginning of a chunk record: all but its messages.
struct ChunkHead {
  var start: UInt64
  var end: UInt64
  var uncompressedSize: UInt64
  var uncompressedCRC: UInt32
  var compression: String
  var compressedSize: UInt64
  /// The number of bytes of the head itself.
  var count: Int

  /// The longest head that is read: the name of a compression is short.
  static let longest = 40 + 256

  /// - Parameter contents: The beginning of the contents of the record, ``longest`` bytes if there are as many.
  init?(_ contents: UnsafeRawBufferPointer) {
    var cursor = RecordCursor(contents)
    (start, end) = (cursor.number(UInt64.self), cursor.number(UInt64.self))
    (uncompressedSize, uncompressedCRC) = (cursor.number(UInt64.self), cursor.number(UInt32.self))
    compression = cursor.text()
    compressedSize = cursor.number(UInt64.self)
    count = cursor.offset
    guard cursor.isWhole else { return nil }
  }
}
