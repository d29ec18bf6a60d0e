import SluiceCDR
import SluiceReadings
@_spi(Preview) import SluiceRecording
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
      if isTornHeader(beginning) { return }
      contents = try Contents.read(try FileBytes.open(file.path, file.files), checkedFrom: checkedFrom)
    } catch {
      throw SluiceError("append to", file.path, errno: error.code)
    }
    if let fault = fault(beginning) { throw refusal(toAppend: fault) }
    guard let contents else { return }
    if !contents.isOurs {
      throw refusal(toAppend: "\"\(contents.library.prefix(60))\" has written it, and not sluice")
    }
    if contents.hasLooseMessages { throw refusal(toAppend: "it has messages outside of chunks") }
    if let damage = contents.damage, damage.offset < checkedFrom {
      throw SluiceError(
        .malformed, "append to", file.path,
        because: "the record at byte \(damage.offset), which was on the disk before the last run, is damaged: \(damage.text)",
        remedy: "sluice repair \(quotedForShell(file.path))")
    }
  }

  private func refusal(toAppend cause: String) -> SluiceError {
    SluiceError(.malformed, "append to", file.path, because: cause, remedy: "write to another file")
  }

  /// Whether a run was killed before the whole header was written.
  private func isTornHeader(_ beginning: [UInt8]) -> Bool {
    let header = MCAPEncoder.header
    // A power cut may leave NUL bytes behind a part of it.
    let text = beginning.reversed().drop { $0 == 0 }.reversed()
    return text.count < header.count && header.starts(with: text)
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

  /// Continues after the last whole chunk.
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
      if isTornHeader(try file.files.contents(of: file.path, limit: 512)) { return false }
      let bytes = try FileBytes.open(file.path, file.files)
      guard let contents = try Contents.read(bytes, checkedFrom: checkedFrom) else { return false }
      summary = contents.summary
      for channel in summary.channels {
        earlier[Definition(channel, summary.schema(channel.schema))] = channel.id
      }
      nextSchema = Int(summary.schemas.map(\.id).max() ?? 0) + 1
      nextChannel = Int(summary.channels.map(\.id).max() ?? 0) + 1
      earlierSequences = try LastSequences.read(contents, bytes, compression)
      length = contents.dataEnd
      crc = contents.dataCRC.map { CRC32(continuing: $0) }
      if !contents.isFinished, kept == nil, length < contents.size {
        // The beginning of a summary is no chunk of which something is lost.
        if contents.damage != nil {
          found(.tailCut(path: file.path, TornTail(chunksEndAt: length, size: contents.size, isUnfinished: true)))
        }
      }
      isTorn = length < contents.size
      try cutOrErrno()
      hasBegun = true
      return true
    } catch {
      throw SluiceError("append to", file.path, errno: error.code)
    }
  }

  // MARK: Write

  func write(
    _ bytes: UnsafeBufferPointer<UInt8>, wholeUpTo end: (Int) -> Int
  ) -> (kept: Int, error: SluiceError?) {
    guard !bytes.isEmpty else { return (0, nil) }
    // Cuts off the torn chunk of an earlier call that could not cut it.
    do throws(SluiceError) { try cut() } catch { return (0, error) }
    var news = News(sequences: sequences, nextSchema: nextSchema, nextChannel: nextChannel)
    let chunk: (bytes: [UInt8], index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)])
    do throws(SluiceError) { chunk = try makeChunk(UnsafeRawBufferPointer(bytes), &news) } catch { return (0, error) }
    let (written, error) = chunk.bytes.withUnsafeBytes { file.files.write(all: $0, to: file.descriptor) }
    if let error {
      isTorn = written > 0 || isTorn
      // Some file systems fail, but keep a part of the bytes.
      isTorn = isTorn || file.isRegular
      try? cut()
      return (0, file.refusal(error.code))
    }
    length += Int64(chunk.bytes.count)
    chunk.bytes.withUnsafeBytes { crc?.add($0) }
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
    var channel: UInt16
    var sequence: UInt32
    var entries: [UInt8] = []
    var count = 0
    var rounded = 0
  }

  private func makeChunk(
    _ messages: UnsafeRawBufferPointer, _ news: inout News
  ) throws(SluiceError) -> (bytes: [UInt8], index: ChunkIndexRecord, counts: [(channel: UInt16, count: Int)]) {
    // First the definitions of what is new, which stand before the messages.
    var found: [Series] = []
    var last: Series?
    var seen: Set<Series> = []
    var walk = RecordWalk(messages)
    while let record = walk.next() {
      let series = Self.series(record.contents)
      guard series != last else { continue }
      last = series
      if seen.insert(series).inserted { found.append(series) }
    }
    var definitions = RecordWriter()
    if !hasDefined {
      // Viewers show streams that have no reading yet, and all have their order.
      for (stream, channels) in table.all {
        guard let stream = UInt16(exactly: stream) else { break }
        try define(
          Series(stream: stream, isJSON: table.encoding == .json, channels: channels), &news, &definitions)
      }
    }
    for series in found where channels[series] == nil && news.series[series] == nil {
      try define(series, &news, &definitions)
    }
    // They stand before the chunk too, so that a damaged chunk does not take them from those behind it.
    let before = definitions.bytes.count
    var records = [UInt8](unsafeUninitializedCapacity: before + messages.count) { room, count in
      let target = UnsafeMutableRawBufferPointer(room)
      target.copyBytes(from: definitions.bytes)
      UnsafeMutableRawBufferPointer(rebasing: target[before...]).copyMemory(from: messages)
      count = before + messages.count
    }
    let (parts, times) = number(&records, from: before, found, &news)
    var made = ChunkBytes.make(
      records, times, parts.map { ($0.channel, $0.entries, $0.count) }, compression, at: length + Int64(before))
    if before > 0 { made.bytes = definitions.bytes + made.bytes }
    return made
  }

  /// Writes the numbers of channels and the sequences into the messages.
  private func number(
    _ records: inout [UInt8], from start: Int, _ found: [Series], _ news: inout News
  ) -> (parts: [Messages], times: ClosedRange<UInt64>?) {
    var places: [Series: Int] = [:]
    var parts: [Messages] = []
    for series in found {
      places[series] = parts.count
      parts.append(Messages(channel: channels[series] ?? news.series[series] ?? 0, sequence: 0))
    }
    var (earliest, latest) = (UInt64.max, UInt64.min)
    var sequences = news.sequences
    var last: (key: UInt64, part: Int, stream: UInt16)?
    var sequence: UInt32 = 0
    records.withUnsafeMutableBytes { bytes in
      var offset = start
      while offset + MessageHead.count <= bytes.count {
        let length = Int(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self)))
        let stream = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 9, as: UInt16.self))
        let raw = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 11, as: UInt32.self))
        let time = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 15, as: UInt64.self))
        let mark = MCAPEncoder.Mark(raw)
        let key = UInt64(stream) << 32 | UInt64(raw & 0x1ff)
        if last?.key != key {
          if let last { sequences[last.stream] = sequence }
          let series = Series(stream: stream, isJSON: mark.isJSON, channels: mark.channels)
          last = (key, places[series] ?? 0, stream)
          sequence = sequences[stream] ?? 0
        }
        sequence &+= mark.isAfterGap ? 2 : 1
        let part = last?.part ?? 0
        bytes.storeBytes(of: parts[part].channel.littleEndian, toByteOffset: offset + 9, as: UInt16.self)
        bytes.storeBytes(of: sequence.littleEndian, toByteOffset: offset + 11, as: UInt32.self)
        // A time before 1970 is in the other time alone.
        withUnsafeBytes(of: (time.littleEndian, UInt64(offset).littleEndian)) { parts[part].entries += $0 }
        parts[part].count += 1
        if mark.isRounded { parts[part].rounded += 1 }
        (earliest, latest) = (min(earliest, time), max(latest, time))
        offset += RecordKind.head + length
      }
    }
    if let last { sequences[last.stream] = sequence }
    news.sequences = sequences
    for part in parts where part.rounded > 0 { news.rounded[part.channel, default: 0] += part.rounded }
    return (parts, earliest <= latest ? earliest...latest : nil)
  }

  private static func series(_ contents: UnsafeRawBufferPointer) -> Series {
    guard let head = MessageHead(contents) else { return Series(stream: 0, isJSON: false, channels: 0) }
    let mark = MCAPEncoder.Mark(head.sequence)
    return Series(stream: head.channel, isJSON: mark.isJSON, channels: mark.channels)
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
