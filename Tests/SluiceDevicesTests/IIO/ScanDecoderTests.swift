import SluiceReadings
import XCTest

@testable import SluiceDevices

final class ScanDecoderTests: XCTestCase {
  private func decode(_ format: String, _ bytes: [UInt8]) -> Int64? {
    guard let format = ScanFormat(format) else { return nil }
    return bytes.withUnsafeBytes { ScanDecoder.Field(format, offset: 0).value($0) }
  }

  func testEveryKindOfElement() {
    XCTAssertEqual(decode("le:u8/8>>0", [0xff]), 255)
    XCTAssertEqual(decode("le:s8/8>>0", [0xff]), -1)
    XCTAssertEqual(decode("le:s12/16>>4", [0xf0, 0xff]), -1)
    XCTAssertEqual(decode("be:s12/16>>4", [0x7f, 0xff]), 2_047)
    XCTAssertEqual(decode("be:u12/16>>0", [0xff, 0xff]), 4_095, "unused bits may hold anything")
    XCTAssertEqual(decode("le:u13/16", [0x07, 0x00]), 7)
    XCTAssertEqual(decode("be:u24/32>>8", [1, 2, 3, 0xff]), 0x010203)
    XCTAssertEqual(decode("le:s24/32>>0", [0, 0, 0x80, 0]), -8_388_608)
    XCTAssertEqual(decode("le:s64/64>>0", [0, 0, 0, 0, 0, 0, 0, 0x80]), .min)
    XCTAssertEqual(decode("be:u64/64>>0", [0, 0, 0, 0, 0, 0, 1, 0]), 256)
    XCTAssertNil(decode("le:u64/64>>0", [0, 0, 0, 0, 0, 0, 0, 0x80]), "beyond 2^63")
    XCTAssertEqual(decode("le:u63/64>>1", [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), .max)
    XCTAssertEqual(decode("be:s1/8>>7", [0x80]), -1)
  }

  func testRefusesWhatTheKernelDoesNotWrite() {
    for text in [
      "", "le", "le:", "le:s", "le:s16", "le:s16/", "xe:s16/16", "le:x16/16", "le:s0/16", "le:s17/16", "le:s16/17",
      "le:s16/128",
      "le:s12/16>>5", "le:s16/16X0", "le:s16/16X3", "le:s16/16X99999", "le:s16/16>>", "le:s16/16>>-1", "le:s16/16 ",
      "le:s99999999999999999999/16",
    ] {
      XCTAssertNil(ScanFormat(text), text)
    }
    XCTAssertEqual(ScanFormat("le:s14/16X4>>2")?.repeats, 4)
  }

  /// The five elements of the kernel's dummy driver.
  func testLayoutAlignsEachChannelToItsSize() throws {
    func format(_ text: String) throws -> ScanFormat { try XCTUnwrap(ScanFormat(text)) }
    let layout = ScanLayout(
      channels: [
        (3, try format("le:s16/16")), (0, try format("le:u8/8")), (1, try format("be:s32/32")),
        (5, try format("le:s8/8X4")),
      ], timestamp: (6, try format("le:s64/64")))
    XCTAssertEqual(layout.channels.map(\.offset), [8, 0, 4, 12])
    XCTAssertEqual(layout.timestamp?.offset, 16)
    XCTAssertEqual(layout.size, 24)
    let scan: [UInt8] = [9, 0, 0, 0, 0, 0, 1, 0, 0xfe, 0xff, 0, 0, 1, 2, 3, 0xff, 42, 0, 0, 0, 0, 0, 0, 0]
    let before = Reading(time: 1, stream: StreamID(1), values: [5])
    var readings = [before]
    scan.withUnsafeBytes { scan in
      ScanDecoder(layout).decode(scan, of: StreamID(3), into: &readings) { $0.time = $1 ?? 0 }
    }
    XCTAssertEqual(readings, [before, Reading(time: 42, stream: StreamID(3), values: [-2, 9, 256, 1, 2, 3, -1])])
  }

  func testNoFormatTraps() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("lebsu0123456789:/X>-")
    for _ in 0..<20_000 {
      let text = String(
        (0..<Int.random(in: 0...16, using: &generator)).map { _ in alphabet.randomElement(using: &generator)! })
      guard let format = ScanFormat("le:" + text) else { continue }
      let decoder = ScanDecoder(ScanLayout(channels: [(0, format), (2, format)], timestamp: (1, format)))
      [UInt8](repeating: 0xff, count: decoder.size).withUnsafeBytes { scan in
        var readings: [Reading] = []
        decoder.decode(scan, of: StreamID(0), into: &readings) { _, _ in }
        XCTAssertEqual(readings.map(\.values.count), [min(format.repeats * 2, 64)])
      }
    }
  }
}
