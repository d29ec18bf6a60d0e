import SluiceExtras
public import SluiceReadings

/// Resamples each stream at equal intervals, by linear interpolation.
///
/// Use it for quantities that change steadily, so that streams with different rates have readings at the same times.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let imu = StreamDescription(name: "imu", channels: [.init(name: "x", unit: "g")])
/// var between = try Interpolation(interval: 10, inputs: InputStreams([imu]))
/// var readings: [Reading] = []
/// between.receive(Reading(time: 5, stream: StreamID(0), values: [0]), into: &readings)
/// between.receive(Reading(time: 15, stream: StreamID(0), values: [1]), into: &readings)
/// print(readings[0].values[0])  // 0.500
/// ```
///
/// The times are multiples of the interval since the Unix epoch, or since 0 in a trace with relative times. A value is
/// interpolated between the previous and the next reading, with three more decimals. There is no interpolation across a
/// gap. If one of the two values is missing, the result is missing. The levels of a line pass unchanged.
public struct Interpolation: ReadingProcessor {
  /// The descriptions of its outputs.
  public let streams: [StreamDescription]
  private let interval: Int64
  /// Whether the readings of each stream pass unchanged.
  private let passes: [Bool]
  /// The previous reading of each stream.
  private var last: [Reading?]
  /// For each stream, the flags of the next output: those of gaps and restarts since the last output.
  private var flags: [Reading.Flags]
  /// The reading up to which values are being interpolated, and the time of the next value.
  private var input: (reading: Reading, time: Int64)?

  /// - Parameters:
  ///   - interval: The interval in nanoseconds, more than zero.
  ///   - inputs: The input streams.
  /// - Throws: A `SluiceError` if more streams may come.
  public init(interval: Int64, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("resample")
    self.interval = max(1, interval)
    streams = inputs.known.map(\.resampled)
    passes = inputs.known.map { $0.isLevel || $0.channels.isEmpty }
    last = Array(repeating: nil, count: inputs.known.count)
    flags = Array(repeating: [], count: inputs.known.count)
  }

  /// Whether it makes the readings of a stream.
  public func makes(_ stream: StreamID) -> Bool {
    let index = Int(stream.index)
    return index < passes.count && !passes[index]
  }

  /// Takes the next reading, and adds the outputs between the previous reading and this one.
  public mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
    guard makes(reading.stream) else { return outputs.append(reading) }
    let before = last[Int(reading.stream.index)]
    if let before, before.time < reading.time, !reading.flags.contains(.gapBefore),
      let next = Self.next(after: before.time, interval), next < reading.time,
      !isFarAfter(before.time, reading.time, interval)
    {
      input = (reading, next)
      resume(into: &outputs)
    } else {
      end(at: reading, into: &outputs)
    }
  }

  /// Whether there are more outputs before the last reading.
  public var hasMore: Bool { input != nil }

  /// Adds the next outputs, at most 512.
  public mutating func resume(into outputs: inout [Reading]) {
    guard let (reading, first) = input, let before = last[Int(reading.stream.index)] else { return input = nil }
    var time = first
    for _ in 0..<512 {
      guard time < reading.time else { break }
      var values = Values()
      for (a, b) in zip(before.values, reading.values) {
        values.append(Self.between(a, b, time, before.time, reading.time))
      }
      append(time, reading.stream, values, to: &outputs)
      let (following, overflow) = time.addingReportingOverflow(interval)
      time = overflow ? .max : following
    }
    input = time < reading.time ? (reading, time) : nil
    if input == nil { end(at: reading, into: &outputs) }
  }

  /// Ends the interpolation at a reading, and adds the reading if its time is a multiple of the interval.
  private mutating func end(at reading: Reading, into outputs: inout [Reading]) {
    let stream = Int(reading.stream.index)
    last[stream] = reading
    flags[stream].formUnion(reading.flags.intersection([.gapBefore, .restart]))
    guard reading.time % interval == 0 else { return }
    append(reading.time, reading.stream, reading.values, to: &outputs)
  }

  private mutating func append(_ time: Int64, _ stream: StreamID, _ values: Values, to outputs: inout [Reading]) {
    outputs.append(Reading(time: time, stream: stream, values: values, flags: flags[Int(stream.index)]))
    flags[Int(stream.index)] = []
  }

  /// The first multiple of the interval after a time.
  private static func next(after time: Int64, _ interval: Int64) -> Int64? {
    let rest = time % interval
    let (next, overflow) = time.addingReportingOverflow(interval - (rest < 0 ? rest + interval : rest))
    return overflow ? nil : next
  }

  private static func between(
    _ a: ExactDecimal, _ b: ExactDecimal, _ time: Int64, _ start: Int64, _ end: Int64
  ) -> ExactDecimal {
    let exponent = min(a.exponent, b.exponent)
    guard !a.isMissing, !b.isMissing,
      let low = ExactDecimal.shifted(Int128(a.significand), by: Int(a.exponent) - Int(exponent)),
      let high = ExactDecimal.shifted(Int128(b.significand), by: Int(b.exponent) - Int(exponent))
    else { return .missing }
    let (all, part) = (Int128(end) - Int128(start), Int128(time) - Int128(start))
    let (difference, overflow) = high.subtractingReportingOverflow(low)
    let (rise, isTooLarge) = difference.multipliedReportingOverflow(by: part)
    let (base, isTooFar) = low.multipliedReportingOverflow(by: all)
    let (sum, carry) = base.addingReportingOverflow(rise)
    guard !overflow, !isTooLarge, !isTooFar, !carry else { return .missing }
    return ExactDecimal(nearest: sum, dividedBy: all, exponent: Int(exponent))
  }
}
