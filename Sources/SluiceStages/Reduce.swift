import SluiceExtras
public import SluiceReadings

/// The minimum, mean, maximum and count of each channel per time window.
///
/// Use it to store a day of a fast sensor in a small file without losing peaks. docs/Stages.md describes the windows.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let imu = StreamDescription(name: "imu", channels: [.init(name: "x", unit: "g")])
/// let reduced = try Reduce(interval: 60_000_000_000, [.min, .max], inputs: InputStreams([imu]))
/// print(reduced.streams[0].channels.map(\.name))  // ["x_min", "x_max"]
/// ```
///
/// Each channel becomes one channel per function, such as `x_min`. A mean has three more decimals than the values.
/// Missing values are left out. A window without a reading gives no output.
public struct Reduce: ReadingProcessor {
  /// A function of the values of a window.
  public enum Function: String, CaseIterable, Sendable {
    /// The minimum.
    case min
    /// The arithmetic mean.
    case mean
    /// The maximum.
    case max
    /// The number of values.
    case count
  }

  private var windows: WindowProcessor<ReducedWindow>

  /// - Parameters:
  ///   - interval: The length of a window in nanoseconds, more than zero.
  ///   - functions: The functions, at least one.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if a reading would have too many values, or if more streams may come.
  public init(interval: Int64, _ functions: [Function], inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("reduce")
    var streams: [StreamDescription] = []
    for stream in inputs.known { streams.append(try Self.reduced(stream, functions)) }
    windows = WindowProcessor(
      interval: interval, streams: streams, restarts: inputs.restarts,
      inputs.known.map { $0.channels.isEmpty ? nil : ReducedWindow(functions, channels: $0.channels.count) })
  }

  private static func reduced(
    _ stream: StreamDescription, _ functions: [Function]
  ) throws(SluiceError) -> StreamDescription {
    var reduced = stream
    reduced.channels = stream.channels.flatMap { channel in
      functions.map { function in
        guard function != .count else { return StreamDescription.Channel(name: "\(channel.name)_count") }
        var channel = channel
        channel.name += "_\(function.rawValue)"
        channel.format = nil
        return channel
      }
    }
    guard reduced.channels.count <= Values.capacity else {
      throw SluiceError(
        .usage, "reduce", stream.name,
        because: "it would have \(reduced.channels.count) channels, and a reading has at most \(Values.capacity)",
        remedy: "choose fewer functions or fewer channels")
    }
    return reduced
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

private struct ReducedWindow: StreamWindow {
  private let functions: [Reduce.Function]
  /// One sum per channel.
  private var sums: [DecimalSum]

  init(_ functions: [Reduce.Function], channels: Int) {
    self.functions = functions
    sums = Array(repeating: DecimalSum(), count: channels)
  }

  var goesOn: Bool { false }

  mutating func add(_ reading: Reading) { sums.add(reading.values) }

  mutating func restart() {}

  mutating func end(from start: Int64, isCut: Bool) -> Values? {
    var values = Values()
    for channel in sums.indices {
      for function in functions {
        switch function {
        case .min: values.append(sums[channel].min)
        case .mean: values.append(sums[channel].mean)
        case .max: values.append(sums[channel].max)
        case .count: values.append(ExactDecimal(significand: sums[channel].count))
        }
      }
      sums[channel] = DecimalSum()
    }
    return values
  }
}
