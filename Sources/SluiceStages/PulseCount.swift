public import SluiceReadings

/// Counts the pulses of a line, with an amount per pulse: a meter for water, gas or energy, or a rain gauge.
///
/// Use it for a sensor that sends one pulse per amount. Each pulse gives a reading: `count`, the number of pulses so
/// far; `total`, the exact amount so far; and `rate`, the amount per second since the previous pulse. A rate is rounded
/// to six significant digits, but not to fewer decimals than the amount has. It is missing for the first pulse, after a
/// gap, and if no time has passed. A total that does not fit in 64 bits is missing; the count continues.
///
/// A pulse is an edge of the same direction as the first edge of the line, so that a recording of one direction can be
/// counted too. The initial level is not an edge. Two consecutive edges of the other direction show that the pulse
/// between them was lost. Then the next reading is flagged as the first after a gap.
///
/// ```swift
/// import SluiceReadings
/// import SluiceStages
///
/// let line = StreamDescription(name: "METER", channels: [.init(name: "level", format: "level")])
/// let litres = try PulseCount(amount: ExactDecimal(significand: 5, exponent: -1), unit: "l")
/// var meter = try LineProcessor(litres, inputs: InputStreams([line]))
/// meter.receive(Reading(time: 0, stream: StreamID(0), values: [1]))
/// print(meter.next()?.values[1] ?? .missing)  // 0.5
/// meter.receive(Reading(time: 4_000_000_000, stream: StreamID(0), values: [1]))
/// print(meter.next()?.values[2] ?? .missing)  // 0.125000
/// ```
public struct PulseCount: EdgeDecoder {
  /// `count`, `total` and `rate`.
  public let channels: [StreamDescription.Channel]
  /// The amount per pulse.
  public let amount: ExactDecimal

  /// The level after the edge that counts as a pulse; nil before the first edge.
  private var level: Bool?
  private var count: Int64 = 0
  /// The current level; nil if it is not known.
  private var current: Bool?
  /// The time of the previous pulse; nil if a rate since then would be wrong.
  private var last: Int64?

  /// - Parameters:
  ///   - amount: The amount per pulse.
  ///   - unit: The unit of the amount: `l`, `Wh`, `mm`.
  /// - Throws: A `SluiceError` if the amount is not greater than 0.
  public init(amount: ExactDecimal = .one, unit: String? = nil) throws(SluiceError) {
    guard amount.significand > 0, !amount.isMissing else {
      throw SluiceError(
        .usage, "count pulses of", amount.isMissing ? "no amount" : "\(amount)",
        because: "the amount of a pulse must be greater than 0", remedy: "give one such as 0.5")
    }
    self.amount = amount
    channels = [
      .init(name: "count"), .init(name: "total", unit: unit), .init(name: "rate", unit: "\(unit ?? "1")/s"),
    ]
  }

  /// Takes the next edge.
  public mutating func receive(_ edge: Edge, into outputs: inout EdgeOutputs) {
    guard !edge.isInitial else {
      // Another recording may begin here, and the time between the two recordings is not known.
      (current, last) = (edge.isHigh, nil)
      return
    }
    defer { current = edge.isHigh }
    if edge.isAfterGap { last = nil }
    let pulse = level ?? edge.isHigh
    level = pulse
    guard edge.isHigh == pulse else {
      if current == edge.isHigh {
        outputs.markGap()
        last = nil
      }
      return
    }
    count += 1
    let (total, overflow) = amount.significand.multipliedReportingOverflow(by: count)
    var values = Values(count)
    values.append(overflow ? .missing : ExactDecimal(significand: total, exponent: amount.exponent))
    values.append(.rate(of: amount, from: last, to: edge.time))
    outputs.append(time: edge.time, values)
    last = edge.time
  }
}
