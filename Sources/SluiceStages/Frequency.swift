public import SluiceReadings

/// How many edges a line has per window of time, and its frequency.
///
/// Use it for the speed of a fan, an anemometer, a flow meter. For the windows see ``WindowProcessor``.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let fan = StreamDescription(name: "fan", channels: [.init(name: "level", format: "level")])
/// let speed = try Frequency.processor(interval: 1_000_000_000, inputs: InputStreams([fan]))
/// print(speed.streams[0].channels.map(\.name))  // ["edges", "frequency"]
/// ```
///
/// `edges` counts the edges of both directions; `frequency` is the number of periods per second in Hz, by the edges of the
/// direction that has more of them, so that it is right for a recording of one direction too. A window without an edge
/// gives 0. The frequency of a window of which a part was not recorded is missing. Readings of other streams pass.
public struct Frequency: StreamWindow {
  private let interval: Int64
  private var rising: Int64 = 0
  private var falling: Int64 = 0
  private var began: Int64?

  private init(interval: Int64) { self.interval = interval }

  /// Makes the processor.
  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - line: The stream whose edges are counted; nil for every line.
  ///   - inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if there is no such line, or if streams may still come.
  public static func processor(
    interval: Int64, line: String? = nil, inputs: InputStreams
  ) throws(SluiceError) -> WindowProcessor<Frequency> {
    try inputs.checkComplete("count the edges of")
    let isLine = try inputs.lines(line, "count the edges of")
    let streams = zip(inputs.known, isLine).map { stream, isLine in
      var described = stream
      if isLine { described.channels = [.init(name: "edges"), .init(name: "frequency", unit: "Hz")] }
      return described
    }
    return WindowProcessor(
      interval: interval, streams: streams, isLine.map { $0 ? Frequency(interval: interval) : nil })
  }

  /// Whether there was a reading: from then on each window gives one.
  public var goesOn: Bool { began != nil }

  /// Takes a reading of the window.
  public mutating func add(_ reading: Reading) {
    began = began ?? reading.time
    guard !reading.flags.contains(.initialLevel), let level = reading.values.first, !level.isMissing else { return }
    if level.significand == 0 { falling += 1 } else { rising += 1 }
  }

  /// The values of the window.
  public mutating func end(from start: Int64, isCut: Bool) -> Values? {
    var values = Values(rising + falling)
    let isWhole = !isCut && began.map { $0 <= start } ?? false
    // One decimal more than three, of windows of whole seconds, would say nothing.
    values.append(
      isWhole
        ? ExactDecimal(nearest: Int128(max(rising, falling)) * 1_000_000_000, dividedBy: Int128(interval), exponent: 0)
        : .missing)
    (rising, falling) = (0, 0)
    return values
  }
}
