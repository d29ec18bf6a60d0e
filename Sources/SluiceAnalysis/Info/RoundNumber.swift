import SluiceSystem

/// 1, 2 and 5 times the powers of 10.
enum RoundNumber {
  /// The smallest that is not below a number; 0 for a number that is not above 0.
  static func atLeast(_ number: Double) -> Double {
    guard number > 0, number.isFinite else { return 0 }
    let exponent = log10(number).rounded(.down) - 1
    for (factor, more) in [(5.0, 0.0), (1, 1), (2, 1), (5, 1), (1, 2)] {
      let round = value(factor, exponent + more)
      if round >= number { return round }
    }
    return number
  }

  /// A division gives the nearest number to 0.05; a multiplication by 0.01 does not.
  private static func value(_ factor: Double, _ exponent: Double) -> Double {
    exponent < 0 ? factor / pow(10, -exponent) : factor * pow(10, exponent)
  }
}
