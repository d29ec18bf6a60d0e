/// Writes records: numbers are little endian, and a text has its length before it.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  init() {}

  mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func append(raw more: some Collection<UInt8>) { bytes.append(contentsOf: more) }

  mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  mutating func append(_ map: [(key: String, value: String)]) {
    append(sized: map) { writer, pair in
      writer.append(pair.key)
      writer.append(pair.value)
    }
  }

  /// Appends elements, with the length of their bytes before them.
  mutating func append<Element>(sized elements: [Element], _ body: (inout RecordWriter, Element) -> Void) {
    let start = bytes.count
    append(UInt32(0))
    for element in elements { body(&self, element) }
    patch(UInt32(truncatingIfNeeded: bytes.count - start - 4), at: start)
  }

  /// Appends a record.
  mutating func append(_ kind: RecordKind, _ body: (inout RecordWriter) -> Void) {
    bytes.append(kind.rawValue)
    let start = bytes.count
    append(UInt64(0))
    body(&self)
    patch(UInt64(bytes.count - start - 8), at: start)
  }

  /// The contents of a record, if what is written again is different.
  static func differing(from contents: UnsafeRawBufferPointer, _ write: (inout RecordWriter) -> Void) -> [UInt8]? {
    var writer = RecordWriter()
    write(&writer)
    return writer.bytes.dropFirst(RecordKind.head).elementsEqual(contents) ? nil : Array(contents)
  }

  private mutating func patch<Number: FixedWidthInteger>(_ number: Number, at start: Int) {
    withUnsafeBytes(of: number.littleEndian) { source in
      for (index, byte) in source.enumerated() { bytes[start + index] = byte }
    }
  }
}
