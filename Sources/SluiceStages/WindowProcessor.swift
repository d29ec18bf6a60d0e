import SluiceReadings

/// The values that a ``WindowProcessor`` collects from one stream in a time window.
///
/// Each processor of windows is a type that contains a ``WindowProcessor``, because generic code of another module is
/// not specialised. For that reason each forwards to it with functions of its own. In a model of two modules, a call of
/// those in a protocol's extension took ten times as long.
protocol StreamWindow {
  /// Adds a reading to the window.
  mutating func add(_ reading: Reading)
  /// Ends the window, and begins the next one.
  /// - Parameters:
  ///   - start: The start of the window.
  ///   - isCut: Whether the trace has ended within the window, or time has begun anew.
  /// - Returns: The values of its output; nil if it has no output.
  mutating func end(from start: Int64, isCut: Bool) -> Values?
  /// Whether the next windows give outputs even if the stream has no readings in them.
  var goesOn: Bool { get }
  /// Time has begun anew: the next window is the first.
  mutating func restart()
}

/// Collects the readings of each stream in time windows.
///
/// All windows have the same length, and end at multiples of it since the Unix epoch, or since 0 in a trace with
/// relative times. So the windows do not depend on the start of the trace. A window includes its start, but not its
/// end.
///
/// An output has the time of the end of its window, because the window is complete then. So the outputs of all streams
/// are in the order of their times. A window ends when a reading of any stream, or the clock of a recording, reaches
/// its end. At the end of the trace, the last windows give outputs although they are not complete. A reading that is
/// late by one window or less counts in the open window. If it is later than that, time begins anew: the open windows
/// end, and new ones begin. Time also begins anew with the first reading after a restart, and after a year and a
/// million windows without a reading, because the clock was set then: 50 years of milliseconds would fill a disk.
struct WindowProcessor<Window: StreamWindow> {
  private struct Content {
    /// Nil if the readings of the stream pass.
    var window: Window?
    var hasReadings = false
    var isAfterGap = false
    /// Its recording was restarted, and it has had no reading since then.
    var isRestarting = false
    /// The start of the run of its last restart.
    var began: Int64?

    mutating func take(_ reading: Reading) {
      window?.add(reading)
      hasReadings = true
      if reading.flags.contains(.gapBefore) { isAfterGap = true }
    }
  }

  /// The descriptions of its outputs.
  let streams: [StreamDescription]
  private let interval: Int64
  /// Whether the readings of each stream are collected. The others pass.
  private let isGathered: [Bool]
  /// The content of the window of each stream.
  private var contents: [Content]
  private let restarts: [InputStreams.Restart]
  /// The end of the open windows; nil if there are none.
  private var end: Int64?
  /// The reading that ends windows, while they are being ended.
  private var input: Reading?
  /// The next stream with a window to end, while windows are being ended.
  private var ending: Int?

  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - streams: The descriptions of its outputs.
  ///   - restarts: The restarts of the recordings.
  ///   - windows: The window of each stream; nil if the readings of the stream pass.
  init(interval: Int64, streams: [StreamDescription], restarts: [InputStreams.Restart] = [], _ windows: [Window?]) {
    self.interval = max(1, interval)
    self.streams = streams
    isGathered = windows.map { $0 != nil }
    contents = windows.map { Content(window: $0) }
    self.restarts = restarts
  }

  /// Whether it collects the readings of a stream.
  func makes(_ stream: StreamID) -> Bool {
    let index = Int(stream.index)
    return index < isGathered.count && isGathered[index]
  }

  /// Takes the next reading, and adds the outputs of the windows that end before it.
  mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    if reading.flags.contains(.restart) { restart(at: reading.time, Int(reading.stream.index), into: &outputs) }
    place(reading, into: &outputs)
  }

  // A call would copy the reading: 60 instructions.
  @inline(__always)
  private mutating func place(_ reading: Reading, into outputs: inout [Reading]) {
    guard let end else {
      if makes(reading.stream) { self.end = Self.end(of: reading.time, interval) }
      return take(reading, into: &outputs)
    }
    if reading.time < end, !isAnew(reading.time, end) || reading.stream == .none {
      return take(reading, into: &outputs)
    }
    (input, ending, hasMore) = (reading, 0, true)
    resume(into: &outputs)
  }

  /// Whether more windows end before the last reading. It is stored, because it is read once per reading.
  private(set) var hasMore = false

  /// Adds the outputs of more windows, and then takes the reading that has ended them.
  mutating func resume(into outputs: inout [Reading]) {
    guard let reading = input else { return }
    let most = outputs.count + 512
    while let end {
      if ending == nil {
        guard reading.time >= end else { break }
        ending = 0
      }
      guard endWindows(at: end, most: most, isCut: reading.time < end, into: &outputs) else { return }
      self.end = following(end, before: reading)
    }
    (input, hasMore) = (nil, false)
    place(reading, into: &outputs)
  }

  /// Ends the open windows.
  mutating func finish(into outputs: inout [Reading]) {
    guard let end else { return }
    ending = 0
    _ = endWindows(at: end, most: .max, isCut: true, into: &outputs)
    self.end = nil
  }

  /// Whether a time is so far from the open windows that time begins anew.
  private func isAnew(_ time: Int64, _ end: Int64) -> Bool {
    if time > end { return isFarAfter(end, time, interval) }
    let (earliest, overflow) = end.subtractingReportingOverflow(
      interval.multipliedReportingOverflow(by: 2).partialValue)
    return interval < .max / 2 && !overflow && time < earliest
  }

  private mutating func take(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    guard index < isGathered.count, isGathered[index] else { return outputs.append(reading) }
    contents[index].take(reading)
  }

  /// Ends the windows of the streams from ``ending`` on.
  /// - Parameters:
  ///   - most: The number of outputs at which it stops.
  ///   - isCut: Whether the trace has ended within the windows.
  /// - Returns: Whether all windows have ended.
  private mutating func endWindows(at end: Int64, most: Int, isCut: Bool, into outputs: inout [Reading]) -> Bool {
    let (start, overflow) = end.subtractingReportingOverflow(interval)
    for index in (ending ?? 0)..<contents.count {
      if outputs.count >= most {
        ending = index
        return false
      }
      guard contents[index].hasReadings || !isCut && contents[index].window?.goesOn == true else { continue }
      let isInGap = !restarts.isEmpty && hasGap(from: start, to: end, index)
      if contents[index].hasReadings || !isInGap {
        endWindow(of: index, from: overflow ? .min : start, to: end, isCut: isCut || isInGap, into: &outputs)
      }
      if isInGap { contents[index].window?.restart() }
    }
    ending = nil
    return true
  }

  private mutating func endWindow(
    of index: Int, from start: Int64, to end: Int64, isCut: Bool, into outputs: inout [Reading]
  ) {
    let flags: Reading.Flags = contents[index].isAfterGap ? .gapBefore : []
    let values = contents[index].window?.end(from: start, isCut: isCut)
    contents[index].hasReadings = false
    contents[index].isAfterGap = false
    guard let values else { return }
    outputs.append(
      Reading(time: end, stream: StreamID(UInt16(truncatingIfNeeded: index)), values: values, flags: flags))
  }

  // MARK: Restarts

  /// Whether a stream was not recorded in a part of a window.
  private func hasGap(from start: Int64, to end: Int64, _ stream: Int) -> Bool {
    restarts.contains { restart in
      guard let ended = restart.ended, restart.streams.contains(stream) else { return false }
      return ended < end && restart.began > start && ended < restart.began
    }
  }

  /// Ends the windows of the streams that were restarted with this reading, if it is the first of them.
  private mutating func restart(at time: Int64, _ stream: Int, into outputs: inout [Reading]) {
    guard contents.indices.contains(stream) else { return }
    let own = restarts.filter { $0.streams.contains(stream) }
    let began = own.last { $0.began <= time }?.began
    // A stream may have had no reading in a whole run.
    let isFirst = !contents[stream].isRestarting || began != contents[stream].began
    if isFirst {
      // Without a list, all streams are of one recording.
      let restarted = own.isEmpty ? Set(contents.indices) : own.reduce(into: []) { $0.formUnion($1.streams) }
      let start = end.map { $0.subtractingReportingOverflow(interval) }
      for index in restarted.sorted() where contents.indices.contains(index) {
        if contents[index].hasReadings, let end, let start {
          endWindow(of: index, from: start.overflow ? .min : start.partialValue, to: end, isCut: true, into: &outputs)
        }
        contents[index].window?.restart()
        (contents[index].isRestarting, contents[index].began) = (true, began)
      }
      if !contents.contains(where: { $0.hasReadings || $0.window?.goesOn == true }) { end = nil }
    }
    contents[stream].isRestarting = false
  }

  /// The end of the windows after those that have ended; nil if the reading opens the next ones.
  private mutating func following(_ end: Int64, before reading: Reading) -> Int64? {
    if isAnew(reading.time, end) {
      for index in contents.indices { contents[index].window?.restart() }
      return nil
    }
    guard contents.contains(where: { $0.window?.goesOn == true }) else { return nil }
    let (next, overflow) = end.addingReportingOverflow(interval)
    return overflow ? nil : next
  }

  /// The end of the window that contains a time.
  private static func end(of time: Int64, _ interval: Int64) -> Int64 {
    let rest = time % interval
    let (end, overflow) = time.addingReportingOverflow(interval - (rest < 0 ? rest + interval : rest))
    return overflow ? .max : end
  }
}

/// Whether there is a year or more from the first to the second time, and a million intervals or more.
func isFarAfter(_ start: Int64, _ end: Int64, _ interval: Int64) -> Bool {
  let distance = Int128(end) - Int128(start)
  return distance >= 365 * 86_400 * 1_000_000_000 && distance / Int128(interval) >= 1_000_000
}
