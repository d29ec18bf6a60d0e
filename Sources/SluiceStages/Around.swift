import DequeModule
import SluiceExtras
public import SluiceReadings

/// Passes the readings of some time before and after each event: a reading for which a condition is true.
///
/// Use it for rare events: a shock, a door that opens. Readings wait in memory until it is known whether an event follows.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let imu = StreamDescription(name: "imu", channels: [.init(name: "accel_x", unit: "m/s^2")])
/// let shocks = try Around(
///   Expression("abs(accel_x) > 20"), before: 10_000_000_000, after: 60_000_000_000, inputs: InputStreams([imu]))
/// ```
///
/// The condition is for the streams that have all its channels. The window of an event begins `before` earlier and ends `after`
/// later. The readings of all streams in a window pass. Windows that overlap are one. The first reading of each stream in a
/// window follows a gap (`Reading.Flags.gapBefore`) if readings of its stream were left out since the last window.
///
/// Readings must come in the order of their times. At most ``mostHeld`` readings wait. If this is too few, the window begins
/// later, and ``shortened`` counts it.
public struct Around: ReadingProcessor {
  private var condition: Condition
  private let before: Int64
  private let after: Int64
  /// The readings that wait for an event, in the order in which they came.
  private var held: Deque<Reading> = []
  /// The number of them, from the first, that are in a window and have not passed yet. It is 0 before the next reading.
  private var due = 0
  /// The end of the window; nil if none is open.
  private var end: Int64?
  /// The streams with readings that were left out since they last passed.
  private var isCut: [Bool]
  /// A window whose first event is not later than this time lacks readings, because too many waited; nil if no window does.
  private var lacksUntil: Int64?

  /// The number of windows so far.
  public private(set) var windows = 0
  /// The number of windows that began too late, because too many readings would have waited.
  public private(set) var shortened = 0
  /// The descriptions of its outputs, which are those of its inputs.
  public let streams: [StreamDescription]

  /// The most readings that wait: about 14 MB.
  public static var mostHeld: Int { 131_072 }
  /// The most outputs of one call.
  private static var most: Int { 1_024 }

  /// - Parameters:
  ///   - condition: The event.
  ///   - before: The time before an event, in nanoseconds, 0 or more.
  ///   - after: The time after it.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if no stream has all channels of the condition.
  public init(
    _ condition: Expression, before: Int64, after: Int64, inputs: InputStreams
  ) throws(SluiceError) {
    self.condition = try Condition(condition, inputs: inputs)
    (self.before, self.after) = (max(0, before), max(0, after))
    streams = inputs.known
    isCut = inputs.known.map { _ in false }
  }

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds the readings that are in a window.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    guard reading.stream != .none else {
      // What waits may still pass, with its earlier time.
      var mark = reading
      mark.time = min(mark.time, held.first?.time ?? mark.time)
      return outputs.append(mark)
    }
    let isEvent = condition.isTrue(reading) == true
    if isEvent { begin(at: reading.time) }
    if let end, reading.time <= end {
      held.append(reading)
      due = held.count
      return resume(into: &outputs)
    }
    end = nil
    held.append(reading)
    leaveOut(until: reading.time)
  }

  /// An event: what waits and is not too old is in its window.
  private mutating func begin(at time: Int64) {
    if end.map({ $0 < time }) ?? true {
      leaveOut(until: time)
      windows += 1
      if let lacksUntil, lacksUntil >= time { shortened += 1 }
    }
    end = max(end ?? .min, Self.sum(time, after))
  }

  /// Leaves out what is too old for an event at this time or later.
  private mutating func leaveOut(until time: Int64) {
    while let first = held.first {
      let isOld = Self.sum(first.time, before) < time
      guard isOld || held.count > Self.mostHeld else { return }
      // The window of an event up to this time lacks it.
      if !isOld { lacksUntil = Self.sum(first.time, before) }
      if Int(first.stream.index) < isCut.count { isCut[Int(first.stream.index)] = true }
      held.removeFirst()
    }
  }

  /// Whether more outputs wait.
  public var hasMore: Bool { due > 0 }

  /// Adds the next outputs.
  public mutating func resume(into outputs: inout [Reading]) {
    let count = min(due, Self.most)
    for var reading in held.prefix(count) {
      let stream = Int(reading.stream.index)
      if stream < isCut.count, isCut[stream] {
        isCut[stream] = false
        reading.flags.insert(.gapBefore)
      }
      outputs.append(reading)
    }
    held.removeFirst(count)
    due -= count
  }

  /// What still waits is left out.
  public mutating func finish(into outputs: inout [Reading]) {}

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, isOverflow) = a.addingReportingOverflow(b)
    return isOverflow ? .max : sum
  }
}
