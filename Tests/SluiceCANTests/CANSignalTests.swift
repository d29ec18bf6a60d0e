import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceCAN

final class CANSignalTests: XCTestCase {
  /// Puts the bits of a number into a payload one by one, as the numbers of bits in a DBC file say.
  private func encode(_ bits: UInt64, _ signal: CANSignal, into payload: inout CANPayload) {
    // Little endian: upwards from the lowest bit. Big endian: the highest bit first, downwards in each byte.
    var position = signal.start
    for index in 0..<signal.size {
      let bit = signal.isBigEndian ? bits >> UInt64(signal.size - 1 - index) & 1 : bits >> UInt64(index) & 1
      payload[position / 8] |= UInt8(bit) << UInt8(position % 8)
      if !signal.isBigEndian {
        position += 1
      } else {
        position = position % 8 == 0 ? position + 15 : position - 1
      }
    }
  }

  func testRandomSignals() {
    var random = TestGenerator()
    for _ in 0..<20_000 {
      let bytes = Bool.random(using: &random) ? 8 : 64
      var signal: CANSignal
      repeat {
        signal = CANSignal(
          name: "S", start: .random(in: 0..<bytes * 8, using: &random), size: .random(in: 1...64, using: &random),
          isBigEndian: .random(using: &random), form: .random(using: &random) ? .signed : .unsigned)
      } while signal.bytes > bytes
      let mask = signal.size == 64 ? UInt64.max : 1 << UInt64(signal.size) - 1
      let bits = UInt64.random(in: 0...(.max), using: &random) & mask
      var payload = CANPayload()
      encode(bits, signal, into: &payload)
      XCTAssertEqual(signal.layout.bits(of: payload), bits, "\(signal), \(random.note)")
      // The bits around it do not matter.
      var others = CANPayload((0..<64).map { _ in 0xff })
      var ones = CANPayload()
      encode(mask, signal, into: &ones)
      for index in 0..<64 { others[index] = others[index] & ~ones[index] | payload[index] }
      XCTAssertEqual(signal.layout.bits(of: others), bits, "\(signal), \(random.note)")
      let value = signal.layout.value(bits)
      let isNegative = signal.form == .signed && bits >> UInt64(signal.size - 1) == 1
      if isNegative {
        XCTAssertEqual(Int128(value.significand), Int128(bits) - Int128(mask) - 1, "\(signal), \(random.note)")
      } else if bits <= Int64.max {
        XCTAssertEqual(value.significand, Int64(bits), "\(signal), \(random.note)")
      }
    }
  }

  /// Examples from cantools' tests and the DBC documentation of Vector: the start of a big endian signal is its highest
  /// bit.
  func testKnownBits() {
    let payload = CANPayload([0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0])
    let bits = { (start: Int, size: Int, isBig: Bool) in
      CANSignal(name: "S", start: start, size: size, isBigEndian: isBig).layout.bits(of: payload)
    }
    XCTAssertEqual(bits(0, 16, false), 0x3412)
    XCTAssertEqual(bits(7, 16, true), 0x1234)
    XCTAssertEqual(bits(4, 8, false), 0x41)
    XCTAssertEqual(bits(3, 8, true), 0x23)
    XCTAssertEqual(bits(0, 64, false), 0xf0de_bc9a_7856_3412)
    XCTAssertEqual(bits(7, 64, true), 0x1234_5678_9abc_def0)
    XCTAssertEqual(bits(63, 1, false), 1)
  }

  private func text(_ bits: UInt64, _ size: Int, _ form: CANSignal.Form, _ factor: String, _ offset: String) -> String {
    let signal = CANSignal(
      name: "S", start: 0, size: size, form: form, factor: ExactDecimal(factor)!, offset: ExactDecimal(offset)!)
    let value = signal.layout.value(bits)
    if value.isMissing { return "" }
    guard case .byChannel(let offset) = signal.scaling else { return signal.scaled(value).description + " in reading" }
    return value.scaled(by: signal.factor, offset: offset)?.description ?? "-"
  }

  func testScaledValuesAreExact() {
    XCTAssertEqual(text(1_000, 16, .unsigned, "0.125", "0"), "125.000")
    XCTAssertEqual(text(100, 8, .unsigned, "1", "-40"), "60")
    XCTAssertEqual(text(0xff, 8, .signed, "0.1", "-40"), "-40.1")
    XCTAssertEqual(text(3, 8, .unsigned, "2", "0.5"), "6.50")
    XCTAssertEqual(text(3, 8, .unsigned, "3", "1"), "10 in reading", "1/3 is no decimal number")
    XCTAssertEqual(text(3, 8, .unsigned, "0.3", "0.1"), "1.0 in reading")
    XCTAssertEqual(text(7, 8, .unsigned, "0", "5"), "5 in reading")
    XCTAssertEqual(
      text(UInt64.max, 64, .unsigned, "3", "1"), "55340232221128654860 in reading", "rounded twice, to 19 digits")
    XCTAssertEqual(text(UInt64(Float(1.1).bitPattern), 32, .float, "1", "0"), "1.1")
    XCTAssertEqual(text(Double(-2.5e-7).bitPattern, 64, .double, "10", "0"), "-0.00000250")
    XCTAssertEqual(text(UInt64(Float.nan.bitPattern), 32, .float, "1", "0"), "")
    XCTAssertEqual(text(UInt64(Float.infinity.bitPattern), 32, .float, "3", "1"), "")
    XCTAssertEqual(text(UInt64.max, 64, .signed, "1", "0"), "-1")
    XCTAssertEqual(text(1 << 63, 64, .unsigned, "1", "0"), "9223372036854775810", "the nearest with 19 digits")
  }
}
