import SluiceDevices
import SluiceLog
import SluiceReadings
import SluiceRecording
import SluiceStages

/// The streams of a plan, as far as they are known before anything is opened, and how many of their readings buffers
/// and outputs keep.
struct BudgetStreams {
  private let plan: RecordingPlan
  /// For each source, its streams with their names; nil if the streams of a source are not known.
  private let received: [[StreamDescription]]?
  /// For each output, the streams that reach it; nil if they are not known.
  private let written: [[StreamDescription]]?

  init(_ plan: RecordingPlan, _ forecasts: [SourceForecast]) {
    self.plan = plan
    let all = forecasts.compactMap(\.streams)
    let sources = all.count == forecasts.count ? try? plan.namedSources(all) : nil
    received = sources.map { $0.map { $0.flatMap(\.streams) } }
    // A stage may name a line by a name that only the chip of the line knows.
    written = sources.flatMap { try? plan.prepared(for: $0).streams }
  }

  /// How many readings of each stream the buffer of all sources keeps.
  var buffered: Int? {
    let buffers = plan.stages.compactMap { $0.stage as? BufferStage }
    if let size = buffers.first?.size { return size }
    return received.map { BufferStage().sized(for: $0.flatMap { $0 }).size ?? 0 }
  }

  /// How many readings of each stream the buffer of an output keeps.
  func buffered(of output: Int) -> Int? {
    guard let buffer = plan.outputs[output].buffer else { return nil }
    return buffer.size ?? written.map { BufferStage().sized(for: $0[output]).size ?? 0 }
  }

  /// How long the rows of an output may wait for its disk before readings wait in a buffer.
  /// - Parameter rates: For each source, the readings per second of each of its streams.
  func rows(of output: Int, _ rates: [Double?]) -> Stall {
    guard let written, let made = try? RecordingOutput(plan.outputs[output], for: written[output]),
      made.compression == nil, let lengths = made.longestRows(for: written[output]),
      let perSecond = bytesPerSecond(written[output], lengths, rates)
    else { return .time(0) }
    // The files of a folder share the bytes that may wait.
    return Stall(
      plan.spills[output].isSpilling ? SpillPlan.outputCapacity : made.kind.capacity, at: perSecond)
  }

  /// How long the spill of an output takes its readings.
  /// - Parameter rates: For each source, the readings per second of each of its streams.
  func spilled(of output: Int, _ rates: [Double?]) -> Stall {
    guard let written else { return .time(0) }
    let count = min(SegmentLog.longestRun, plan.spillMemory(of: output))
    let lengths = written[output].map { stream in
      let bytes = SegmentLog.mostBytes(of: count, values: stream.channels.count)
      return (bytes + count - 1) / count
    }
    guard let perSecond = bytesPerSecond(written[output], lengths, rates) else { return .time(0) }
    return Stall((plan.spill ?? SpillPlan()).size?.bytes ?? SpillPlan.standardSize, at: perSecond)
  }

  /// How long the spool of an output that is a server takes its readings.
  /// - Parameter rates: For each source, the readings per second of each of its streams.
  func spooled(of output: Int, _ rates: [Double?]) -> Stall {
    guard let sending = plan.sending, sending.spool != nil, OutputKinds.isServer(plan.outputs[output].path),
      let written, let received
    else { return .time(0) }
    // What comes within a quarter of a second is one record, of all streams.
    let all = zip(received, rates).reduce(0.0) { $0 + Double($1.0.count) * ($1.1 ?? 0) }
    let count = max(1, min(SegmentLog.longestRun, Int(min(all, 1e6) / 4)))
    let lengths = written[output].map { stream in
      let bytes = SegmentLog.mostBytes(of: count, values: stream.channels.count)
      return (bytes + count - 1) / count
    }
    guard let perSecond = bytesPerSecond(written[output], lengths, rates) else { return .time(0) }
    return Stall(sending.serverSettings.spoolSize, at: perSecond)
  }

  /// The bytes per second of streams; nil if a rate is not known, or if a stream is not one that was received.
  /// - Parameters:
  ///   - streams: Streams of an output.
  ///   - lengths: For each of them, the bytes of a reading.
  ///   - rates: For each source, the readings per second of each of its streams.
  private func bytesPerSecond(_ streams: [StreamDescription], _ lengths: [Int], _ rates: [Double?]) -> Double? {
    guard let received else { return nil }
    var known: [ExactName: Double?] = [:]
    for (own, rate) in zip(received, rates) {
      for stream in own { known[ExactName(stream.name)] = .some(rate) }
    }
    var perSecond = 0.0
    for (stream, length) in zip(streams, lengths) {
      guard let rate = known[ExactName(stream.name)] ?? nil else { return nil }
      perSecond += rate * Double(length)
    }
    return perSecond
  }
}

extension RecordingOutput {
  /// For each stream, the bytes of its longest row; nil if the output does not write rows of bytes.
  fileprivate func longestRows(for streams: [StreamDescription]) -> [Int]? {
    guard let format = format as? any EncodedFormat else { return nil }
    return streams.enumerated().map { number, stream in
      // Each file in a folder has one stream.
      let own =
        kind.folder == nil
        ? EncoderStreams(streams, raw: raw, style: style) : EncoderStreams([stream], raw: raw, style: style)
      return format.longestRow(own, stream, number: kind.folder == nil ? number : 0)
    }
  }
}

extension EncodedFormat {
  /// The bytes of the row of a reading whose values have as many digits as possible.
  fileprivate func longestRow(_ streams: EncoderStreams, _ stream: StreamDescription, number: Int) -> Int {
    let values = stream.channels.map { channel in
      channel.format == StreamDescription.Channel.level
        ? ExactDecimal.one : ExactDecimal(significand: -(Self.bits(channel).map { 1 << ($0 - 1) } ?? .max), exponent: 0)
    }
    var reading = Reading(
      time: 4_000_000_000_000_000_000, stream: StreamID(UInt16(truncatingIfNeeded: number)), values: Values())
    for value in values { reading.values.append(value) }
    let encoder = encoder(streams)
    let rows = EncodedRows.spare(after: 0)
    withUnsafePointer(to: reading) {
      _ = encoder.encode(UnsafeBufferPointer(start: $0, count: 1), into: rows, until: .max)
    }
    encoder.endRow(into: rows)
    return max(1, rows.text.count)
  }

  /// The number of bits of a raw value, from the kernel's notation, such as `le:s12/16>>4`; nil if it is not known.
  private static func bits(_ channel: StreamDescription.Channel) -> Int? {
    guard let format = channel.format, let colon = format.firstIndex(of: ":"),
      let bits = Int(format[colon...].dropFirst(2).prefix { $0.isNumber }), (1...63).contains(bits)
    else { return nil }
    return bits
  }
}
