import SluiceCDR
import SluiceReadings
import SluiceRecording
import SluiceSystem

/// A file of chunks. Each write is one chunk with its indexes, so that a killed run leaves at most one torn chunk.
///
/// The end of the recording writes the summary, which finds every chunk. A run that goes on removes it, goes on behind the
/// last whole chunk, and writes one of all chunks at its end.
final class MCAPFileStore: ByteStore, @unchecked Sendable {
  // One thread at a time uses it: first the thread that begins, and then the queue of the output.

  private struct Series: Hashable {
    var stream: UInt16
    var isJSON: Bool
    var channels: Int
  }

  private let file: ClaimedFile
  private let table: SeriesTable
  private let compression = ChunkCompression()
  /// The messages of a chunk, the indexes of its messages, and all its bytes.
  private let records = ByteRoom()
  private let indexes = ByteRoom()
  private let output = ByteRoom()
  private var summary = Summary()
  /// By series, its channel in the file.
  private var channels: [Series: UInt16] = [:]
  /// The channels that earlier runs have written, by what describes them.
  private var earlier: [Definition: UInt16] = [:]
  /// By stream, the sequence of its last message.
  private var sequences: [UInt16: UInt32] = [:]
  /// By the name of a stream, the sequence of its last message in earlier runs.
  private var earlierSequences: [ExactName: UInt32] = [:]
  /// By channel, the number of messages with a value that was rounded.
  private var rounded: [UInt16: Int] = [:]
  /// The number of bytes in whole chunks.
  private var length: Int64 = 0
  /// The checksum of these bytes; nil if they would have to be read for it.
  private var crc: CRC32? = CRC32()
  /// Whether a torn chunk may follow these bytes, because a write has failed.
  private var isTorn = false
  private var hasBegun = false
  /// The numbers of the next schema and the next channel. 0 is no schema.
  private var nextSchema = 1
  private var nextChannel = 1
  /// Whether the streams that were known at the first write have their channels.
  private var hasDefined = false

  /// What is the same for two channels that continue each other.
  private struct Definition: Hashable {
    // As texts, two names that only look the same would be equal.
    private let bytes: [UInt8]

    init(_ channel: ChannelRecord, _ schema: SchemaRecord?) {
      var (channel, schema) = (channel, schema)
      (channel.id, channel.schema) = (0, 0)
      schema?.id = 0
      var writer = RecordWriter()
      channel.write(to: &writer)
      schema?.write(to: &writer)
      bytes = writer.bytes
    }
  }

  init(_ file: ClaimedFile, _ table: SeriesTable) { (self.file, self.table) = (file, table) }

  // MARK: Begin

  func check(header: [UInt8], _ fault: (_ beginning: [UInt8]) -> String?) throws(SluiceError) {
    guard file.isContinued else { return }
    let beginning: [UInt8]
    var contents: Contents?
    do throws(SystemErrno) {
      beginning = try file.files.contents(of: file.path, limit: 512)
      if try isTornHeader(beginning) { return }
      contents = try Contents.read(try FileBytes.open(file.path, file.files), checkedFrom: checkedFrom)
    } catch {
      throw SluiceError("append to", file.path, errno: error.code)
    }
    if let fault = fault(beginning) { throw refusal(toAppend: fault) }
    guard let contents else {
      throw SluiceError(
        .malformed, "append to", file.path, because: "its header is damaged",
        remedy: "sluice repair \(quotedForShell(file.path))")
    }
    if !contents.isOurs {
      throw refusal(toAppend: "\"\(contents.library.prefix(60))\" has written it, and not sluice")
    }
    if contents.hasLooseMessages { throw refusal(toAppend: "it has messages outside of chunks") }
  }

  private func refusal(toAppend cause: String) -> SluiceError {
    SluiceError(.malformed, "append to", file.path, because: cause, remedy: "write to another file")
  }

  /// Whether a run was killed before the whole header was written. Then nothing whole is behind it.
  private func isTornHeader(_ beginning: [UInt8]) throws(SystemErrno) -> Bool {
    let header = MCAPEncoder.header
    // A power cut may leave NUL bytes behind a part of it.
    let text = beginning.reversed().drop { $0 == 0 }.reversed()
    guard text.count < header.count, header.starts(with: text) else { return false }
    guard file.size > header.count else { return true }
    return try Resynchronization.next(after: 0, in: FileBytes.open(file.path, file.files), ChunkReader()) == nil
  }

  /// The length of the file at the start of the last run. Everything before was on the disk then.
  private var checkedFrom: Int64 {
    let metadata = (try? MetadataFile(beside: file.path, file.disk).read()) ?? nil
    // Nothing says that the end of a finished run is on the disk, but then the file has a summary.
    return metadata?.beganAtByte ?? 0
  }

  func begin(header: [UInt8], _ found: (OutputEvent) -> Void) throws(SluiceError) {
    if file.isContinued {
      if try goOn(found) { return }
      found(.begunAnew(path: file.path))
      (length, isTorn) = (0, true)
      try cut()
    } else {
      try file.empty()
    }
    let result = header.withUnsafeBytes { file.files.write(all: $0, to: file.descriptor) }
    if let error = result.error { throw file.refusal(error.code) }
    length = Int64(header.count)
    crc = CRC32(header)
    hasBegun = true
  }

  /// Continues after the last whole chunk. A damage with something whole behind it stays where it is, because a repair can
  /// still save some of it, and readers step over it.
  /// - Returns: False if the file has no whole header.
  private func goOn(_ found: (OutputEvent) -> Void) throws(SluiceError) -> Bool {
    do throws(SystemErrno) {
      var kept: Int64?
      if let identity = file.identity, let length = file.cuts[identity], length < file.size {
        kept = length
        found(.cutBack(path: file.path, bytes: file.size - length))
        (self.length, isTorn) = (length, true)
        try cutOrErrno()
      }
      if try isTornHeader(try file.files.contents(of: file.path, limit: 512)) { return false }
      let bytes = try FileBytes.open(file.path, file.files)
      guard let contents = try Contents.read(bytes, checkedFrom: checkedFrom) else {
        // The newest part, which is not compared with the run. Nothing is written into it.
        found(
          .damageKept(
            path: file.path, bytes: Int64(MCAPEncoder.header.count), offset: 0, cause: "its header is damaged"))
        return true
      }
      if let damage = contents.damage {
        found(
          .damageKept(
            path: file.path, bytes: contents.damagedBytes, offset: damage.offset, cause: damage.text))
      }
      summary = contents.summary
      for channel in summary.channels {
        earlier[Definition(channel, summary.schema(channel.schema))] = channel.id
      }
      nextSchema = Int(max(contents.greatestSchema, summary.schemas.map(\.id).max() ?? 0)) + 1
      nextChannel = Int(max(contents.greatestChannel, summary.channels.map(\.id).max() ?? 0)) + 1
      let last = try LastSequences.read(contents, bytes, ChunkReader())
      earlierSequences = last.all
      length = contents.dataEnd
      crc = contents.dataCRC.map { CRC32(continuing: $0) }
      if !contents.isFinished, kept == nil, length < contents.size {
        // The beginning of a summary is no chunk of which something is lost.
        if contents.tail != nil {
          found(.tailCut(path: file.path, TornTail(chunksEndAt: length, size: contents.size, isUnfinished: true)))
        }
      }
      isTorn = length < contents.size
      try cutOrErrno()
      try add(contents.missingIndexes)
      try note(last.unseen)
      hasBegun = true
      return true
    } catch {
      throw SluiceError("append to", file.path, errno: error.code)
    }
  }

  /// Writes the indexes that the last chunk lacks. Without them, readers find its messages too, but later.
  private func add(_ indexes: [UInt8]) throws(SystemErrno) {
    guard !indexes.isEmpty, !isTorn, let last = summary.chunks.indices.last else { return }
    guard indexes.withUnsafeBytes({ file.files.write(all: $0, to: file.descriptor) }).error != nil else {
      length += Int64(indexes.count)
      return
    }
    (summary.chunks[last].indexes, summary.chunks[last].indexLength) = ([], 0)
    isTorn = true
    try cutOrErrno()
  }

  /// Notes the numbers of messages that are gone. This run may write none of their streams, and then the next one goes on
  /// behind them too. Without room, nothing is noted.
  private func note(_ numbers: [ExactName: UInt32]) throws(SystemErrno) {
    guard !numbers.isEmpty, !isTorn else { return }
    var writer = RecordWriter()
    MCAPMetadata.numbers(numbers).write(to: &writer)
    guard writer.bytes.withUnsafeBytes({ file.files.write(all: $0, to: file.descriptor) }).error == nil else {
      isTorn = true
      return try cutOrErrno()
    }
    summary.metadata.append(
      MetadataIndexRecord(
        offset: UInt64(length), length: UInt64(writer.bytes.count), name: MCAPMetadata.numbersName))
    writer.bytes.withUnsafeBytes { crc?.add($0) }
    length += Int64(writer.bytes.count)
  }

  // MARK: Write

  func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    guard !bytes.isEmpty else { return (0, nil) }
    guard hasBegun else { return (0, refusal(toAppend: "its header is damaged")) }
    // Cuts off the torn chunk of an earlier call that could not cut it.
    do throws(SluiceError) { try cut() } catch { return (0, error) }
    var news = News(sequences: sequences, nextSchema: nextSchema, nextChannel: nextChannel)
    let chunk: (index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)])
    do throws(SluiceError) { chunk = try makeChunk(UnsafeRawBufferPointer(bytes), &news) } catch { return (0, error) }
    let (written, error) = file.files.write(all: output.bytes, to: file.descriptor)
    if let error {
      isTorn = written > 0 || isTorn
      // Some file systems fail, but keep a part of the bytes.
      isTorn = isTorn || file.isRegular
      try? cut()
      return (0, file.refusal(error.code))
    }
    length += Int64(output.count)
    crc?.add(output.bytes)
    summary.add(chunk.index, counts: chunk.counts)
    for schema in news.schemas { summary.add(schema) }
    for channel in news.channels { summary.add(channel) }
    channels.merge(news.series) { $1 }
    hasDefined = true
    (sequences, nextSchema, nextChannel) = (news.sequences, news.nextSchema, news.nextChannel)
    rounded.merge(news.rounded, uniquingKeysWith: +)
    return (bytes.count, nil)
  }

  /// What a chunk changes, once it is written.
  private struct News {
    var schemas: [SchemaRecord] = []
    var channels: [ChannelRecord] = []
    var series: [Series: UInt16] = [:]
    var sequences: [UInt16: UInt32]
    var rounded: [UInt16: Int] = [:]
    /// The numbers of the next schema and the next channel.
    var nextSchema: Int
    var nextChannel: Int
  }

  /// The messages of one channel in a chunk.
  private struct Messages {
    var series: Series
    var channel: UInt16 = 0
    /// Their number, and where the next entry of their index stands.
    var count = 0
    var next = 0
    var rounded = 0
  }

  /// Makes the bytes of a chunk, in ``output``.
  private func makeChunk(
    _ messages: UnsafeRawBufferPointer, _ news: inout News
  ) throws(SluiceError) -> (index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)]) {
    var parts = Self.count(messages)
    // First the definitions of what is new. They stand before the chunk too, so that a damaged chunk does not take them from
    // those behind it.
    var definitions = RecordWriter()
    if !hasDefined {
      // Viewers show streams that have no reading yet, and all have their order.
      for (stream, channels) in table.all {
        guard let stream = UInt16(exactly: stream) else { break }
        try define(
          Series(stream: stream, isJSON: table.encoding == .json, channels: channels), &news, &definitions)
      }
    }
    for part in parts where channels[part.series] == nil && news.series[part.series] == nil {
      try define(part.series, &news, &definitions)
    }
    let before = definitions.bytes.count
    records.empty(for: before + messages.count)
    records.append(definitions.bytes)
    records.append(messages)
    let indexLength = 15 * parts.count + 16 * parts.reduce(0) { $0 + $1.count }
    indexes.empty(for: indexLength)
    indexes.count = indexLength
    var offset = 0
    var places: [(channel: UInt16, offset: Int, count: Int)] = []
    for index in parts.indices {
      parts[index].channel = channels[parts[index].series] ?? news.series[parts[index].series] ?? 0
      places.append((parts[index].channel, offset, parts[index].count))
      let size = 16 * parts[index].count
      indexes.put(RecordKind.messageIndex.rawValue, at: offset)
      indexes.put(UInt64(6 + size), at: offset + 1)
      indexes.put(parts[index].channel, at: offset + 9)
      indexes.put(UInt32(truncatingIfNeeded: size), at: offset + 11)
      parts[index].next = offset + 15
      offset += 15 + size
    }
    let times = number(from: before, &parts, &news)
    output.empty(for: before + ChunkBytes.bound(records.count, indexLength, compression))
    output.append(definitions.bytes)
    return ChunkBytes.append(
      records.bytes, times, indexes.bytes, places, compression, to: output, at: length + Int64(before))
  }

  /// The series of messages, with the number of messages of each.
  private static func count(_ messages: UnsafeRawBufferPointer) -> [Messages] {
    var parts: [Messages] = []
    var places: [Series: Int] = [:]
    var last: (key: UInt64, part: Int) = (.max, 0)
    var offset = 0
    while offset + MessageHead.count <= messages.count {
      let key = key(messages, offset)
      if key != last.key {
        let series = series(key)
        last = (key, places[series] ?? parts.count)
        if last.part == parts.count {
          places[series] = parts.count
          parts.append(Messages(series: series))
        }
      }
      parts[last.part].count += 1
      offset += RecordKind.head + length(messages, offset)
    }
    return parts
  }

  @inline(__always)
  private static func length(_ messages: UnsafeRawBufferPointer, _ offset: Int) -> Int {
    Int(UInt64(littleEndian: messages.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self)))
  }

  /// The stream of a message, and what of its mark makes a series.
  @inline(__always)
  private static func key(_ messages: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    let stream = UInt16(littleEndian: messages.loadUnaligned(fromByteOffset: offset + 9, as: UInt16.self))
    let mark = UInt32(littleEndian: messages.loadUnaligned(fromByteOffset: offset + 11, as: UInt32.self))
    return UInt64(stream) << 32 | UInt64(mark & 0x1ff)
  }

  private static func series(_ key: UInt64) -> Series {
    let mark = MCAPEncoder.Mark(UInt32(truncatingIfNeeded: key))
    return Series(stream: UInt16(truncatingIfNeeded: key >> 32), isJSON: mark.isJSON, channels: mark.channels)
  }

  /// Writes the numbers of channels and the sequences into the messages, and the entries of their indexes.
  private func number(from start: Int, _ parts: inout [Messages], _ news: inout News) -> ClosedRange<UInt64>? {
    let places = Dictionary(parts.enumerated().map { ($1.series, $0) }, uniquingKeysWith: { $1 })
    var (earliest, latest) = (UInt64.max, UInt64.min)
    var last: (key: UInt64, part: Int, stream: UInt16) = (.max, 0, 0)
    var sequence: UInt32 = 0
    let bytes = records.bytes
    var offset = start
    parts.withUnsafeMutableBufferPointer { parts in
      while offset + MessageHead.count <= bytes.count {
        let key = Self.key(bytes, offset)
        if last.key != key {
          if last.key != .max { news.sequences[last.stream] = sequence }
          let series = Self.series(key)
          last = (key, places[series] ?? 0, series.stream)
          sequence = news.sequences[series.stream] ?? 0
        }
        let mark = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 11, as: UInt32.self))
        let time = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 15, as: UInt64.self))
        sequence &+= MCAPEncoder.Mark(mark).isAfterGap ? 2 : 1
        records.put(parts[last.part].channel, at: offset + 9)
        records.put(sequence, at: offset + 11)
        let next = parts[last.part].next
        indexes.put(time, at: next)
        indexes.put(UInt64(offset), at: next + 8)
        parts[last.part].next = next + 16
        if MCAPEncoder.Mark(mark).isRounded { parts[last.part].rounded += 1 }
        (earliest, latest) = (min(earliest, time), max(latest, time))
        offset += RecordKind.head + Self.length(bytes, offset)
      }
    }
    if last.key != .max { news.sequences[last.stream] = sequence }
    for part in parts where part.rounded > 0 { news.rounded[part.channel, default: 0] += part.rounded }
    return earliest <= latest ? earliest...latest : nil
  }

  /// Defines the channel of a series, or finds the one of an earlier run.
  private func define(
    _ key: Series, _ news: inout News, _ definitions: inout RecordWriter
  ) throws(SluiceError) {
    guard let series = table.series(Int(key.stream), channels: key.channels, key.isJSON ? .json : .cdr) else { return }
    if news.sequences[key.stream] == nil, let last = earlierSequences[ExactName(series.stream.name)] {
      // Nobody knows what was missed between the runs.
      news.sequences[key.stream] = last &+ 1
    }
    let message = ROS2Message(series.stream)
    let schema = series.schema(UInt16(truncatingIfNeeded: news.nextSchema), message)
    let channel = series.channel(UInt16(truncatingIfNeeded: news.nextChannel), schema: schema.id, message)
    if let known = earlier[Definition(channel, schema)] {
      news.series[key] = known
      return
    }
    guard max(news.nextSchema, news.nextChannel) <= Int(UInt16.max) else {
      throw SluiceError(
        .unsupported, "write", file.path, because: "it would have more than 65,535 channels",
        remedy: "write it with fewer streams")
    }
    news.nextSchema += 1
    news.nextChannel += 1
    schema.write(to: &definitions)
    channel.write(to: &definitions)
    news.schemas.append(schema)
    news.channels.append(channel)
    news.series[key] = channel.id
  }

  private func cutOrErrno() throws(SystemErrno) {
    guard isTorn, file.isRegular else { return }
    try file.files.truncate(file.descriptor, to: length)
    isTorn = false
  }

  /// Cuts off the torn chunk.
  private func cut() throws(SluiceError) {
    do throws(SystemErrno) { try cutOrErrno() } catch { throw file.refusal(error.code) }
  }

  // MARK: End

  var extent: FileExtent? { file.identity.map { FileExtent(identity: $0, length: length) } }
  func sync() throws(SluiceError) { try file.sync() }

  func close() throws(SluiceError) {
    let end = Result { () throws(SluiceError) in try writeEnd() }
    try file.close()
    try end.get()
  }

  /// Writes the summary. Without it, a reader has to look at every chunk.
  private func writeEnd() throws(SluiceError) {
    guard hasBegun else { return }
    try cut()
    var bytes: [UInt8] = []
    if !rounded.isEmpty {
      let counts = rounded.sorted { $0.key < $1.key }.map { id, count in
        (key: summary.channel(id)?.value("stream") ?? "\(id)", value: "\(count)")
      }
      var writer = RecordWriter()
      MCAPMetadata.record(MCAPMetadata.roundedName, counts).write(to: &writer)
      summary.metadata.append(
        MetadataIndexRecord(
          offset: UInt64(length), length: UInt64(writer.bytes.count), name: MCAPMetadata.roundedName))
      bytes = writer.bytes
    }
    bytes.withUnsafeBytes { crc?.add($0) }
    bytes += summary.end(at: length + Int64(bytes.count), dataCRC: crc?.value)
    let (written, error) = bytes.withUnsafeBytes { file.files.write(all: $0, to: file.descriptor) }
    if let error {
      isTorn = written > 0
      try? cut()
      throw file.refusal(error.code)
    }
    if file.disk.syncs { try file.sync() }
  }
}
