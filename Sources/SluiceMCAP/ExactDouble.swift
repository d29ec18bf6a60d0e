import SluiceReadings

/// The floating-point number of a decimal, and whether its shortest decimal is the same number, so that a reader gets it back.
struct ExactDouble {
  var value: Double
  var isExact: Bool

  private init(_ value: Double, isExact: Bool) { (self.value, self.isExact) = (value, isExact) }

  /// All decimals of fifteen digits are restored from their floating-point number.
  static let fifteenDigits: UInt64 = 1_000_000_000_000_000

  @inline(never)
  init(_ wide: WideDecimal) {
    var (significand, exponent) = (wide.significand, wide.exponent)
    guard significand != 0 else {
      self.init(0, isExact: true)
      return
    }
    while significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
    let value = Double("\(significand)e\(exponent)") ?? .nan
    // A reading has no other exponents.
    guard value.isFinite, significand.magnitude < 1_000_000_000_000_000_000, exponent >= -100, exponent <= 100 else {
      self.init(value, isExact: false)
      return
    }
    if significand.magnitude < UInt128(Self.fifteenDigits) {
      self.init(value, isExact: true)
      return
    }
    let shortest = ExactDecimal(shortest: value)
    self.init(
      value, isExact: shortest?.significand == Int64(significand) && shortest.map { Int($0.exponent) } == exponent)
  }
}

extension ExactDecimal {
  /// The decimal with the fewest digits that is nearest to a floating-point number. It has no zeros at its end. Nil for NaN,
  /// infinity, and exponents that do not fit.
  init?(shortest real: Double) {
    guard real.isFinite else { return nil }
    let parts = real.description.split(separator: "e")
    guard var value = ExactDecimal(parts[0]) else { return nil }
    let exponent = Int(value.exponent) + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
    guard exponent >= -100, exponent <= 100 else { return nil }
    value.exponent = Int8(exponent)
    while value.significand != 0, value.significand % 10 == 0, value.exponent < 100 {
      value.significand /= 10
      value.exponent += 1
    }
    if value.significand == 0 { value.exponent = 0 }
    self = value
  }

  /// The shortest decimal of a floating-point number, with zeros at its end up to the given number of decimals.
  @inline(__always)
  init?(_ real: Double, decimals: Int) {
    if let few = ExactDecimal(fewDigits: real, decimals: decimals) {
      self = few
      return
    }
    self.init(long: real, decimals: decimals)
  }

  @inline(never)
  private init?(long real: Double, decimals: Int) {
    guard var value = ExactDecimal(shortest: real) else { return nil }
    // A whole number has no exponent, and a fraction the zeros that it is known to have, if they fit.
    let wanted = -min(decimals, 100)
    while Int(value.exponent) > wanted {
      let (product, overflow) = value.significand.multipliedReportingOverflow(by: 10)
      guard !overflow else { break }
      (value.significand, value.exponent) = (product, value.exponent - 1)
    }
    self = value
  }
}
