import SluiceReadings
import XCTest

@testable import SluiceStages

final class DecimalSumTests: XCTestCase {
  private func sum(_ texts: [String]) -> String {
    var sum = DecimalSum()
    for text in texts { sum.add(text == "-" ? .missing : ExactDecimal(text) ?? .missing) }
    return "\(sum.min) \(sum.mean) \(sum.max) of \(sum.count)"
  }

  func testTheMeanHasThreeDecimalsMore() {
    XCTAssertEqual(sum(["1", "2"]), "1 1.500 2 of 2")
    XCTAssertEqual(sum(["1", "1", "2"]), "1 1.333 2 of 3")
    XCTAssertEqual(sum(["-1", "-1", "-2"]), "-2 -1.333 -1 of 3")
    XCTAssertEqual(sum(["-1", "-2", "-2"]), "-2 -1.667 -1 of 3")
  }

  func testEachKeepsItsOwnDigits() {
    XCTAssertEqual(sum(["0.5", "10", "-0.25"]), "-0.25 3.41667 10 of 3")
  }

  func testMissingNumbersDoNotCount() {
    XCTAssertEqual(sum(["-", "4", "-"]), "4 4.000 4 of 1")
    XCTAssertEqual(sum(["-"]), "   of 0")
  }

  /// No digit is common to numbers that are so different, but the minimum is still exact.
  func testExtremesOfNumbersThatAreFarApart() {
    let tiny = "0." + String(repeating: "0", count: 24) + "1"
    let large = "1000000000000000000"
    let numbers = ["1e18", "1e-25", "-1e-25", "-3e-25", "2e-25"]
    for rotation in numbers.indices {
      let texts = Array(numbers[rotation...] + numbers[..<rotation])
      let words = sum(texts).split(separator: " ")
      XCTAssertEqual(words.first, "-0.0000000000000000000000003", "\(texts)")
      XCTAssertEqual(words.dropFirst(2).first.map(String.init), large, "\(texts)")
      XCTAssertEqual(words.last, "5")
    }
    XCTAssertTrue(sum(["-1e18", "-1e-25", "1e-25", "0"]).hasSuffix(" \(tiny) of 4"))
    let mean = sum(["1e17", "1e-25", "0.5", "-1e17"]).split(separator: " ").dropFirst().first
    XCTAssertEqual(mean, "0.1250")
    XCTAssertTrue(sum(["-1e18", "-1e-25", "0"]).hasSuffix(" 0 of 3"))
  }

  /// The digits that 64 bits do not hold are rounded away.
  func testLargeNumbers() {
    let most = "\(Int64.max)"
    XCTAssertEqual(sum([most, most]), "\(most) \(most) \(most) of 2")
    XCTAssertEqual(sum(["1e-100", "9e17"]).split(separator: " ").last, "2")
  }

  func testLikeExactFractions() {
    for seed in 0..<300 {
      let decimals: [ExactDecimal] = (0...(seed % 50)).map { (number: Int) -> ExactDecimal in
        let significand: Int = (seed * 7_919 + number * 1_299_709) % 2_000_001 - 1_000_000
        let exponent: Int = (seed + number * number) % 6 - 3
        return ExactDecimal(significand: Int64(significand), exponent: Int8(exponent))
      }
      var sum = DecimalSum()
      for decimal in decimals { sum.add(decimal) }
      // In thousandths, so that all are whole numbers.
      let whole: [Int] = decimals.map { decimal in
        var value = Int(decimal.significand)
        for _ in 0..<(Int(decimal.exponent) + 3) { value *= 10 }
        return value
      }
      XCTAssertEqual(sum.min, decimals[whole.firstIndex(of: whole.min() ?? 0) ?? 0], "seed \(seed)")
      XCTAssertEqual(sum.max, decimals[whole.firstIndex(of: whole.max() ?? 0) ?? 0], "seed \(seed)")
      let mean = Double(whole.reduce(0, +)) / 1_000 / Double(whole.count)
      XCTAssertEqual(Double("\(sum.mean)") ?? .nan, mean, accuracy: 0.000_6, "seed \(seed)")
    }
  }
}
