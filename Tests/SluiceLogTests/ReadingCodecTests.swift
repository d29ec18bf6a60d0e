import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceLog

final class ReadingCodecTests: XCTestCase {
  private func encoded(_ readings: [Reading]) -> [UInt8] {
    var encoder = ReadingEncoder()
    encoder.append(readings)
    XCTAssertLessThanOrEqual(
      encoder.byteCount, readings.reduce(0) { $0 + ReadingEncoder.mostBytes(values: $1.values.count) })
    return encoder.take()
  }

  private func assertSame(_ readings: [Reading], line: UInt = #line) throws {
    XCTAssertEqual(try ReadingDecoder.readings(encoded(readings)), readings, line: line)
  }

  func testNoReading() throws { try assertSame([]) }

  func testExtremes() throws {
    let edges: [Int64] = [0, 1, -1, .max, .min, .max - 1, .min + 1]
    var readings: [Reading] = []
    for (index, time) in edges.enumerated() {
      for value in edges {
        for exponent in [0, -128, 127] as [Int8] {
          readings.append(
            Reading(
              time: time, stream: StreamID(UInt16(index * 9_000)),
              values: Values([ExactDecimal(significand: value, exponent: exponent), .one]),
              flags: Reading.Flags(rawValue: UInt8(truncatingIfNeeded: value))))
        }
      }
    }
    readings.append(Reading(time: 1, stream: .none, values: Values(), flags: []))
    try assertSame(readings)
  }

  /// Any readings, in any order of their streams.
  func testRandomReadings() throws {
    var random = TestGenerator()
    for _ in 0..<300 {
      let readings = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        let count = Int.random(in: 0...(Bool.random(using: &random) ? 3 : Values.capacity), using: &random)
        let values = (0..<count).map { _ in
          ExactDecimal(
            significand: Int64.random(in: .min ... .max, using: &random)
              >> Int64.random(in: 0...63, using: &random),
            exponent: Bool.random(using: &random) ? -2 : Int8.random(in: .min ... .max, using: &random))
        }
        return Reading(
          time: Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random),
          stream: StreamID(UInt16.random(in: 0...(Bool.random(using: &random) ? 3 : 300), using: &random)),
          values: Values(values),
          flags: Bool.random(using: &random) ? [] : Reading.Flags(rawValue: .random(in: 0...255, using: &random)))
      }
      try assertSame(readings)
    }
  }

  /// Each run stands alone: the second does not need the first.
  func testTheNextRun() throws {
    let readings = (0..<20).map {
      Reading(time: Int64($0) * 1_000, stream: StreamID(UInt16($0 % 2)), values: Values(Int64($0)))
    }
    var encoder = ReadingEncoder()
    encoder.append(readings.prefix(7))
    XCTAssertEqual(encoder.count, 7)
    _ = encoder.take()
    XCTAssertTrue(encoder.isEmpty)
    encoder.append(readings.suffix(13))
    XCTAssertEqual(try ReadingDecoder.readings(encoder.take()), Array(readings.suffix(13)))
  }

  /// A regular sensor with noise: `1763640000000000000,0.12,9.81,-0.03` is a row of 37 bytes.
  func testItIsSmall() {
    var random = TestGenerator()
    var length = 0
    let readings = (0..<1_000).map { number -> Reading in
      let values = (0..<3).map { _ in ExactDecimal(significand: .random(in: -99...999, using: &random), exponent: -2) }
      let time = 1_763_640_000_000_000_000 + Int64(number) * 5_000_000 + .random(in: -20_000...20_000, using: &random)
      length += "\(time),\(values.map(\.description).joined(separator: ","))\n".utf8.count
      return Reading(time: time, stream: StreamID(0), values: Values(values))
    }
    XCTAssertLessThan(encoded(readings).count * 3, length)
  }

  // MARK: Bad input

  private func fault(_ bytes: [UInt8]) -> ReadingDecoder.Fault? {
    do throws(ReadingDecoder.Fault) {
      _ = try ReadingDecoder.readings(bytes)
      return nil
    } catch {
      return error
    }
  }

  func testWhatIsNoRun() {
    XCTAssertEqual(fault([]), .ended)
    XCTAssertEqual(fault([2, 0]), .version(2))
    XCTAssertEqual(fault([1]), .ended)
    XCTAssertEqual(fault([1, 1]), .count)
    XCTAssertEqual(fault([1, 0, 0]), .rest)
    XCTAssertEqual(fault([1, 1, 0, 0]), .stream, "the first reading names its stream")
    XCTAssertEqual(fault([1, 1, 8, 0]), .mark)
    XCTAssertEqual(fault([1, 1, 1, 0x80, 0x80, 4]), .stream, "65,536")
    XCTAssertEqual(fault([1, 1, 5, 0, 65, 0]), .values)
    XCTAssertEqual(fault([1, 1, 1, 0] + [UInt8](repeating: 0xff, count: 10)), .number)
    XCTAssertEqual(fault([1] + [UInt8](repeating: 0xff, count: 9) + [1]), .count)
  }

  func testCutAnywhere() {
    let readings = (0..<9).map {
      Reading(time: Int64($0) << 40, stream: StreamID(UInt16($0 % 3)), values: [1, 2, 3], flags: [.late])
    }
    let bytes = encoded(readings)
    for count in bytes.indices { XCTAssertNotNil(fault(Array(bytes.prefix(count))), "\(count) bytes") }
    XCTAssertEqual(fault(bytes + [0]), .rest)
  }

  /// It may be read as something else, and never traps.
  func testDamagedRuns() {
    var random = TestGenerator()
    let readings = (0..<9).map {
      Reading(time: Int64($0) << 40, stream: StreamID(UInt16($0 % 3)), values: [1, 2, 3], flags: [.late])
    }
    let bytes = encoded(readings)
    for _ in 0..<20_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[.random(in: damaged.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = fault(damaged)
    }
  }

  func testTheCheckOfTheStandard() {
    // RFC 3720, appendix B.4.
    XCTAssertEqual(CRC32C.of([UInt8](repeating: 0, count: 32)), 0x8a91_36aa)
    XCTAssertEqual(CRC32C.of([UInt8](repeating: 0xff, count: 32)), 0x62a8_ab43)
    XCTAssertEqual(CRC32C.of((0...31).map { UInt8($0) }), 0x46dd_794e)
    XCTAssertEqual(CRC32C.of((0...31).reversed().map { UInt8($0) }), 0x113f_db5c)
    XCTAssertEqual(CRC32C.of(Array("123456789".utf8)), 0xe306_9283)
  }
}
