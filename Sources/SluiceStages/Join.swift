import SluiceExtras
public import SluiceReadings

/// Joins all streams to one table: a row for each time, with the channels of all streams.
///
/// Use it to compare recordings of several devices, after they were resampled to the same times or as they are.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let a = StreamDescription(name: "a", channels: [.init(name: "x")])
/// let b = StreamDescription(name: "b", channels: [.init(name: "y")])
/// let join = try Join(.hold, inputs: InputStreams([a, b]))
/// print(join.streams[0].channels.map(\.name))  // ["x", "y"]
/// ```
///
/// The row has the time of its readings. If a stream has several readings of one time, the last one counts. A channel
/// without a reading at this time has its last value, or none (``Rule``). Its value is missing before its first reading.
/// Names that occur in several streams become `STREAM.channel`.
public struct Join: ReadingProcessor {
  /// What a channel has in a row of a time at which its stream has no reading.
  public enum Rule: String, CaseIterable, Sendable {
    /// Its last value.
    case hold
    /// No value.
    case exact
    /// No value, and rows wait for streams whose readings come late, such as interpolated ones. A million values wait
    /// at most; what comes later than that has rows of its own.
    case wait
  }

  /// A row that waits.
  private struct Row {
    var time: Int64
    var values: [ExactDecimal]
    var flags: Reading.Flags
  }

  /// The joined stream, and an empty description for each other stream.
  public let streams: [StreamDescription]
  private let rule: Rule
  /// The place of the first channel of each stream.
  private let starts: [Int]
  private var values: [ExactDecimal]
  /// The time of the row that is being filled; nil if there is none.
  private var time: Int64?
  private var flags: Reading.Flags = []
  /// The rows that wait, in the order of their times, from ``head`` on.
  private var waiting: [Row] = []
  private var head = 0
  /// The last time of each stream with channels.
  private var last: [Int64?]

  /// - Parameters:
  ///   - rule: What a channel has without a reading at the time of a row.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if more streams may come, or if there are more than 64 channels.
  public init(_ rule: Rule, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("join")
    let count = inputs.known.reduce(0) { $0 + $1.channels.count }
    guard count <= Values.capacity else {
      throw SluiceError(
        .unsupported, "join", inputs.known.map(\.name).joined(separator: ", "),
        because: "they have \(count) channels, but \(Values.capacity) is the limit of a row",
        remedy: "choose some with --select")
    }
    self.rule = rule
    var starts: [Int] = []
    var place = 0
    for stream in inputs.known {
      starts.append(place)
      place += stream.channels.count
    }
    self.starts = starts
    values = Array(repeating: .missing, count: place)
    streams = Self.joined(inputs.known)
    last = inputs.known.map { $0.channels.isEmpty ? .max : nil }
  }

  private static func joined(_ inputs: [StreamDescription]) -> [StreamDescription] {
    var counts: [String: Int] = [:]
    for stream in inputs { for channel in stream.channels { counts[name(of: channel, stream), default: 0] += 1 } }
    let isScaled = inputs.allSatisfy { $0.isScaled || $0.channels.isEmpty }
    var channels: [StreamDescription.Channel] = []
    for stream in inputs {
      for channel in stream.channels {
        var channel = channel
        let short = name(of: channel, stream)
        channel.name = counts[short] == 1 ? short : "\(stream.name).\(channel.name)"
        // Values that are scaled already are not scaled again.
        if stream.isScaled, !isScaled { (channel.scale, channel.offset) = (.one, .zero) }
        channels.append(channel)
      }
    }
    return inputs.indices.map { index in
      var stream = StreamDescription(name: inputs[index].name, channels: [])
      guard index == 0 else { return stream }
      stream = StreamDescription(name: "joined", channels: channels)
      (stream.isScaled, stream.hasForeignColumns) = (isScaled, true)
      return stream
    }
  }

  /// The only channel of a recorded stream has the name of the stream.
  private static func name(of channel: StreamDescription.Channel, _ stream: StreamDescription) -> String {
    stream.channels.count == 1 && !stream.hasForeignColumns ? stream.name : channel.name
  }

  /// Whether it makes the readings of a stream: of all that it knows.
  public func makes(_ stream: StreamID) -> Bool { Int(stream.index) < starts.count }

  /// Whether it has more outputs; never.
  public var hasMore: Bool { false }
  /// Adds nothing, because it never has more outputs.
  public mutating func resume(into outputs: inout [Reading]) {}

  /// Takes the next reading, and adds the row of an earlier time.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    if rule == .wait {
      guard makes(reading.stream) else { return outputs.append(reading) }
      return keep(reading, into: &outputs)
    }
    if let time, time != reading.time { end(at: time, into: &outputs) }
    guard makes(reading.stream) else { return outputs.append(reading) }
    let start = starts[Int(reading.stream.index)]
    for (index, value) in reading.values.enumerated() where start + index < values.count {
      values[start + index] = value
    }
    flags.formUnion(reading.flags.intersection([.gapBefore, .restart]))
    time = reading.time
  }

  /// Adds the last row.
  public mutating func finish(into outputs: inout [Reading]) {
    if let time { end(at: time, into: &outputs) }
    give(while: { _ in true }, into: &outputs)
  }

  // MARK: Rows that wait

  private mutating func keep(_ reading: Reading, into outputs: inout [Reading]) {
    var (low, high) = (head, waiting.count)
    while low < high {
      let middle = (low + high) / 2
      if waiting[middle].time < reading.time { low = middle + 1 } else { high = middle }
    }
    if low == waiting.count || waiting[low].time != reading.time {
      waiting.insert(Row(time: reading.time, values: values, flags: []), at: low)
    }
    let stream = Int(reading.stream.index)
    for (index, value) in reading.values.enumerated() where starts[stream] + index < values.count {
      waiting[low].values[starts[stream] + index] = value
    }
    waiting[low].flags.formUnion(reading.flags.intersection([.gapBefore, .restart]))
    last[stream] = max(last[stream] ?? .min, reading.time)
    // A row is whole when each stream has come to its time.
    let whole = last.contains { $0 == nil } ? Int64.min : last.compactMap { $0 }.min() ?? .max
    give(while: { $0.time <= whole }, into: &outputs)
    let most = max(1, (1 << 20) / max(1, values.count))
    while waiting.count - head > most { give(atMost: 1, while: { _ in true }, into: &outputs) }
  }

  private mutating func give(atMost most: Int = .max, while isWhole: (Row) -> Bool, into outputs: inout [Reading]) {
    var count = 0
    while head < waiting.count, count < most, isWhole(waiting[head]) {
      var row = Values()
      for value in waiting[head].values { row.append(value) }
      outputs.append(
        Reading(time: waiting[head].time, stream: StreamID(0), values: row, flags: waiting[head].flags))
      (head, count) = (head + 1, count + 1)
    }
    guard head > 1_024, head > waiting.count / 2 else { return }
    waiting.removeFirst(head)
    head = 0
  }

  private mutating func end(at time: Int64, into outputs: inout [Reading]) {
    var row = Values()
    for value in values { row.append(value) }
    outputs.append(Reading(time: time, stream: StreamID(0), values: row, flags: flags))
    (self.time, flags) = (nil, [])
    if rule == .exact { for index in values.indices { values[index] = .missing } }
  }
}
