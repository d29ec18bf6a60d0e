import SluiceExtras
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
/// contradicted passes.
///
/// Readings of other streams pass. The readings stay in the order of their times: while a level has to last, the later
/// readings of all streams wait for it, at most 65,536 of them. If more come, they pass before it.
public struct Settle: ReadingProcessor {
  /// Without a reading in it, whose copies cost five times as much as the rest.
  fileprivate struct Line {
    var isLine: Bool
    /// The level that has lasted; nil if none is known.
    var level: Int64?
    /// The edge to a level that has not lasted yet.
    var waiting: Waiting?
    /// An edge that was left out came after a gap.
    var isAfterGap = false
  }

  fileprivate struct Waiting {
    let time: Int64
    let level: ExactDecimal
    let flags: Reading.Flags
  }

  private let time: Int64
  private let name: String?
  private var inputs: InputStreams
  /// By stream.
  private var lines: [Line] = []
  /// The earliest time at which a level began that has to last; nil if there is none.
  private var waitingSince: Int64?
  private var now = Int64.min
  /// Readings that pass behind such a level.
  private var held: [Reading] = []
  /// About 7 MB.
  static let mostHeld = 65_536

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
    for stream in inputs.known.dropFirst(lines.count) { lines.append(Line(isLine: stream.isLine(name))) }
  }

  /// Always false: what passes is what came.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds what has passed until its time.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    if let more = inputs.more, reading.stream != .none, index >= lines.count {
      inputs.known = more()
      learn()
    }
    // Earlier by more than the time: a trace begins anew, and what waits will see no end.
    if reading.stream != .none, Self.distance(reading.time, now) > time {
      finish(into: &outputs)
      now = reading.time
    }
    if let waitingSince, Self.distance(waitingSince, reading.time) >= time {
      settle(until: reading.time, into: &outputs)
    }
    now = max(now, reading.time)
    if reading.stream == .none {
      // Later readings may still have the time of the level that has to last.
      var mark = reading
      mark.time = min(mark.time, waitingSince ?? mark.time)
      return outputs.append(mark)
    }
    guard index < lines.count, lines[index].isLine, reading.values.count == 1, !reading.values[0].isMissing else {
      return pass(reading, into: &outputs)
    }
    let edge = Waiting(time: reading.time, level: reading.values[0], flags: reading.flags)
    let hasWaited = lines[index].waiting != nil
    guard lines[index].take(edge) else { return }
    if !hasWaited, lines[index].waiting != nil {
      waitingSince = min(waitingSince ?? edge.time, edge.time)
    } else {
      updateWaiting()
      if !held.isEmpty { release(into: &outputs) }
    }
    if reading.flags.contains(.initialLevel) { pass(reading, into: &outputs) }
  }

  private mutating func updateWaiting() { waitingSince = lines.lazy.compactMap { $0.waiting?.time }.min() }

  private mutating func pass(_ reading: Reading, into outputs: inout [Reading]) {
    guard let waitingSince, held.count < Self.mostHeld, waitingSince < reading.time || !held.isEmpty else {
      if !held.isEmpty { release(all: true, into: &outputs) }
      return outputs.append(reading)
    }
    held.append(reading)
  }

  /// Adds the readings that no level has to last before.
  private mutating func release(all: Bool = false, into outputs: inout [Reading]) {
    let count = waitingSince.flatMap { since in all ? nil : held.firstIndex { $0.time >= since } } ?? held.count
    outputs += held[..<count]
    held.removeFirst(count)
  }

  /// Lets through what waits.
  public mutating func finish(into outputs: inout [Reading]) {
    settle(until: nil, into: &outputs)
  }

  /// Adds the readings whose levels have lasted, in the order of their times.
  /// - Parameter end: Until when; nil lets all pass.
  private mutating func settle(until end: Int64?, into outputs: inout [Reading]) {
    while let since = waitingSince {
      if let end, Self.distance(since, end) < time { break }
      if !held.isEmpty { release(into: &outputs) }
      guard let index = lines.firstIndex(where: { $0.waiting?.time == since }), let edge = lines[index].waiting else {
        break
      }
      let flags = lines[index].isAfterGap ? edge.flags.union(.gapBefore) : edge.flags
      lines[index] = Line(isLine: true, level: edge.level.significand)
      var values = Values()
      values.append(edge.level)
      outputs.append(Reading(time: edge.time, stream: StreamID(UInt16(index)), values: values, flags: flags))
      updateWaiting()
    }
    if !held.isEmpty { release(into: &outputs) }
  }

  /// From the first to the second time, or as much as fits.
  private static func distance(_ start: Int64, _ end: Int64) -> Int64 {
    let (distance, overflow) = end.subtractingReportingOverflow(start)
    return overflow ? (start < end ? .max : .min) : distance
  }
}

extension Settle.Line {
  /// - Returns: Whether something has changed.
  fileprivate mutating func take(_ edge: Settle.Waiting) -> Bool {
    if edge.flags.contains(.initialLevel) {
      self = Self(isLine: true, level: edge.level.significand)
      return true
    }
    let isAfterGap = edge.flags.contains(.gapBefore)
    if isAfterGap { self.isAfterGap = true }
    if let waiting, !isAfterGap {
      // One level twice: only edges of one direction are recorded, or one was lost between them.
      if waiting.level.significand == edge.level.significand { return false }
      // Back to the level that has lasted: both edges are left out.
      if level == edge.level.significand {
        self.waiting = nil
        return true
      }
    }
    waiting = edge
    return true
  }
}
