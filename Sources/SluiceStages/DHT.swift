public import SluiceReadings

/// Decodes the line of a DHT11, DHT22 or AM2302 sensor: humidity and temperature.
///
/// Use it for a recording of the line between such a sensor and its host. Each frame gives a reading at the edge that
/// ends its last bit: `humidity` in %RH and `temperature` in degC, with the one decimal that the sensor sends; and
/// `checksum`, 1 if it was right. If it was wrong, or the frame is not complete, it is 0 and the values are missing,
/// because wrong values look like right ones. Values outside the range of the sensor are missing too, with a checksum
/// of 1: then the sensor is probably of the other kind (DHT11 or DHT22).
///
/// A frame begins with the start pulse of the host. If the recording does not have this pulse, the frame begins with
/// the response of the sensor. A frame is not complete if an edge was lost, a pulse is too long or too short, another
/// start pulse comes, or the trace ends. The reading then has the time of the edge that shows this; at the end of the
/// trace, the time of the last edge. So a start pulse without a response gives a reading with checksum 0.
///
/// ```swift
/// import SluiceStages
///
/// let weather = try LineProcessor(DHT(.dht22), line: "SDA", inputs: InputStreams(trace.streams))
/// trace.publisher.process(by: weather).sink { print($0) } receiveValue: { print($0.values) }
/// ```
public struct DHT: EdgeDecoder {
  /// The type of the sensor.
  public enum Sensor: String, CaseIterable, Hashable, Sendable {
    /// DHT11: integer part and tenths in separate bytes.
    case dht11
    /// DHT22, AM2302, AM2303: tenths in 16 bits.
    case dht22
  }

  /// `humidity`, `temperature` and `checksum`.
  public let channels: [StreamDescription.Channel] = [
    .init(name: "humidity", unit: "%RH"), .init(name: "temperature", unit: "degC"), .init(name: "checksum"),
  ]
  /// The sensor on the line.
  public let sensor: Sensor

  // In nanoseconds. Aosong's data sheet of the AM2302 has, in microseconds: start 800 to 20,000 low, release 20 to 200
  // high, response 75 to 85 low and 75 to 85 high, bit 48 to 55 low, then 22 to 30 high for 0 and 68 to 75 high for 1.
  // The data sheet of the DHT11 has 23 to 27 and 68 to 74. In recordings a response was 51 low and 87 high, and the low
  // part of a bit up to 67. The limits are wider because the timestamps of the kernel have jitter.
  private static let start: Int64 = 800_000
  private static let release: ClosedRange<Int64> = 2_000...250_000
  private static let answer: ClosedRange<Int64> = 40_000...110_000
  /// Longer than the high part of a 1, so that a response without a start pulse is not mistaken for a bit.
  private static let answerHigh: ClosedRange<Int64> = 77_000...110_000
  private static let bitLow: ClosedRange<Int64> = 30_000...95_000
  /// If a low pulse is lost, two highs of 0 and this low become one pulse, which is longer.
  private static let bitHigh: ClosedRange<Int64> = 10_000...90_000
  /// Half way between the longest 0 and the shortest 1.
  private static let longestZero: Int64 = 49_000

  /// The pulse that comes next.
  private enum Phase {
    /// No frame is open.
    case idle
    /// No frame is open, but the previous low pulse could be a response.
    case answered
    case release, answerLow, answerHigh, bits
  }

  private var timer = PulseTimer()
  private var phase = Phase.idle
  private var bits: UInt64 = 0
  private var count = 0

  /// Makes a decoder that has seen no edge.
  public init(_ sensor: Sensor) { self.sensor = sensor }

  /// Takes the next edge.
  public mutating func receive(_ edge: Edge, into outputs: inout EdgeOutputs) {
    guard let pulse = timer.receive(edge) else { return fail(edge.time, &outputs) }
    if !pulse.isHigh, pulse.length >= Self.start {
      fail(edge.time, &outputs)
      phase = .release
      return
    }
    // The timer returns only alternating high and low pulses, so only the first pulse needs a check of its level.
    switch phase {
    case .idle: if !pulse.isHigh, Self.answer.contains(pulse.length) { phase = .answered }
    case .answered: Self.answerHigh.contains(pulse.length) ? open() : (phase = .idle)
    case .release: Self.release.contains(pulse.length) ? (phase = .answerLow) : fail(edge.time, &outputs)
    case .answerLow: Self.answer.contains(pulse.length) ? (phase = .answerHigh) : fail(edge.time, &outputs)
    case .answerHigh: Self.answer.contains(pulse.length) ? open() : fail(edge.time, &outputs)
    case .bits:
      guard (pulse.isHigh ? Self.bitHigh : Self.bitLow).contains(pulse.length) else { return fail(edge.time, &outputs) }
      guard pulse.isHigh else { return }
      bits = bits << 1 | (pulse.length > Self.longestZero ? 1 : 0)
      count += 1
      if count == 40 { close(edge.time, &outputs) }
    }
  }

  /// Adds a reading with checksum 0 for an open frame.
  public mutating func finish(into outputs: inout EdgeOutputs) { fail(timer.time ?? 0, &outputs) }

  private mutating func open() { (phase, bits, count) = (.bits, 0, 0) }

  private mutating func fail(_ time: Int64, _ outputs: inout EdgeOutputs) {
    switch phase {
    case .idle, .answered: break
    case .release, .answerLow, .answerHigh, .bits: append(nil, time, &outputs)
    }
    phase = .idle
  }

  private mutating func close(_ time: Int64, _ outputs: inout EdgeOutputs) {
    let bytes = (0..<5).map { UInt8(truncatingIfNeeded: bits >> UInt64(32 - 8 * $0)) }
    let sum = bytes[..<4].reduce(0) { $0 &+ $1 }
    append(sum == bytes[4] ? bytes : nil, time, &outputs)
    phase = .idle
  }

  /// - Parameter bytes: The bytes of a frame with the right checksum; nil if the frame failed.
  private func append(_ bytes: [UInt8]?, _ time: Int64, _ outputs: inout EdgeOutputs) {
    let measured = bytes.flatMap { sensor.tenths($0) }
    var values = Values()
    values.append(measured.map { ExactDecimal(significand: $0.humidity, exponent: -1) } ?? .missing)
    values.append(measured.map { ExactDecimal(significand: $0.temperature, exponent: -1) } ?? .missing)
    values.append(bytes == nil ? 0 : 1)
    outputs.append(time: time, values)
  }
}

extension DHT.Sensor {
  /// The values of a frame, in tenths; nil if they are outside the range of the sensor.
  /// - Parameter bytes: Four or more.
  fileprivate func tenths(_ bytes: [UInt8]) -> (humidity: Int64, temperature: Int64)? {
    let (humidity, magnitude, isNegative): (Int64, Int64, Bool)
    switch self {
    case .dht11:
      // Newer sensors measure below 0. In Aosong's data sheet the sign is bit 7 of the tenths.
      let (a, b) = (bytes[1], bytes[3] & 0x7f)
      guard a < 10, b < 10 else { return nil }
      humidity = Int64(bytes[0]) * 10 + Int64(a)
      (magnitude, isNegative) = (Int64(bytes[2]) * 10 + Int64(b), bytes[3] & 0x80 != 0)
    case .dht22:
      humidity = Int64(bytes[0]) << 8 | Int64(bytes[1])
      (magnitude, isNegative) = (Int64(bytes[2] & 0x7f) << 8 | Int64(bytes[3]), bytes[2] & 0x80 != 0)
    }
    // The widest range in the data sheets of these sensors.
    let temperature = isNegative ? -magnitude : magnitude
    return humidity <= 1_000 && (-400...1_250).contains(temperature) ? (humidity, temperature) : nil
  }
}
