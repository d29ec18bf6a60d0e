public import SluiceReadings

/// Counts the pulses of a line, each of which stands for an amount: a meter for water, gas or energy, a rain gauge.
///
/// Use it for a sensor that says by a pulse that something has passed. Each pulse gives a reading: `count`, the pulses so
/// far; `total`, the amount so far, exactly; and `rate`, the amount per second since the pulse before. A rate is
/// rounded to six significant digits, but not to fewer decimals than the amount has. It is missing for the first pulse,
/// after a gap, and if no time has passed. A total that does not fit in 64 bits is missing; the count goes on.
///
/// A pulse is an edge of the direction of the line's first edge, so that a recording of one direction can be counted too.
/// The level at the beginning is no edge. Two edges of the other direction in a row show that the pulse between them
/// was lost: the next reading says then that a gap is before it.
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
  /// What each pulse stands for.
  public let amount: ExactDecimal

  /// The level to which a pulse goes; nil before the first edge.
  private var level: Bool?
  private var count: Int64 = 0
  /// The level since the edge before; nil if it is not known.
  private var current: Bool?
  /// The time of the pulse before; nil if a rate since then would be wrong.
  private var last: Int64?

  /// - Parameters:
  ///   - amount: What each pulse stands for.
  ///   - unit: The unit of the amount: `l`, `Wh`, `mm`.
  /// - Throws: A ``SluiceError`` if the amount is not greater than 0.
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
      // Another recording may begin here, and what was between them is not known.
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
