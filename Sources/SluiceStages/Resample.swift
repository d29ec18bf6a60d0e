import SluiceExtras
public import SluiceReadings

/// Resamples each stream at equal intervals: the mean or the last values of each time window.
///
/// Use it to bring streams with different rates to one rate, for a table with one row per second. docs/Stages.md
/// describes the windows. ``Interpolation`` gives values between two readings.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let imu = StreamDescription(name: "imu", channels: [.init(name: "x", unit: "g")])
/// let perSecond = try Resample(interval: 1_000_000_000, .mean, inputs: InputStreams([imu]))
/// ```
///
/// A mean has three more decimals than the values. A window without a reading has no mean. The last values are repeated
/// in windows without a reading. For a line it always takes the last level, because a mean of levels has no meaning.
public struct Resample: ReadingProcessor {
  /// A function of the values of a window.
  public enum Function: String, CaseIterable, Sendable {
    /// The arithmetic mean of each channel.
    case mean
    /// The last values.
    case last
  }

  private var windows: WindowProcessor<ResampledWindow>

  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if more streams may come.
  public init(interval: Int64, _ function: Function, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("resample")
    windows = WindowProcessor(
      interval: interval, streams: inputs.known.map { function == .last ? $0 : $0.resampled },
      restarts: inputs.restarts,
      inputs.known.map { $0.channels.isEmpty ? nil : ResampledWindow(function, $0) })
  }

  /// The descriptions of its outputs.
  public var streams: [StreamDescription] { windows.streams }
  /// Whether the stream has channels.
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

private struct ResampledWindow: StreamWindow {
  private let function: Resample.Function
  private var sums: [DecimalSum]
  private var last: Values?

  init(_ function: Resample.Function, _ stream: StreamDescription) {
    self.function = stream.isLevel ? .last : function
    sums = Array(repeating: DecimalSum(), count: self.function == .mean ? stream.channels.count : 0)
  }

  var goesOn: Bool { function == .last && last != nil }

  mutating func add(_ reading: Reading) {
    if function == .mean { sums.add(reading.values) } else { last = reading.values }
  }

  mutating func restart() { last = nil }

  mutating func end(from start: Int64, isCut: Bool) -> Values? {
    guard function == .mean else { return last }
    var values = Values()
    for channel in sums.indices {
      values.append(sums[channel].mean)
      sums[channel] = DecimalSum()
    }
    return values
  }
}

extension StreamDescription {
  /// The description without storage formats, because the device did not store these values. A line is unchanged.
  var resampled: StreamDescription {
    var stream = self
    guard !isLevel else { return stream }
    for channel in stream.channels.indices { stream.channels[channel].format = nil }
    return stream
  }
}
