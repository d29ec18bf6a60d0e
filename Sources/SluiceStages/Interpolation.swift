import SluiceExtras
public import SluiceReadings

/// Gives each stream readings at equal distances, with values between those of the readings around.
///
/// Use it for quantities that change steadily, so that streams of different rates have readings of equal times.
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
/// The times are multiples of the interval since the Unix epoch, or since 0 in a trace with relative times. A value lies on
/// the line between the reading before and the one after, with three decimals more. Across a gap there is none, nor where
/// a value is missing. The levels of a line pass as they are.
public struct Interpolation: ReadingProcessor {
  /// What its readings mean.
  public let streams: [StreamDescription]
  private let interval: Int64
  /// By stream, whether it passes.
  private let passes: [Bool]
  /// By stream, the reading before.
  private var last: [Reading?]
  /// A reading to which the line from the one before is being drawn, and the next time on it.
  private var input: (reading: Reading, time: Int64)?

  /// - Parameters:
  ///   - interval: In nanoseconds, more than zero.
  ///   - inputs: The streams whose readings it receives.
  /// - Throws: A ``SluiceError`` if streams may still come.
  public init(interval: Int64, inputs: InputStreams) throws(SluiceError) {
    try inputs.checkComplete("resample")
    self.interval = max(1, interval)
    streams = inputs.known.map(\.resampled)
    passes = inputs.known.map { $0.isLevel || $0.channels.isEmpty }
    last = Array(repeating: nil, count: inputs.known.count)
  }

  /// Whether it makes the readings of a stream.
  public func makes(_ stream: StreamID) -> Bool {
    let index = Int(stream.index)
    return index < passes.count && !passes[index]
  }

  /// Takes the next reading, and adds those between it and the one before.
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

  /// Whether there are more readings on the line to the last one.
  public var hasMore: Bool { input != nil }

  /// Adds more of them.
  public mutating func resume(into outputs: inout [Reading]) {
    guard let (reading, first) = input, let before = last[Int(reading.stream.index)] else { return input = nil }
    var time = first
    for _ in 0..<512 {
      guard time < reading.time else { break }
      var values = Values()
      for (a, b) in zip(before.values, reading.values) {
        values.append(Self.between(a, b, time, before.time, reading.time))
      }
      outputs.append(Reading(time: time, stream: reading.stream, values: values))
      let (following, overflow) = time.addingReportingOverflow(interval)
      time = overflow ? .max : following
    }
    input = time < reading.time ? (reading, time) : nil
    if input == nil { end(at: reading, into: &outputs) }
  }

  /// Ends the line at a reading, which is added itself if its time is one of those wanted.
  private mutating func end(at reading: Reading, into outputs: inout [Reading]) {
    last[Int(reading.stream.index)] = reading
    guard reading.time % interval == 0 else { return }
    outputs.append(
      Reading(
        time: reading.time, stream: reading.stream, values: reading.values,
        flags: reading.flags.intersection(.gapBefore)))
  }

  /// The first multiple of the interval behind a time.
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
