import SluiceExtras
public import SluiceReadings

/// The number of edges and the frequency of a line per time window.
///
/// Use it for the speed of a fan, an anemometer or a flow meter. docs/Stages.md describes the windows.
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
/// `edges` is the number of rising and falling edges. `frequency` is the number of periods per second, in Hz. It counts
/// edges of one direction only, the direction with more edges, so that it is right for a recording of one direction
/// too. A window without an edge gives 0. The frequency of the first and of the last window is missing, and of a window
/// with an edge after a gap. Readings of
/// other streams pass.
public struct Frequency: ReadingProcessor {
  private var windows: WindowProcessor<EdgeWindow>

  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - line: The name of the line; nil for every line.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if there is no such line, or if more streams may come.
  public init(interval: Int64, line: String? = nil, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("count the edges of")
    let isLine = try inputs.lines(line, "count the edges of")
    let streams = zip(inputs.known, isLine).map { stream, isLine in
      var described = stream
      if isLine { described.channels = [.init(name: "edges"), .init(name: "frequency", unit: "Hz")] }
      return described
    }
    windows = WindowProcessor(
      interval: interval, streams: streams, restarts: inputs.restarts,
      isLine.map { $0 ? EdgeWindow(interval: interval) : nil })
  }

  /// The descriptions of its outputs.
  public var streams: [StreamDescription] { windows.streams }
  /// Whether the stream is one of the lines.
  public func makes(_ stream: StreamID) -> Bool { windows.makes(stream) }
  /// Takes the next reading, and adds the outputs of the windows that end before it.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    windows.receive(reading, into: &outputs)
  }
  /// Adds the outputs of the last windows.
  public mutating func finish(into outputs: inout [Reading]) { windows.finish(into: &outputs) }
  /// Whether more windows end before the last reading.
  public var hasMore: Bool { windows.hasMore }
  /// Adds the outputs of more of these windows.
  public mutating func resume(into outputs: inout [Reading]) { windows.resume(into: &outputs) }
}

private struct EdgeWindow: StreamWindow {
  private let interval: Int64
  private var rising: Int64 = 0
  private var falling: Int64 = 0
  private var began: Int64?
  /// An edge of this window may be missing, or wrong.
  private var hasGap = false

  init(interval: Int64) { self.interval = max(1, interval) }

  /// After the first reading, each window gives an output.
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
    values.append(isWhole ? frequency : .missing)
    (rising, falling, hasGap) = (0, 0, false)
    return values
  }

  mutating func restart() { began = nil }

  /// The number of periods per second, with three decimals or six significant digits, whichever is more.
  private var frequency: ExactDecimal {
    let (thousandths, overflow) = max(rising, falling).multipliedReportingOverflow(by: 1_000)
    guard thousandths > 0, !overflow else { return overflow ? .missing : ExactDecimal(significand: 0, exponent: -3) }
    return .rate(of: ExactDecimal(significand: thousandths, exponent: -3), from: 0, to: interval)
  }
}
