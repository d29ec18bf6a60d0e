import SluiceExtras
public import SluiceReadings

/// Debounces lines: it leaves out short levels, such as the bounces of a contact, or spikes.
///
/// Use it for buttons and reed contacts, live and in a replay. Unlike the debounce period of the kernel, it keeps the
/// time of the edge, and a recording without this stage keeps all edges.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let door = StreamDescription(name: "door", channels: [.init(name: "level", format: "level")])
/// let settled = try Settle(time: 5_000_000, inputs: InputStreams([door]))
/// ```
///
/// An edge passes if the level after it lasts for the given time. The reading has the time of the edge, but passes only
/// after this time. If the level is shorter, both its edges are left out. An initial level passes at once. At the end
/// of the trace, the last level passes.
///
/// Readings of other streams pass. All readings stay in the order of their times: while an edge waits, later readings
/// wait behind it, at most 65,536 of them. If more come, they pass before it.
public struct Settle: ReadingProcessor {
  /// It does not contain a `Reading`, because copies of it took five times as long as the rest.
  fileprivate struct Line {
    var isLine: Bool
    /// The level that has lasted; nil if none is known.
    var level: Int64?
    /// The edge to a level that has not lasted yet.
    var waiting: Waiting?
    /// Whether an edge that was left out came after a gap.
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
  /// The state of each stream.
  private var lines: [Line] = []
  /// The time of the earliest edge that waits; nil if none does.
  private var waitingSince: Int64?
  private var now = Int64.min
  /// Readings that wait behind such a level.
  private var held: [Reading] = []
  /// About 7 MB.
  static let mostHeld = 65_536

  /// The descriptions of its outputs, which are those of its inputs.
  public var streams: [StreamDescription] { inputs.known }

  /// - Parameters:
  ///   - time: The shortest time of a level that passes, in nanoseconds, more than zero.
  ///   - line: The name of the line; nil for every line.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if there is no such line.
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

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds what has passed until its time.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    if index >= lines.count, reading.stream != .none, let more = inputs.more {
      inputs.known = more()
      learn()
    }
    // If the time goes back by more than this, the trace begins again, and the edges that wait will get no later time.
    if reading.stream != .none, Self.distance(reading.time, now) > time {
      finish(into: &outputs)
      now = reading.time
    }
    if let waitingSince, Self.distance(waitingSince, reading.time) >= time {
      settle(until: reading.time, into: &outputs)
    }
    now = max(now, reading.time)
    if reading.stream == .none {
      // Later readings may still have the time at which the level has lasted long enough.
      var mark = reading
      mark.time = min(mark.time, waitingSince ?? mark.time)
      return outputs.append(mark)
    }
    guard index < lines.count, lines[index].isLine, reading.values.count == 1, !reading.values[0].isMissing else {
      return append(reading, to: &outputs)
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
    if reading.flags.contains(.initialLevel) { append(reading, to: &outputs) }
  }

  private mutating func updateWaiting() { waitingSince = lines.lazy.compactMap { $0.waiting?.time }.min() }

  private mutating func append(_ reading: Reading, to outputs: inout [Reading]) {
    guard let waitingSince, held.count < Self.mostHeld, waitingSince < reading.time || !held.isEmpty else {
      if !held.isEmpty { release(all: true, into: &outputs) }
      return outputs.append(reading)
    }
    held.append(reading)
  }

  /// Adds the readings that need not wait for a level.
  private mutating func release(all: Bool = false, into outputs: inout [Reading]) {
    let count = waitingSince.flatMap { since in all ? nil : held.firstIndex { $0.time >= since } } ?? held.count
    outputs += held[..<count]
    held.removeFirst(count)
  }

  /// Passes the edges that wait.
  public mutating func finish(into outputs: inout [Reading]) { settle(until: nil, into: &outputs) }

  /// Adds the edges to levels that have lasted long enough, in the order of their times.
  /// - Parameter end: The current time; nil passes all edges.
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

  /// The interval from the first to the second time, or the nearest interval that fits.
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
      // The same level twice: only one direction is recorded, an edge between them was lost, or a level was read late.
      if waiting.level.significand == edge.level.significand { return false }
      // The line is back at the level that has lasted, so both edges are left out.
      if level == edge.level.significand {
        self.waiting = nil
        return true
      }
    }
    waiting = edge
    return true
  }
}
