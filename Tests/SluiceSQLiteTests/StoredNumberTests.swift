import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class StoredNumberTests: XCTestCase {
  /// Digits without zeros at the end, and the power of ten: equal if the numbers are.
  private func normal(_ significand: Int128, _ exponent: Int) -> [String] {
    guard significand != 0 else { return ["0"] }
    var (significand, exponent) = (significand, exponent)
    while significand % 10 == 0 {
      significand /= 10
      exponent += 1
    }
    return ["\(significand)", "\(exponent)"]
  }

  /// By way of text, as the standard library reads and prints it.
  private func shortest(_ real: Double) -> [String] {
    let parts = real.description.lowercased().split(separator: "e")
    let digits = parts[0].split(separator: ".")
    let fraction = digits.count > 1 ? String(digits[1]) : ""
    let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - fraction.count
    return normal(Int128(String(digits[0]) + fraction) ?? 0, exponent)
  }

  func testKinds() {
    let cases: [(Int128, Int, StoredNumber)] = [
      (0, 0, .integer(0)), (0, 5, .integer(0)), (0, -3, .real(0)), (5, 0, .integer(5)), (-5, 3, .integer(-5000)),
      (Int128(Int64.min), 0, .integer(.min)), (Int128(Int64.max), 0, .integer(.max)), (Int128(Int64.max) + 1, 0, .text),
      (1, 18, .integer(1_000_000_000_000_000_000)), (1, 20, .real(1e20)), (1, -1, .real(0.1)), (10, -2, .real(0.1)),
      (5000, -3, .real(5)), (123_456_789_012_345, -6, .real(123456789.012345)), (1, -100, .real(1e-100)),
      (1, -254, .real(1e-254)), (1_234_567_890_123_456, -1, .real(123456789012345.6)),
      // As near to .25 as .2 is, which is what it would come back as.
      (9_007_199_254_740_993, -1, .text),
      // 0.1 + 0.2 in sixteen digits, and in seventeen.
      (3_000_000_000_000_000, -16, .real(0.3)), (30_000_000_000_000_004, -17, .real(0.1 + 0.2)),
      (30_000_000_000_000_003, -17, .text), (123_456_789_012_345_678, -3, .text),
    ]
    for (significand, exponent, kind) in cases {
      XCTAssertEqual(StoredNumber(wide: significand, exponent), kind, "\(significand)e\(exponent)")
      if let narrow = Int64(exactly: significand) {
        XCTAssertEqual(StoredNumber(narrow, exponent), kind, "\(significand)e\(exponent)")
      }
    }
  }

  func testRandomNumbersComeBack() {
    var random = Random(state: 1)
    var kinds = [0, 0, 0]
    for _ in 0..<100_000 {
      var significand = Int128(truncatingIfNeeded: random.next()) << 64 | Int128(truncatingIfNeeded: random.next())
      significand >>= Int128.random(in: 2...127, using: &random)
      let exponent = Int.random(in: -40...25, using: &random)
      let number = normal(significand, exponent)
      switch StoredNumber(wide: significand, exponent) {
      case .integer(let value):
        kinds[0] += 1
        XCTAssertEqual(normal(Int128(value), 0), number)
        XCTAssertTrue(exponent >= 0)
      case .real(let value):
        kinds[1] += 1
        XCTAssertEqual(shortest(value), number)
      case .text:
        kinds[2] += 1
        guard let value = Double("\(significand)e\(exponent)") else { continue }
        XCTAssertNotEqual(shortest(value), number)
      }
    }
    XCTAssertTrue(kinds.allSatisfy { $0 > 1_000 }, "\(kinds)")
  }

  func testShortestDecimalsOfRandomNumbers() {
    var random = Random(state: 2)
    var found = 0
    for _ in 0..<100_000 {
      let real =
        switch random.next() % 3 {
        case 0: Double(bitPattern: random.next())
        case 1: Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &random)) / 1e6
        default: Double.random(in: -100...100, using: &random)
        }
      let decimals = Int.random(in: 0...12, using: &random)
      guard let value = ExactDecimal(real, decimals: decimals) else {
        XCTAssertTrue(!real.isFinite || !(1e-80...1e100).contains(real.magnitude), "\(real)")
        continue
      }
      found += 1
      XCTAssertEqual(normal(Int128(value.significand), Int(value.exponent)), shortest(real), "\(real)")
      if value.significand.magnitude < 100_000_000_000_000_000, real.magnitude < 1e6 {
        XCTAssertLessThanOrEqual(Int(value.exponent), -decimals, "\(real) \(decimals)")
      }
    }
    XCTAssertGreaterThan(found, 60_000)
  }

  func testZerosAtTheEnd() {
    let cases: [(Double, Int, String?)] = [
      (0.1, 0, "0.1"), (0.1, 3, "0.100"), (5, 0, "5.0"), (5, 3, "5.000"), (-0.0, 2, "0.00"), (0, 0, "0.0"),
      (1234567.5, 9, "1234567.500000000"), (0.123456, 3, "0.123456"), (1e20, 0, "100000000000000000000"),
      (1e17, 0, "100000000000000000"), (0.1 + 0.2, 3, "0.30000000000000004"),
      (1e-100, 3, ExactDecimal("1e-100")?.description),
      (.infinity, 0, nil), (.nan, 0, nil), (1e200, 0, nil), (.leastNonzeroMagnitude, 0, nil), (1, 200, "1.0"),
    ]
    for (real, decimals, text) in cases {
      XCTAssertEqual(ExactDecimal(real, decimals: decimals)?.description, text, "\(real) \(decimals)")
    }
  }

  func testPlainNotation() {
    let room = UnsafeMutablePointer<UInt8>.allocate(capacity: PlainNotation.longest)
    defer { room.deallocate() }
    func text(_ significand: Int128, _ exponent: Int) -> String {
      String(
        decoding: PlainNotation.write(significand, exponent, endingAt: room + PlainNotation.longest), as: UTF8.self)
    }
    var random = Random(state: 3)
    for (significand, exponent) in [
      (Int128.min, -254), (Int128.min, 254), (0, 0), (0, 3), (0, -3), (5, -3), (-5, -1), (50, -1), (1, 0),
    ] {
      XCTAssertEqual(
        text(significand, exponent), WideDecimal(significand: significand, exponent: exponent).description)
    }
    for _ in 0..<10_000 {
      let significand = (Int128(truncatingIfNeeded: random.next()) << 64) >> Int128.random(in: 0...127, using: &random)
      let exponent = Int.random(in: -60...60, using: &random)
      XCTAssertEqual(
        text(significand, exponent), WideDecimal(significand: significand, exponent: exponent).description)
    }
  }
}
