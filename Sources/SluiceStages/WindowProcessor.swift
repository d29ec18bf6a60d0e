public import SluiceReadings

/// What a ``WindowProcessor`` gathers of one stream in a window of time.
public protocol StreamWindow {
  /// Takes a reading of the window.
  mutating func add(_ reading: Reading)
  /// The window has ended, and the next one begins.
  /// - Parameters:
  ///   - start: When it began.
  ///   - isCut: The trace has ended within the window.
  /// - Returns: The values of its reading; nil if it gives none.
  mutating func end(from start: Int64, isCut: Bool) -> Values?
  /// Whether the next windows give readings without any of the stream.
  var goesOn: Bool { get }
}

/// Gathers the readings of each stream in windows of time.
///
/// All windows have one length, and end at multiples of it since the Unix epoch, or since 0 in a trace with relative
/// times. So it does not matter where a trace begins. A window includes its start, and not its end.
///
/// A reading has the time of its window's end, because then all of the window is known: the readings of all streams stay in
/// the order of their times. A window ends when a reading of any stream, or the clock of a recording, shows a time at or past
/// its end. At the end of the trace the last windows are given as they are. A reading that is late, by one window at most,
/// counts in the open window. If it is later than that, time starts again: the open windows end.
public struct WindowProcessor<Window: StreamWindow>: ReadingProcessor {
  private struct Content {
    var window: Window
    var hasReadings = false
    var isAfterGap = false
  }

  /// What its readings mean.
  public let streams: [StreamDescription]
  private let interval: Int64
  /// By stream; nil for one that passes.
  private var contents: [Content?]
  /// The end of the open windows; nil if there are none.
  private var end: Int64?
  private var input: Reading?
  /// While windows are being ended, the stream that is next.
  private var ending: Int?
  private var isFinished = false

  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - streams: What its readings mean.
  ///   - windows: By stream; nil for one whose readings pass.
  init(interval: Int64, streams: [StreamDescription], _ windows: [Window?]) {
    self.interval = max(1, interval)
    self.streams = streams
    contents = windows.map { $0.map { Content(window: $0) } }
  }

  /// Whether it gathers the readings of a stream.
  public func makes(_ stream: StreamID) -> Bool {
    let index = Int(stream.index)
    return index < contents.count && contents[index] != nil
  }

  /// Takes the next reading.
  public mutating func receive(_ reading: Reading) { input = reading }

  /// Ends the open windows.
  public mutating func finish() {
    isFinished = true
    if end != nil { ending = 0 }
  }

  /// The next reading; nil if it needs another input for it.
  public mutating func next() -> Reading? {
    while true {
      if let reading = ended() { return reading }
      guard let reading = input else { return nil }
      guard let end else {
        if makes(reading.stream) { self.end = Self.end(of: reading.time, interval) }
        return take(reading)
      }
      guard reading.time >= end || isAnew(reading, end) else {
        return take(reading)
      }
      ending = 0
    }
  }

  /// Whether a reading is from so far before the open window that time starts again.
  private func isAnew(_ reading: Reading, _ end: Int64) -> Bool {
    guard reading.stream != .none else { return false }
    let (earliest, overflow) = end.subtractingReportingOverflow(
      interval.multipliedReportingOverflow(by: 2).partialValue)
    return interval < .max / 2 && !overflow && reading.time < earliest
  }

  /// - Returns: The reading, if it passes.
  private mutating func take(_ reading: Reading) -> Reading? {
    input = nil
    guard makes(reading.stream) else { return reading }
    let index = Int(reading.stream.index)
    contents[index]?.window.add(reading)
    contents[index]?.hasReadings = true
    if reading.flags.contains(.gapBefore) { contents[index]?.isAfterGap = true }
    return nil
  }

  /// The reading of the next window that ends; nil if none is being ended.
  private mutating func ended() -> Reading? {
    guard let first = ending, let end else { return nil }
    let (start, overflow) = end.subtractingReportingOverflow(interval)
    for index in first..<contents.count {
      guard contents[index]?.hasReadings == true || contents[index]?.window.goesOn == true && !isFinished else {
        continue
      }
      guard let values = contents[index]?.window.end(from: overflow ? .min : start, isCut: isFinished) else {
        contents[index]?.hasReadings = false
        continue
      }
      ending = index + 1
      let flags: Reading.Flags = contents[index]?.isAfterGap == true ? .gapBefore : []
      contents[index]?.hasReadings = false
      contents[index]?.isAfterGap = false
      return Reading(time: end, stream: StreamID(UInt16(truncatingIfNeeded: index)), values: values, flags: flags)
    }
    ending = nil
    self.end = following(end)
    return nil
  }

  /// The end of the windows behind those that have ended.
  private func following(_ end: Int64) -> Int64? {
    guard let reading = input, !isAnew(reading, end) else { return nil }
    guard contents.contains(where: { $0?.window.goesOn == true }) else { return nil }
    let (next, overflow) = end.addingReportingOverflow(interval)
    return overflow ? nil : next
  }

  /// The end of the window that a time is in.
  private static func end(of time: Int64, _ interval: Int64) -> Int64 {
    let rest = time % interval
    let (end, overflow) = time.addingReportingOverflow(interval - (rest < 0 ? rest + interval : rest))
    return overflow ? .max : end
  }
}
