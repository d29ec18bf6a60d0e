import SluiceReadings
import SluiceRecording
import SluiceSystem

/// Decodes a file from its beginning to its end. It never waits.
final class MCAPDecoder: TraceDecoder {
  private let file: FileBytes
  private let name: String
  private let contents: Contents
  private let options: OpenTrace.Options
  private let reader = ChunkReader()
  private var marks: TraceMarks
  let list: StreamList
  /// By channel of the file, its place in ``forms``; -1 for one that is not defined.
  private var places: [Int32]
  private var forms: [(stream: Int, form: MessageForm)] = []
  private var counts: [Int]
  private var losses: [NumberLosses]
  /// By stream, the number of its channels.
  private let widths: [Int]
  /// The place of the next record in the file.
  private var position: Int64
  /// The places of the chunks that are known, in their order, and which of them is next.
  private let chunkStarts: [Int64]
  private var nextChunk = 0
  /// Whether an index of messages may stand at the place.
  private var isBehindChunk = false
  private var isTailTaken = false
  /// The messages of the chunk that is decoded, in the memory of ``reader``, and its place.
  private var chunk = MCAPDecoder.none
  private static var none: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
  private var chunkStart: Int64 = 0
  private var offset = 0
  private var failure: SluiceError?
  private var hasEnded = false
  /// By stream, the sequence of its last message, and whether a damage is behind it.
  private var sequences: [(last: UInt32?, isAfterDamage: Bool)]
  /// The messages that are missing by their sequences after a damage.
  private var missing = 0
  private var hasSkipped = false
  private var isSaid = false

  init(
    _ file: FileBytes, _ contents: Contents, _ name: String, _ metadata: TraceMetadata?, _ options: OpenTrace.Options
  ) throws(SluiceError) {
    (self.file, self.contents, self.name, self.options) = (file, contents, name, options)
    let search = FirstMessages(file, contents, name)
    let forms = try MessageForms(contents, metadata?.streams ?? [], name) { (channel) throws(SluiceError) in
      try search.data(of: channel)
    }
    places = Array(repeating: -1, count: 1 << 16)
    for (channel, form) in forms.channels {
      places[Int(channel)] = Int32(self.forms.count)
      self.forms.append(form)
    }
    counts = Array(repeating: 0, count: self.forms.count)
    losses = Array(repeating: NumberLosses(), count: self.forms.count)
    widths = forms.streams.map(\.channels.count)
    sequences = Array(repeating: (nil, false), count: forms.streams.count)
    list = StreamList(forms.streams)
    marks = TraceMarks(metadata, forms.streams, rowsHaveFlags: true)
    position = contents.firstRecord
    chunkStarts = contents.summary.chunks.compactMap { Int64(exactly: $0.offset) }.sorted()
    for notice in forms.notices { options.warn(notice) }
  }

  var hasNext: Bool { true }
  var mayWait: Bool { false }
  var unusedMarks: TraceMarks { marks }

  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int {
    var count = 0
    while count < target.count, failure == nil, !hasEnded {
      if offset < chunk.count {
        decode(into: target, &count)
      } else {
        next()
      }
    }
    if count == 0, let failure { throw failure }
    marks.flag(UnsafeMutableBufferPointer(rebasing: target[..<count]))
    return count
  }

  // MARK: Records

  /// Takes the next record of the file.
  private func next() {
    (chunk, offset) = (Self.none, 0)
    do throws(SystemErrno) {
      guard position < contents.dataEnd else { return try reachEnd() }
      guard let record = try file.record(at: position) else { return try damaged(position, "it is torn") }
      let (start, next) = (position, position + Int64(RecordKind.head) + record.length)
      let kind = RecordKind(rawValue: record.kind)
      if let fault = try fault(of: kind, at: start, to: next) { return try damaged(start, fault) }
      isBehindChunk = kind == .chunk || kind == .messageIndex && isBehindChunk
      switch kind {
      case .chunk:
        let opened: Chunk
        do throws(Chunk.Fault) {
          opened = try Chunk(file, at: start, length: record.length, reader)
        } catch {
          switch error {
          case .system(let code): throw SystemErrno(code)
          case .damaged(let text): return try damaged(start, text)
          case .unsupported(let text):
            failure = SluiceError(.unsupported, "read", name, because: "of the chunk at byte \(start), \(text)")
            return
          }
        }
        (chunk, chunkStart) = (opened.records.bytes, start)
      case .message:
        guard record.length <= Int64(MCAP.longestRecord) else {
          return try damaged(start, "it is longer than \(MCAP.longestRecord) bytes")
        }
        try file.read(at: start, RecordKind.head + Int(record.length), into: reader.records)
        (chunk, chunkStart) = (reader.records.bytes, start)
      default: break
      }
      position = next
    } catch {
      failure = SluiceError("read", name, errno: error.code)
    }
  }

  /// What is wrong with a record, as far as its head and its place say it; nil if nothing is.
  private func fault(of kind: RecordKind?, at start: Int64, to next: Int64) throws(SystemErrno) -> String? {
    while nextChunk < chunkStarts.count, chunkStarts[nextChunk] < start { nextChunk += 1 }
    if nextChunk < chunkStarts.count, chunkStarts[nextChunk] < next {
      guard chunkStarts[nextChunk] == start else { return "a chunk begins within it" }
      if kind != .chunk { return "the index of the file says that it is a chunk" }
      if nextChunk + 1 < chunkStarts.count, chunkStarts[nextChunk + 1] < next { return "a chunk begins within it" }
    }
    guard next <= contents.dataEnd else { return "the data ends within it" }
    let (isOurs, length) = (contents.isOurs, next - start - Int64(RecordKind.head))
    switch kind {
    case .chunk: return nil
    case .messageIndex where isOurs:
      guard isBehindChunk else { return RecordFault.indexWithoutChunk }
      let head = try MessageIndexHead(file, at: start + Int64(RecordKind.head), length: length)
      return head == nil ? "it is malformed" : nil
    case .message: return isOurs ? RecordFault.looseMessage : nil
    case .schema?, .channel?:
      guard isOurs, let kind else { return nil }
      let bytes = try file.contents(of: kind, at: start, limit: MCAP.longestRecord)
      let isWhole = bytes?.withUnsafeBytes { RecordFault.isDefinition(kind, $0, isOurs: true) } ?? false
      return isWhole ? nil : "it is malformed"
    case .metadata:
      let bytes = try isOurs ? file.contents(of: .metadata, at: start, limit: MCAP.longestRecord) : nil
      guard isOurs else { return nil }
      let record = bytes.flatMap { $0.withUnsafeBytes { MetadataRecord($0) } }
      return record.map { MCAPMetadata.isWhole($0, isOurs: true) } ?? false ? nil : "it is malformed"
    case .messageIndex: return nil
    case .attachment:
      guard isOurs else { return nil }
      let isWhole = try AttachmentIndexRecord(of: file, at: start, length: length, needsChecksum: true) != nil
      return isWhole ? nil : RecordFault.attachment
    case nil: return isOurs ? RecordFault.unknown : nil
    default: return RecordFault.misplaced
    }
  }

  private func reachEnd() throws(SystemErrno) {
    if let tail = contents.tail, !isTailTaken {
      isTailTaken = true
      if tail.isBeforeEnd { return try damaged(tail.offset, tail.text) }
      options.warn(
        "\(name): the \(grouped(Int(file.size - contents.dataEnd))) bytes behind its last whole chunk are no whole chunk "
          + "and are left out, because the recording was cut off there")
    }
    hasEnded = true
    say()
  }

  /// Ends at a damage, or goes on behind it, if what is damaged is to be left out.
  private func damaged(_ offset: Int64, _ text: String) throws(SystemErrno) {
    let error = SluiceError(
      .malformed, "read", name, because: "the record at byte \(offset) is damaged: \(text)",
      remedy: "sluice repair keeps everything else, and --skip-bad leaves it out")
    guard let skipped = options.skipped else {
      failure = error
      return
    }
    skipped.add(error)
    hasSkipped = true
    isBehindChunk = false
    for index in sequences.indices { sequences[index].isAfterDamage = true }
    guard let next = try Resynchronization.next(after: offset, in: file, ChunkReader()) else {
      hasEnded = true
      return say()
    }
    position = next
  }

  /// Says what was left out, once.
  private func say() {
    guard !isSaid else { return }
    isSaid = true
    if hasSkipped, contents.isOurs {
      options.warn(
        "\(name): by their numbers, \(grouped(missing)) readings of the damaged parts are missing before those that follow"
      )
    }
    if pastEnd > 0 {
      options.warn(
        "\(name): \(pastEnd == 1 ? "1 message has a time" : "\(grouped(pastEnd)) messages have times") after 2262-04-11T23:47:16.854775807Z, "
          + "the last time that a reading can have; \(pastEnd == 1 ? "it gets" : "they get") that time")
    }
    // A file can have 65,535 channels. The first few are named, and the others are counted.
    var (named, others, othersMessages, lines) = (0, 0, 0, 0)
    for channel in contents.summary.channels {
      let place = Int(places[Int(channel.id)])
      guard place >= 0 else { continue }
      if losses[place].nameless + losses[place].unheld > 0 { lines += 1 }
      say(losses[place], of: channel, forms[place].stream, isNamed: lines <= MessageForms.mostNotices)
      guard counts[place] > 0, case .unknown = forms[place].form else { continue }
      named += 1
      if named > MessageForms.mostNotices {
        (others, othersMessages) = (others + 1, othersMessages + counts[place])
      } else {
        options.warn("\(name): left out of \(channel.topic): \(Self.messages(counts[place]))")
      }
    }
    if others > 0 {
      let channels = others == 1 ? "1 other channel" : "\(grouped(others)) other channels"
      options.warn("\(name): left out of \(channels): \(Self.messages(othersMessages))")
    }
    let more = lines - MessageForms.mostNotices
    if more > 0 {
      options.warn(
        "\(name): of \(more == 1 ? "1 other channel" : "\(grouped(more)) other channels"), numbers are left out or read as missing values too"
      )
    }
  }

  private static func messages(_ count: Int) -> String { count == 1 ? "1 message" : "\(grouped(count)) messages" }

  /// - Parameter isNamed: Whether the channel is named; otherwise it is only counted.
  private func say(_ losses: NumberLosses, of channel: ChannelRecord, _ stream: Int, isNamed: Bool) {
    func numbers(_ count: Int) -> String { count == 1 ? "1 number" : "\(grouped(count)) numbers" }
    if losses.nameless > 0, isNamed {
      options.warn(
        "\(name): left out of \(channel.topic): \(numbers(losses.nameless)) that have no channel, because the channels are "
          + "those of its first message that can be read, \(Values.capacity) at most")
    }
    if losses.unheld > 0, isNamed {
      options.warn(
        "\(name): of \(channel.topic), \(numbers(losses.unheld)) \(losses.unheld == 1 ? "is read as a missing value" : "are read as missing values"): "
          + "infinity, or beyond 10^100 or below 10^-100")
    }
    if losses.isRounded { sayRounded(stream) }
  }

  // MARK: Messages

  private func decode(into target: UnsafeMutableBufferPointer<Reading>, _ count: inout Int) {
    guard let fault = fault(decoding: chunk, into: target, &count) else { return }
    let error = SluiceError(
      .malformed, "read", name,
      because: "the message \(fault.offset) bytes into the chunk at byte \(chunkStart) is malformed: \(fault.text)",
      remedy: "--skip-bad leaves it out")
    guard let skipped = options.skipped else {
      failure = error
      return
    }
    skipped.add(error)
    hasSkipped = true
    if fault.text == Self.torn { offset = chunk.count }
  }

  /// - Returns: The first fault of a message, and its place in the chunk.
  private func fault(
    decoding bytes: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Reading>, _ count: inout Int
  ) -> (offset: Int, text: String)? {
    while count < target.count, offset < bytes.count {
      let left = bytes.count - offset
      guard left >= RecordKind.head else { return (offset, Self.torn) }
      let length = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self))
      guard length <= UInt64(left - RecordKind.head) else { return (offset, Self.torn) }
      let kind = bytes[offset]
      let start = offset + RecordKind.head
      offset = start + Int(length)
      guard kind == RecordKind.message.rawValue else { continue }
      let contents = UnsafeRawBufferPointer(rebasing: bytes[start..<offset])
      if let text = take(contents, into: target, &count) { return (start - RecordKind.head, text) }
    }
    return nil
  }

  /// The fault after which no record of the chunk can be found.
  private static let torn = "its records are torn"

  /// - Returns: The fault of the message; nil if there is none.
  @inline(__always)
  private func take(
    _ contents: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<Reading>, _ count: inout Int
  ) -> String? {
    guard let head = MessageHead(contents) else { return "it is too short" }
    if head.isPastEnd { pastEnd += 1 }
    let place = Int(places[Int(head.channel)])
    guard place >= 0 else { return "its channel \(head.channel) is not defined" }
    let data = UnsafeRawBufferPointer(rebasing: contents[22...])
    let stream = forms[place].stream
    switch forms[place].form {
    case .ours(let channels, let decimals, let isPlain):
      let width = channels.count
      guard data.count == (width == 0 ? 13 : 20 + 8 * width) else { return "it has \(data.count) bytes" }
      target[count].time = head.time
      target[count].stream = StreamID(UInt16(truncatingIfNeeded: stream))
      target[count].flags = Reading.Flags(rawValue: data[12])
      target[count].values.removeAll()
      if !isPlain { for _ in 0..<widths[stream] { target[count].values.append(.missing) } }
      for index in 0..<width {
        let bits = UInt64(littleEndian: data.loadUnaligned(fromByteOffset: 20 + 8 * index, as: UInt64.self))
        let real = Double(bitPattern: bits)
        let value = ExactDecimal(real, decimals: decimals[index]) ?? missing(real, place)
        if isPlain { target[count].values.appendFast(value) } else { target[count].values[channels[index]] = value }
      }
      note(head.sequence, stream, &target[count])
    case .ourJSON(let fields):
      guard let message = JSONMessage.ours(data, fields, widths[stream]) else { return JSONMessage.fault(data) }
      target[count] = Reading(
        time: head.time, stream: StreamID(UInt16(truncatingIfNeeded: stream)), values: message.values,
        flags: message.flags)
      if message.isRounded { sayRounded(stream) }
      note(head.sequence, stream, &target[count])
    case .cdr(let reader):
      guard let values = reader.values(data, &losses[place]) else { return "it does not fit its schema" }
      target[count] = Reading(
        time: head.time, stream: StreamID(UInt16(truncatingIfNeeded: stream)), values: values)
    case .json(let names):
      var values = Values()
      for _ in 0..<widths[stream] { values.append(.missing) }
      let isWhole = JSONMessage.forEachNumber(data) { name, value, isRounded in
        guard let channel = names[name] else { return losses[place].nameless += 1 }
        guard let value else { return losses[place].unheld += 1 }
        values[channel] = value
        if isRounded { losses[place].isRounded = true }
      }
      guard isWhole else { return JSONMessage.fault(data) }
      target[count] = Reading(
        time: head.time, stream: StreamID(UInt16(truncatingIfNeeded: stream)), values: values)
    case .silent: return nil
    case .unknown:
      counts[place] += 1
      return nil
    }
    count += 1
    return nil
  }

  /// What of a number of sluice is missing: NaN says that there is no value.
  @inline(never)
  private func missing(_ real: Double, _ place: Int) -> ExactDecimal {
    if !real.isNaN { losses[place].unheld += 1 }
    return .missing
  }

  private var isRoundedSaid = false
  /// Messages with times that no reading can have.
  private var pastEnd = 0

  private func sayRounded(_ stream: Int) {
    guard !isRoundedSaid else { return }
    isRoundedSaid = true
    options.warn(
      "\(name): a number of \(list.streams[stream].name) has more digits than fit in 64 bits; such numbers are rounded")
  }

  /// Notes the sequence of a message. The first one of a stream behind messages that are missing follows a gap.
  @inline(__always)
  private func note(_ sequence: UInt32, _ stream: Int, _ reading: inout Reading) {
    let gap = sequence &- (sequences[stream].last ?? 0) &- 1
    // One number is left out at the gaps that the flags have, and between two runs. More are missing if a repair has taken
    // something out.
    if gap > 1 || sequences[stream].isAfterDamage, gap > 0, gap < 1 << 31 {
      if sequences[stream].isAfterDamage { missing += Int(gap) }
      reading.flags.insert(.gapBefore)
    }
    sequences[stream] = (sequence, false)
  }
}
