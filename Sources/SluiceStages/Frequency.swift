import SluiceExtras
public import SluiceReadings

/// How many edges a line has per window of time, and its frequency.
///
/// Use it for the speed of a fan, an anemometer, a flow meter. For the windows see docs/Stages.md.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let fan = StreamDescription(name: "fan", channels: [.init(name: "level", format: "level")])
/// let speed = try Frequency(interval: 1_000_000_000, inputs: InputStreams([fan]))
/// print(speed.streams[0].channels.map(\.name))  // ["edges", "frequency"]
/// ```
///
/// `edges` counts the edges of both directions; `frequency` is the number of periods per second in Hz, by the edges of the
/// direction that has more of them, so that it is right for a recording of one direction too. A window without an edge
/// gives 0. The frequency of the first and of the last window is missing, and of one with an edge after a gap. Readings of
/// other streams pass.
public struct Frequency: ReadingProcessor {
  private var windows: WindowProcessor<EdgeWindow>

  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - line: The stream whose edges are counted; nil for every line.
  ///   - inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if there is no such line, or if streams may still come.
  public init(interval: Int64, line: String? = nil, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("count the edges of")
    let isLine = try inputs.lines(line, "count the edges of")
    let streams = zip(inputs.known, isLine).map { stream, isLine in
      var described = stream
      if isLine { described.channels = [.init(name: "edges"), .init(name: "frequency", unit: "Hz")] }
      return described
    }
    windows = WindowProcessor(
      interval: interval, streams: streams, isLine.map { $0 ? EdgeWindow(interval: interval) : nil })
  }

  /// What its readings mean.
  public var streams: [StreamDescription] { windows.streams }
  /// Whether the stream is a line.
  public func makes(_ stream: StreamID) -> Bool { windows.makes(stream) }
  /// Takes the next reading, and adds those of the windows that end before it.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    windows.receive(reading, into: &outputs)
  }
  /// Adds the readings of the last windows.
  public mutating func finish(into outputs: inout [Reading]) { windows.finish(into: &outputs) }
  /// Whether more windows end before the last reading.
  public var hasMore: Bool { windows.hasMore }
  /// Adds the readings of more of these windows.
  public mutating func resume(into outputs: inout [Reading]) { windows.resume(into: &outputs) }
}

private struct EdgeWindow: StreamWindow {
  private let interval: Int64
  private var rising: Int64 = 0
  private var falling: Int64 = 0
  private var began: Int64?
  /// An edge was lost in this window.
  private var hasGap = false

  init(interval: Int64) { self.interval = max(1, interval) }

  /// From the first reading on, each window gives one.
  var goesOn: Bool { began != nil }

  mutating func add(_ reading: Reading) {
    if began == nil { began = reading.time }
    if reading.flags.contains(.gapBefore) { hasGap = true }
    guard !reading.flags.contains(.initialLevel), let level = reading.values.first, !level.isMissing else { return }
    if level.significand == 0 { falling += 1 } else { rising += 1 }
  }

  mutating func end(from start: Int64, isCut: Bool) -> Values? {
    var values = Values(rising + falling)
    let isWhole = !isCut && !hasGap && began.map { $0 <= start } ?? false
    let periods = Int128(max(rising, falling)) * 1_000_000_000
    values.append(isWhole ? ExactDecimal(nearest: periods, dividedBy: Int128(interval), exponent: 0) : .missing)
    (rising, falling, hasGap) = (0, 0, false)
    return values
  }

  mutating func restart() { began = nil }
}
