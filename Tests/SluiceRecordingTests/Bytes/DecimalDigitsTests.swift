import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Against the slow and obvious: the standard library's own numbers and strings.
final class DecimalDigitsTests: XCTestCase {
  /// All lengths, and the numbers where one begins; between them at random.
  private var numbers: [UInt64] {
    var numbers: [UInt64] = [0, .max, UInt64(Int64.max), UInt64(Int64.max) + 1]
    var power: UInt64 = 1
    for _ in 0..<20 {
      numbers += [power - 1, power, power + 1]
      numbers += (0..<200).map { _ in .random(in: 0...power) }
      power = power.multipliedReportingOverflow(by: 10).partialValue
    }
    return numbers
  }

  private func text(_ write: (inout TextCursor) -> Void) -> String {
    let buffer = TextBuffer(capacity: 0)
    buffer.append(atMost: TextCursor.longestNumber, write)
    return buffer.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// What a run of digits reads as, with something behind it, and how many characters it took.
  private func read(_ text: String, behind magnitude: UInt64 = 0) -> (UInt64, Int) {
    let bytes = Array(text.utf8) + Array(repeating: 0, count: DecimalDigits.slack)
    return bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return (0, 0) }
      let (number, end) = DecimalDigits.read(start, behind: magnitude)
      return (number, end - start)
    }
  }

  func testWritesIntegers() {
    for number in numbers {
      for value in [Int64(truncatingIfNeeded: number), 0 &- Int64(truncatingIfNeeded: number)] {
        XCTAssertEqual(text { $0.append(value) }, "\(value)")
      }
    }
    XCTAssertEqual(text { $0.append(Int64.min) }, "-9223372036854775808")
  }

  func testReadsRunsOfDigits() {
    for number in numbers where number < 10_000_000_000_000_000_000 {
      for end in ["", ",", "\n", ".5", "e3", "\u{ff}", " 1234567"] {
        let (value, count) = read("\(number)\(end)")
        XCTAssertEqual(value, number)
        XCTAssertEqual(count, "\(number)".count)
      }
    }
    XCTAssertEqual(read("0000000000000000042,").0, 42)
    XCTAssertEqual(read("0000000000000000042,").1, 19)
    XCTAssertEqual(read("345", behind: 12).0, 12_345)
    XCTAssertEqual(read("", behind: 12).0, 12)
    XCTAssertEqual(read("00000000", behind: 12).0, 1_200_000_000)
  }

  /// Every byte that is no digit ends a run, wherever it stands in a word.
  func testAnyOtherByteEndsARun() {
    for byte in UInt8.min...UInt8.max where byte < 0x30 || byte > 0x39 {
      for place in 0..<12 {
        var bytes = [UInt8](repeating: 0x31, count: 24)
        bytes[place] = byte
        bytes[20] = 0
        let count = bytes.withUnsafeBufferPointer { bytes in
          bytes.baseAddress.map { DecimalDigits.read($0).end - $0 }
        }
        XCTAssertEqual(count, place, "\(byte) at \(place)")
      }
    }
  }

  func testWritesDecimals() {
    for number in numbers where number <= UInt64(Int64.max) {
      for exponent in [Int8](arrayLiteral: -100, -30, -20, -19, -18, -9, -8, -7, -6, -3, -2, -1, 0, 1, 5, 100) {
        let value = ExactDecimal(significand: Int64(number), exponent: exponent)
        XCTAssertEqual(text { $0.append(value) }, plain("\(number)", Int(exponent)))
        XCTAssertEqual(value.description, plain("\(number)", Int(exponent)))
        let negative = ExactDecimal(significand: -Int64(number), exponent: exponent)
        XCTAssertEqual(text { $0.append(negative) }, (number == 0 ? "" : "-") + plain("\(number)", Int(exponent)))
      }
    }
    XCTAssertEqual(
      text { $0.append(ExactDecimal(significand: .min, exponent: -30)) }, "-0.000000000009223372036854775808")
    XCTAssertEqual(text { $0.append(ExactDecimal.missing) }, "")
  }

  func testWritesWideDecimals() {
    for digits in 1...38 {
      for exponent in [-254, -60, -38, -16, -1, 0, 3, 254] {
        let number = "9" + String(repeating: "07", count: 20).prefix(digits - 1)
        guard let significand = Int128(number) else { return XCTFail(number) }
        let value = WideDecimal(significand: significand, exponent: exponent)
        XCTAssertEqual(text { $0.append(value) }, plain(number, exponent))
        let negative = WideDecimal(significand: -significand, exponent: exponent)
        XCTAssertEqual(text { $0.append(negative) }, "-" + plain(number, exponent))
      }
    }
    XCTAssertEqual(text { $0.append(WideDecimal(significand: .min, exponent: 0)) }, "\(Int128.min)")
    XCTAssertEqual(text { $0.append(WideDecimal(significand: 0, exponent: 0)) }, "0")
  }

  /// The digits with point and zeros, by moving characters about.
  private func plain(_ digits: String, _ exponent: Int) -> String {
    if exponent >= 0 { return digits == "0" ? "0" : digits + String(repeating: "0", count: exponent) }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return "\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }
}
