public import SluiceReadings

/// Leaves out the changes of a line that do not last: a contact that bounces, a spike.
///
/// Use it for buttons and reed contacts, live and in a replay. Unlike the kernel's debounce period it keeps the time at which
/// the level began, and the raw recording keeps what it leaves out.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let door = StreamDescription(name: "door", channels: [.init(name: "level", format: "level")])
/// let settled = try Settle(time: 5_000_000, inputs: InputStreams([door]))
/// ```
///
/// A level that lasts for the time passes, once that is over, with the time at which it began. A shorter one is left out, with
/// the edge that ends it. A level at the beginning passes at once. At the end of the trace a level that nothing has
/// contradicted passes. Readings of other streams pass.
public struct Settle: ReadingProcessor {
  private struct Line {
    /// The level that has lasted; nil if none is known.
    var level: Int64?
    /// The edge to a level that has not lasted yet.
    var waiting: Reading?
    /// An edge that was left out came after a gap.
    var isAfterGap = false
  }

  private let time: Int64
  private let name: String?
  private var inputs: InputStreams
  /// By stream; nil for one that passes.
  private var lines: [Line?] = []
  private var input: Reading?
  /// No line waits for a time before this one.
  private var due = Int64.max
  private var now = Int64.min
  private var isFinished = false

  /// What its readings mean, which is what they mean already.
  public var streams: [StreamDescription] { inputs.known }

  /// - Parameters:
  ///   - time: How long a level must last, in nanoseconds, more than zero.
  ///   - line: The stream; nil for every line.
  ///   - inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if there is no such line.
  public init(time: Int64, line: String? = nil, inputs: InputStreams) throws(SluiceError) {
    self.time = max(1, time)
    name = line
    self.inputs = inputs
    _ = try inputs.lines(line, "settle")
    learn()
  }

  private mutating func learn() {
    for stream in inputs.known.dropFirst(lines.count) { lines.append(stream.isLine(name) ? Line() : nil) }
  }

  /// Always false: what passes is what came.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading.
  public mutating func receive(_ reading: Reading) {
    if let more = inputs.more, reading.stream != .none, Int(reading.stream.index) >= lines.count {
      inputs.known = more()
      learn()
    }
    input = reading
    // Earlier by more than the time: a trace begins anew, and what waits will see no end.
    if reading.stream != .none, Self.distance(reading.time, now) > time { isFinished = true }
  }

  /// Lets through what waits.
  public mutating func finish() { isFinished = true }

  /// The next reading; nil if it needs another input for it.
  public mutating func next() -> Reading? {
    if let settled = settled() { return settled }
    guard let reading = input.take() else { return nil }
    if isFinished {
      (isFinished, now) = (false, reading.time)
    } else {
      now = max(now, reading.time)
    }
    let index = Int(reading.stream.index)
    guard index < lines.count, lines[index] != nil, let level = reading.values.first, !level.isMissing else {
      return reading
    }
    return take(reading, level.significand, index)
  }

  private mutating func take(_ reading: Reading, _ level: Int64, _ index: Int) -> Reading? {
    if reading.flags.contains(.initialLevel) {
      lines[index] = Line(level: level)
      return reading
    }
    if reading.flags.contains(.gapBefore) { lines[index]?.isAfterGap = true }
    let waiting = lines[index]?.waiting
    // One level twice: only edges of one direction are recorded, or one was lost between them.
    if let waiting, waiting.values.first?.significand == level, !reading.flags.contains(.gapBefore) { return nil }
    lines[index]?.waiting = nil
    // Back to the level that has lasted: both edges are left out.
    if waiting != nil, lines[index]?.level == level, !reading.flags.contains(.gapBefore) { return nil }
    lines[index]?.waiting = reading
    due = min(due, reading.time)
    return nil
  }

  /// The next reading whose level has lasted, in the order of their times.
  private mutating func settled() -> Reading? {
    guard due != .max, isFinished || input.map({ Self.distance(due, $0.time) >= time }) ?? false else { return nil }
    var first: (index: Int, time: Int64)?
    for (index, line) in lines.enumerated() {
      guard let waiting = line?.waiting else { continue }
      if first.map({ waiting.time < $0.time }) ?? true { first = (index, waiting.time) }
    }
    due = first?.time ?? .max
    guard let first, isFinished || input.map({ Self.distance(first.time, $0.time) >= time }) ?? false,
      var reading = lines[first.index]?.waiting
    else { return nil }
    let isAfterGap = lines[first.index]?.isAfterGap ?? false
    lines[first.index] = Line(level: reading.values.first?.significand)
    if isAfterGap { reading.flags.insert(.gapBefore) }
    return reading
  }

  /// From the first to the second time, or as much as fits.
  private static func distance(_ start: Int64, _ end: Int64) -> Int64 {
    let (distance, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? (start < end ? .max : .min) : distance
  }
}
