public import SluiceReadings

/// Counts the pulses of a line, with an amount per pulse: a meter for water, gas or energy, or a rain gauge.
///
/// Use it for a sensor that sends one pulse per amount. Each pulse gives a reading: `count`, the number of pulses so
/// far; `total`, the exact amount so far, with the start; and `rate`, the amount per second since the previous pulse.
/// A rate is rounded to six significant digits, but not to fewer decimals than the amount has. It is missing for the
/// first pulse, after a gap, and if no time has passed. A total that does not fit in 64 bits is missing; the count
/// continues.
///
/// A pulse is an edge of the same direction as the first edge of the line, so that a recording of one direction can be
/// counted too. The initial level is not an edge. Two consecutive edges of the other direction show that the pulse
/// between them was lost, or that the kernel read a level late. Then the next reading is flagged as the first after a
/// gap. With both directions recorded, a level that was read late may also add a pulse.
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
  /// The total at the count 0, and the amount per pulse, both times ten to the `exponent`.
  private var base: Int64
  private var step: Int64
  private var exponent: Int8
  /// The current level; nil if it is not known.
  private var current: Bool?
  /// The time of the previous pulse; nil if a rate since then would be wrong.
  private var last: Int64?

  /// - Parameters:
  ///   - amount: The amount per pulse.
  ///   - unit: The unit of the amount: `l`, `Wh`, `mm`.
  ///   - start: The total before the first pulse, such as the number on the meter.
  /// - Throws: A `SluiceError` if the amount is not greater than 0, or if start and amount have too many digits together.
  public init(
    amount: ExactDecimal = .one, unit: String? = nil, start: ExactDecimal = .zero
  ) throws(SluiceError) {
    guard amount.significand > 0, !amount.isMissing else {
      throw SluiceError(
        .usage, "count pulses of", amount.isMissing ? "no amount" : "\(amount)",
        because: "the amount of a pulse must be greater than 0", remedy: "give one such as 0.5")
    }
    guard let (base, step, exponent) = Self.aligned(start, amount) else {
      throw SluiceError(
        .usage, "count pulses from", "\(start)", because: "the sum of this number and \(amount) has too many digits",
        remedy: "give a start with fewer digits")
    }
    (self.base, self.step, self.exponent) = (base, step, exponent)
    self.amount = amount
    channels = [
      .init(name: "count"), .init(name: "total", unit: unit), .init(name: "rate", unit: "\(unit ?? "1")/s"),
    ]
  }

  /// Continues from the count and the total of an earlier run.
  /// - Returns: Whether a total with this amount fits in 64 bits. If not, nothing changes.
  @discardableResult public mutating func goOn(count: Int64, total: ExactDecimal) -> Bool {
    guard count >= 0, !total.isMissing, let (end, step, exponent) = Self.aligned(total, amount) else { return false }
    let (sum, overflow) = step.multipliedReportingOverflow(by: count)
    let (base, carry) = end.subtractingReportingOverflow(sum)
    guard !overflow, !carry else { return false }
    (self.count, self.base, self.step, self.exponent) = (count, base, step, exponent)
    return true
  }

  /// The significands of two decimals for the smaller of their exponents; nil if one of them does not fit.
  private static func aligned(_ a: ExactDecimal, _ b: ExactDecimal) -> (Int64, Int64, Int8)? {
    let exponent = min(a.exponent, b.exponent)
    func significand(_ value: ExactDecimal) -> Int64? {
      var significand = value.significand
      // Zero has any exponent.
      for _ in exponent..<(significand == 0 ? exponent : value.exponent) {
        let (product, overflow) = significand.multipliedReportingOverflow(by: 10)
        guard !overflow else { return nil }
        significand = product
      }
      return significand
    }
    guard !a.isMissing, let first = significand(a), let second = significand(b) else { return nil }
    return (first, second, exponent)
  }

  /// The total at a count; missing if it has more digits than fit.
  package func total(at count: Int64) -> ExactDecimal {
    let (sum, overflow) = step.multipliedReportingOverflow(by: count)
    let (total, carry) = base.addingReportingOverflow(sum)
    return overflow || carry ? .missing : ExactDecimal(significand: total, exponent: exponent)
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
    var values = Values(count)
    values.append(total(at: count))
    values.append(.rate(of: amount, from: last, to: edge.time))
    outputs.append(time: edge.time, values)
    last = edge.time
  }
}
