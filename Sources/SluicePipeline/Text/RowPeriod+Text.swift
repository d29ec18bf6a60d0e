import SluiceReadings
public import SluiceRecording

/// A period is a text: `10ms`, or a rate such as `100Hz`, `44.1kHz`, `1MHz` or `100mHz`.
extension RowPeriod: LosslessStringConvertible {
  /// Parses a time with its unit, or a rate. Nil if it is neither, or below 1 ns.
  public init?(_ text: String) {
    guard text.hasSuffix("Hz") else {
      guard let span = TimeSpan(text) else { return nil }
      self.init(nanoseconds: span.nanoseconds)
      return
    }
    let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let exponents: [String: Int] = ["mHz": -3, "Hz": 0, "kHz": 3, "MHz": 6]
    guard var rate = ExactDecimal(number), let more = exponents[String(text[number.endIndex...])],
      let exponent = Int8(exactly: Int(rate.exponent) + more)
    else { return nil }
    rate.exponent = exponent
    self.init(hertz: rate)
  }

  /// A time if it has whole nanoseconds, or else a rate. Parsing it gives the same period.
  public var description: String {
    nanoseconds.map { TimeSpan(nanoseconds: $0).description } ?? "\(hertz ?? .zero)Hz"
  }
}

extension RowPeriod: PlanText {
  static let form = "a time with its unit, such as 10ms, or a rate, such as 100Hz"
}

extension ValueForm {
  static let period = ValueForm.grammar(
    pattern: "^(\(TimeSpan.pattern)|([0-9]+\\.?[0-9]*|\\.[0-9]+)(mHz|Hz|kHz|MHz))$", words: RowPeriod.form)
}
