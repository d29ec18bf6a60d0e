import SluiceExtras
public import SluiceReadings

/// Passes the readings of some time before and after each event: a reading for which a condition is true, or a mark.
///
/// Use it for rare events: a shock, a door that opens. Readings wait until it is known whether an event follows.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let imu = StreamDescription(name: "imu", channels: [.init(name: "accel_x", unit: "m/s^2")])
/// var shocks = try Around(
///   Expression("abs(accel_x) > 20"), before: 10_000_000_000, after: 60_000_000_000, inputs: InputStreams([imu]))
/// var readings: [Reading] = []
/// shocks.receive(Reading(time: 0, stream: StreamID(0), values: [1]), into: &readings)
/// shocks.receive(Reading(time: 1_000, stream: StreamID(0), values: [25]), into: &readings)
/// print(readings.count, readings[0].values[1])  // 2 1: both are in the first window
/// ```
///
/// The condition is for the streams that have all its channels. The window of an event begins `before` earlier and ends `after`
/// later, and the readings of all streams in it pass. Windows that overlap are one. Every stream has one more channel, `window`,
/// with the number of the window, from 1. The first reading of a stream in a window follows a gap (`Reading.Flags.gapBefore`)
/// if readings of the stream were left out.
///
/// Readings must come in the order of their times. If the time goes back by more than a window and a second, what waits is left
/// out, as it is at a restart of the recording. At most ``mostHeld`` readings wait in memory; in a recording, more of them wait
/// on its disk. If there is no room for all, the window begins later, and ``shortened`` counts it.
public struct Around: ReadingProcessor, WindowedProcessor {
  private var condition: Condition
  private let before: Int64
  private let after: Int64
  /// The readings that wait for an event.
  private var held: HeldReadings
  /// Which of them are in a window and have not passed yet: none before the next reading.
  private var due = Due.none
  /// A reading that is taken after what is due and after the marks before it.
  private var input: Reading?
  /// Whether no reading comes any more, and marks are still to be taken.
  private var isEnding = false
  /// The latest time of a reading.
  private var latest = Int64.min
  /// Whether a window is open, and the end of the last one.
  private var isOpen = false
  private var end = Int64.min
  /// A window whose first event is not later than this time lacks readings, because too many waited; nil if no window does.
  private var lacksUntil: Int64?
  /// Whether the last window is counted as one that lacks readings.
  private var isShortened = false
  /// The marks of the recording, and the number of those that were events already.
  private let marks: MarkTimes?
  private var marked = 0
  package var windowed: WindowedStreams

  /// The number of the last window, from 1.
  public var windows: Int64 { windowed.number }
  /// The number of windows that lack readings, because too many would have waited, or because a disk has lost them.
  public var shortened: Int { windowed.shortened }
  /// The descriptions of its outputs: those of its inputs, each with the channel `window`.
  public var streams: [StreamDescription] { windowed.known }

  private enum Due {
    case none
    /// The first ones, up to the end of the window.
    case untilEnd
    case all
  }

  /// The most readings that wait in memory, if they have at most eight values each: about 14 MB. Of those with more, fewer wait.
  public static var mostHeld: Int { HeldReadings.Limits().most }
  /// The most outputs of one call.
  private static var most: Int { 1_024 }

  /// - Parameters:
  ///   - condition: The event.
  ///   - before: The time before an event, in nanoseconds, 0 or more.
  ///   - after: The time after it.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if no stream has all channels of the condition, or if a stream has a channel `window` or 64
  ///   channels already.
  public init(
    _ condition: Expression, before: Int64, after: Int64, inputs: InputStreams
  ) throws(SluiceError) {
    self.condition = try Condition(condition, inputs: inputs)
    (self.before, self.after) = (max(0, before), max(0, after))
    marks = inputs.marks
    held = HeldReadings(inputs.waiting, store: inputs.makeStore?())
    windowed = try WindowedStreams(inputs)
  }

  /// Always false, because readings pass or are left out.
  public func makes(_ stream: StreamID) -> Bool { false }

  /// Takes the next reading, and adds the readings that are in a window.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    if windowed.takeRestart(until: reading.time) || isAnew(reading.time) { beginAnew() }
    latest = max(latest, reading.time)
    input = reading
    resume(into: &outputs)
  }

  /// Takes a reading, after the marks before it.
  private mutating func take(_ reading: Reading, into outputs: inout [Reading]) {
    guard reading.stream != .none else {
      // Also if no reading comes any more.
      leaveOut(until: reading.time)
      // It only shows a time, and a reading that waits may still pass.
      var tick = reading
      tick.time = min(tick.time, held.time ?? tick.time)
      return outputs.append(tick)
    }
    if condition.isTrue(reading) == true { begin(at: reading.time) }
    held.append(reading)
    if isOpen, reading.time <= end {
      due = .all
    } else {
      isOpen = false
      leaveOut(until: reading.time)
    }
  }

  /// Whether the time has gone back so far that the windows before it say nothing about it: the clock was set.
  private func isAnew(_ time: Int64) -> Bool {
    time < Self.difference(Self.difference(latest, Self.sum(before, after)), 1_000_000_000)
  }

  /// What waits is in no window.
  private mutating func beginAnew() {
    while let oldest = held.oldest { leaveOut(oldest) }
    (isOpen, end, latest, lacksUntil) = (false, .min, .min, nil)
    windowed.beginWindow()
  }

  /// Takes the next mark up to a time as an event.
  /// - Returns: Whether there was one.
  private mutating func takeMark(until time: Int64) -> Bool {
    guard let marks, marked < marks.count, marks[marked] <= time else { return false }
    begin(at: marks[marked])
    marked += 1
    return true
  }

  /// An event. What waits and is not too old is in its window.
  private mutating func begin(at time: Int64) {
    if !isOpen || end < time {
      leaveOut(until: time, isExact: true)
      if end < Self.difference(time, before) {
        windowed.beginWindow()
        isShortened = false
      }
      if let lacksUntil, lacksUntil >= time { shorten() }
      lacksUntil = nil
    }
    isOpen = true
    end = max(end, Self.sum(time, after))
    // Another thread may add a mark a little late: then readings behind the window wait, too.
    due = .untilEnd
  }

  /// Leaves out what is too old for an event at this time or later.
  /// - Parameter isExact: Whether a block is opened of which a part is too old.
  private mutating func leaveOut(until time: Int64, isExact: Bool = false) {
    while let latest = held.latestOfOldest {
      let isOld = Self.sum(latest, before) < time
      if !isOld, isExact, let first = held.time, first != latest, Self.sum(first, before) < time {
        open()
        continue
      }
      guard isOld || held.isFull() else { return }
      // The window of an event up to this time lacks it.
      if !isOld { lacksUntil = Self.sum(latest, before) }
      guard let oldest = held.oldest else { return }
      leaveOut(oldest)
      // The store has room only when several blocks are gone. Until then, memory has a few readings more.
      if !isOld, case .block = oldest { return }
    }
  }

  private mutating func leaveOut(_ oldest: HeldReadings.Oldest) {
    switch oldest {
    case .reading(let reading): windowed.leaveOut(reading.stream, reading.flags)
    case .block(let block): for (stream, flags) in block.streams { windowed.leaveOut(stream, flags) }
    }
    held.removeOldest()
  }

  /// Reads the block that is the oldest. If it cannot be read, the window of the next event lacks it.
  private mutating func open() {
    guard case .block(let block)? = held.oldest, !held.openOldest() else { return }
    for (stream, flags) in block.streams { windowed.leaveOut(stream, flags) }
    lacksUntil = Self.sum(block.latest, before)
  }

  /// The window lacks readings.
  private mutating func shorten() {
    if !isShortened { windowed.shortened += 1 }
    isShortened = true
  }

  /// Whether more outputs wait.
  public var hasMore: Bool { due != .none || input != nil || isEnding }

  /// Adds the next outputs.
  public mutating func resume(into outputs: inout [Reading]) {
    let most = outputs.count + Self.most
    repeat {
      passDue(most, into: &outputs)
      // A store may have many more for this window.
      guard due == .none else { return }
      if let reading = input {
        if takeMark(until: reading.time) { continue }
        input = nil
        take(reading, into: &outputs)
      } else if isEnding {
        if takeMark(until: .max) { continue }
        isEnding = false
        held.close()
      }
    } while hasMore
  }

  private mutating func passDue(_ most: Int, into outputs: inout [Reading]) {
    while due != .none, outputs.count < most {
      guard let time = held.time, due == .all || time <= end else { return due = .none }
      switch held.oldest {
      case .reading(let reading)?:
        held.removeOldest()
        windowed.keep(reading, into: &outputs)
      case .block?:
        open()
        // It is in this window, too.
        if lacksUntil != nil { shorten() }
        lacksUntil = nil
      case nil: break
      }
    }
    if held.isEmpty { due = .none }
  }

  /// What still waits is left out, unless a mark came behind the last reading.
  public mutating func finish(into outputs: inout [Reading]) {
    isEnding = true
    resume(into: &outputs)
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, isOverflow) = a.addingReportingOverflow(b)
    return isOverflow ? .max : sum
  }

  private static func difference(_ a: Int64, _ b: Int64) -> Int64 {
    let (difference, isOverflow) = a.subtractingReportingOverflow(b)
    return isOverflow ? .min : difference
  }
}
