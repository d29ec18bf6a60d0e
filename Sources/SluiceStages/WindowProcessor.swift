import SluiceReadings

/// The values that a ``WindowProcessor`` collects from one stream in a time window.
///
/// Each processor of windows is a type that contains a ``WindowProcessor``, because generic code of another module is
/// not specialised.
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
  /// Whether each stream has had no reading since the last restart.
  private var expected: [Bool]
  /// The end of the open windows; nil if there are none.
  private var end: Int64?
  /// The reading that ends windows, while they are being ended.
  private var input: Reading?
  /// The next stream with a window to end, while windows are being ended.
  private var ending: Int?

  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - streams: The descriptions of its outputs.
  ///   - windows: The window of each stream; nil if the readings of the stream pass.
  init(interval: Int64, streams: [StreamDescription], _ windows: [Window?]) {
    self.interval = max(1, interval)
    self.streams = streams
    isGathered = windows.map { $0 != nil }
    contents = windows.map { Content(window: $0) }
    expected = windows.map { _ in false }
  }

  /// Whether it collects the readings of a stream.
  func makes(_ stream: StreamID) -> Bool {
    let index = Int(stream.index)
    return index < isGathered.count && isGathered[index]
  }

  /// Takes the next reading, and adds the outputs of the windows that end before it.
  mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    guard let end else {
      if makes(reading.stream) { self.end = Self.end(of: reading.time, interval) }
      return take(reading, into: &outputs)
    }
    if reading.time < end,
      !isAnew(reading.time, end, isRestart: isRestart(reading.stream, reading.flags)) || reading.stream == .none
    {
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
      let isCut = reading.time < end || isRestart(reading.stream, reading.flags)
      guard endWindows(at: end, most: most, isCut: isCut, into: &outputs) else { return }
      self.end = following(end, before: reading)
    }
    (input, hasMore) = (nil, false)
    receive(reading, into: &outputs)
  }

  /// Ends the open windows.
  mutating func finish(into outputs: inout [Reading]) {
    guard let end else { return }
    ending = 0
    _ = endWindows(at: end, most: .max, isCut: true, into: &outputs)
    self.end = nil
  }

  /// Whether a reading is so far from the open windows that time begins anew, or is the first after a restart.
  private func isAnew(_ time: Int64, _ end: Int64, isRestart: Bool) -> Bool {
    if isRestart { return true }
    if time > end { return isFarAfter(end, time, interval) }
    let (earliest, overflow) = end.subtractingReportingOverflow(
      interval.multipliedReportingOverflow(by: 2).partialValue)
    return interval < .max / 2 && !overflow && time < earliest
  }

  /// Whether a reading is the first after a restart. The first readings of the other streams follow it.
  /// The reading is no parameter, because each call would copy it, with 60 instructions.
  private func isRestart(_ stream: StreamID, _ flags: Reading.Flags) -> Bool {
    let index = Int(stream.index)
    return flags.contains(.restart) && index < expected.count && !expected[index]
  }

  /// Notes which streams have had their first reading after a restart.
  private mutating func takeRestart(_ stream: StreamID) {
    let index = Int(stream.index)
    guard index < expected.count else { return }
    if !expected[index] { for other in expected.indices { expected[other] = true } }
    expected[index] = false
  }

  private mutating func take(_ reading: Reading, into outputs: inout [Reading]) {
    let index = Int(reading.stream.index)
    if reading.flags.contains(.restart) { takeRestart(reading.stream) }
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
      let flags: Reading.Flags = contents[index].isAfterGap ? .gapBefore : []
      let values = contents[index].window?.end(from: overflow ? .min : start, isCut: isCut)
      contents[index].hasReadings = false
      contents[index].isAfterGap = false
      guard let values else { continue }
      outputs.append(
        Reading(time: end, stream: StreamID(UInt16(truncatingIfNeeded: index)), values: values, flags: flags))
    }
    ending = nil
    return true
  }

  /// The end of the windows after those that have ended; nil if the reading opens the next ones.
  private mutating func following(_ end: Int64, before reading: Reading) -> Int64? {
    if isAnew(reading.time, end, isRestart: isRestart(reading.stream, reading.flags)) {
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
