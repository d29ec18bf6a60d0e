public import SluiceReadings

/// Gives each stream readings at equal distances: the mean or the last values of windows of time.
///
/// Use it to bring streams of different rates onto one, for a table with a row per second. For the windows see
/// ``WindowProcessor``; for values between two readings see ``Interpolation``.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let imu = StreamDescription(name: "imu", channels: [.init(name: "x", unit: "g")])
/// let perSecond = try Resample.processor(interval: 1_000_000_000, .mean, inputs: InputStreams([imu]))
/// ```
///
/// A mean has three decimals more than the values; a window without a reading gives none. The last values are repeated in
/// windows without a reading. Of the levels of a line the last one is taken, because their mean says nothing.
public struct Resample: StreamWindow {
  /// What is made of the values of a window.
  public enum Function: String, CaseIterable, Sendable {
    /// The arithmetic mean of each channel.
    case mean
    /// The last values.
    case last
  }

  private let function: Function
  private var sums: [DecimalSum]
  private var last: Values?

  private init(_ function: Function, _ stream: StreamDescription) {
    self.function = stream.isLevel ? .last : function
    sums = Array(repeating: DecimalSum(), count: self.function == .mean ? stream.channels.count : 0)
  }

  /// Makes the processor.
  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if streams may still come.
  public static func processor(
    interval: Int64, _ function: Function, inputs: InputStreams
  ) throws(SluiceError) -> WindowProcessor<Resample> {
    try inputs.checkComplete("resample")
    return WindowProcessor(
      interval: interval, streams: inputs.known.map { function == .last ? $0 : $0.resampled },
      inputs.known.map { $0.channels.isEmpty ? nil : Resample(function, $0) })
  }

  /// Whether the last values are repeated.
  public var goesOn: Bool { function == .last && last != nil }

  /// Takes a reading of the window.
  public mutating func add(_ reading: Reading) {
    guard function == .mean else { return last = reading.values }
    for (channel, value) in zip(sums.indices, reading.values) { sums[channel].add(value) }
  }

  /// The values of the window.
  public mutating func end(from start: Int64, isCut: Bool) -> Values? {
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
  /// With values that the device did not store; the levels of a line stay what they are.
  var resampled: StreamDescription {
    var stream = self
    guard !isLevel else { return stream }
    for channel in stream.channels.indices { stream.channels[channel].format = nil }
    return stream
  }
}
