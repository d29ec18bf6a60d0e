import SluiceReadings
import XCTest

@testable import SluiceDevices

/// Every layout that Documentation/driver-api/iio/buffers.rst and Documentation/iio/iio_devbuf.rst describe.
final class ScanLayoutTests: XCTestCase {
  private func format(_ text: String) throws -> ScanFormat { try XCTUnwrap(ScanFormat(text), text) }

  private func layout(_ channels: [String], timestamp: String? = nil) throws -> ScanLayout {
    var formats: [(index: Int, format: ScanFormat)] = []
    for (index, text) in channels.enumerated() { formats.append((index, try format(text))) }
    return ScanLayout(channels: formats, timestamp: try timestamp.map { (channels.count, try format($0)) })
  }

  private func decode(_ layout: ScanLayout, _ bytes: [UInt8]) -> (times: [Int64?], values: [[Int64?]]) {
    var result: (times: [Int64?], values: [[Int64?]]) = ([], [])
    var readings: [Reading] = []
    bytes.withUnsafeBytes { bytes in
      ScanDecoder(layout).decode(bytes, of: StreamID(0), into: &readings) { result.times.append($1) }
    }
    result.values = readings.map { $0.values.map { $0.isMissing ? nil : $0.significand } }
    return result
  }

  /// The accelerometer of both documents: 12 bits, left-aligned in two registers of 8.
  func testTwelveBitsInSixteenLittleEndian() throws {
    let layout = try layout(["le:s12/16>>4", "le:s12/16>>4", "le:s12/16>>4"])
    XCTAssertEqual(layout.size, 6)
    // The low four bits are anything.
    let scan: [UInt8] = [0x1f, 0x00, 0xf5, 0x7f, 0x0a, 0x80]
    XCTAssertEqual(decode(layout, scan).values, [[1, 2_047, -2_048]])
  }

  /// The four channels of iio_devbuf.rst, all of them and the first and the last.
  func testNaturalAlignmentOfMixedSizes() throws {
    let all = try layout(["be:u16/16>>0", "be:u32/32>>0", "be:u32/32>>0", "be:u64/64>>0"])
    XCTAssertEqual(all.channels.map(\.offset), [0, 4, 8, 16])
    XCTAssertEqual(all.size, 24)
    let scan: [UInt8] = [
      0x01, 0x02, 0xee, 0xee, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 3, 0xee, 0xee, 0xee, 0xee, 0, 0, 0, 0, 0, 0, 1, 4,
    ]
    XCTAssertEqual(decode(all, scan + scan).values, [[258, 4_294_967_295, 3, 260], [258, 4_294_967_295, 3, 260]])
    let two = try layout(["be:u16/16>>0", "be:u64/64>>0"])
    XCTAssertEqual(two.channels.map(\.offset), [0, 8])
    XCTAssertEqual(two.size, 16)
    XCTAssertEqual(
      decode(two, [1, 2, 9, 9, 9, 9, 9, 9, 0, 0, 0, 0, 0, 0, 0, 7]).values, [[258, 7]])
  }

  /// The order is that of the indices, which need not be without holes, and not that in which channels were asked for.
  func testIndicesGiveTheOrder() throws {
    let layout = ScanLayout(
      channels: [(9, try format("le:s16/16")), (2, try format("le:s16/16"))], timestamp: (5, try format("le:s64/64")))
    XCTAssertEqual(layout.channels.map(\.offset), [16, 0])
    XCTAssertEqual(layout.timestamp?.offset, 8)
    XCTAssertEqual(layout.size, 24)
  }

  /// Three axes and a time: the time is aligned to its own eight bytes.
  func testTimestampAlignment() throws {
    for (channels, offset) in [(["le:s16/16"], 8), (["le:s16/16", "le:s16/16", "le:s16/16"], 8), (["le:u8/8"], 8)] {
      let layout = try layout(channels, timestamp: "le:s64/64>>0")
      XCTAssertEqual(layout.timestamp?.offset, offset)
      XCTAssertEqual(layout.size, 16)
    }
    let five = try layout(Array(repeating: "le:s16/16", count: 5), timestamp: "le:s64/64>>0")
    XCTAssertEqual(five.timestamp?.offset, 16)
    XCTAssertEqual(five.size, 24)
    let bigEndian = try layout(["be:s16/16>>0"], timestamp: "be:s64/64>>0")
    let decoded = decode(bigEndian, [0xff, 0xfe, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
    XCTAssertEqual(decoded.times, [256])
    XCTAssertEqual(decoded.values, [[-2]])
    let none = decode(try layout(["le:s16/16"]), [1, 0, 2, 0])
    XCTAssertEqual(none.times, [nil, nil])
    XCTAssertEqual(none.values, [[1], [2]])
  }

  /// A quaternion: four elements that are one channel, aligned to all of them together.
  func testRepeat() throws {
    let layout = try layout(["le:u8/8", "le:s14/16X4>>2"], timestamp: "le:s64/64>>0")
    XCTAssertEqual(layout.channels.map(\.offset), [0, 8])
    XCTAssertEqual(layout.timestamp?.offset, 16)
    let elements: [UInt8] = [0xfc, 0xff, 0x04, 0x00, 0xfc, 0x7f, 0x00, 0x80]
    let scan = [5, 0, 0, 0, 0, 0, 0, 0] + elements + [1, 0, 0, 0, 0, 0, 0, 0]
    XCTAssertEqual(decode(layout, scan).values, [[5, -1, 1, 8_191, -8_192]])
    let quaternion = try self.layout(["be:s32/32X4>>0"])
    XCTAssertEqual(quaternion.size, 16)
    XCTAssertEqual(
      decode(quaternion, [0, 0, 0, 1, 0xff, 0xff, 0xff, 0xff, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff]).values,
      [[1, -1, -2_147_483_648, 2_147_483_647]])
  }

  /// Every order of bytes, sign, size, number of bits and shift that the notation can say: the least and the greatest
  /// value come out as they went in, whatever the unused bits are.
  func testEveryFormat() throws {
    var count = 0
    for isBigEndian in [false, true] {
      for isSigned in [false, true] {
        for storageBits in [8, 16, 32, 64] {
          for bits in 1...storageBits {
            for shift in Set([0, (storageBits - bits) / 2, storageBits - bits]) {
              try check(isBigEndian, isSigned, bits, storageBits, shift)
              count += 1
            }
          }
        }
      }
    }
    XCTAssertGreaterThan(count, 1_000)
  }

  private func check(_ isBigEndian: Bool, _ isSigned: Bool, _ bits: Int, _ storageBits: Int, _ shift: Int) throws {
    let text = "\(isBigEndian ? "be" : "le"):\(isSigned ? "s" : "u")\(bits)/\(storageBits)>>\(shift)"
    let layout = try layout([text])
    XCTAssertEqual(layout.size, storageBits / 8, text)
    let mask = bits == 64 ? UInt64.max : (1 << UInt64(bits)) - 1
    for pattern in [0, 1, mask, mask >> 1, mask ^ (mask >> 1)] {
      let sign = UInt64(1) << UInt64(bits - 1)
      let expected: Int64? =
        isSigned
        ? Int64(bitPattern: pattern & sign != 0 ? pattern | ~mask : pattern) : Int64(exactly: pattern)
      for noise in [UInt64(0), .max] {
        let word = noise & ~(mask << UInt64(shift)) | pattern << UInt64(shift)
        let little = (0..<storageBits / 8).map { UInt8(truncatingIfNeeded: word >> UInt64($0 * 8)) }
        XCTAssertEqual(decode(layout, isBigEndian ? little.reversed() : little).values, [[expected]], text)
      }
    }
  }
}
