import SluiceReadings
import XCTest

@testable import SluiceStages

final class WhereTests: XCTestCase {
  private let adc = StreamDescription(
    name: "adc",
    channels: [
      .init(name: "voltage0", unit: "V", scale: ExactDecimal(significand: 1, exponent: -1)), .init(name: "temp"),
    ])
  private let imu = StreamDescription(name: "imu", channels: [.init(name: "x"), .init(name: "y")])

  private func passed(_ condition: String, _ readings: [(UInt16, Values)]) throws -> [Int64] {
    let processor = try Where(Expression(condition), inputs: InputStreams([adc, imu]))
    return outputs(
      of: processor, readings.enumerated().map { Reading(time: Int64($0), stream: StreamID($1.0), values: $1.1) }
    ).map(\.time)
  }

  /// 0.3 as a product of floating-point numbers would be another number.
  func testValuesAreThoseInTheUnit() throws {
    XCTAssertEqual(try passed("voltage0 == 0.3", [(0, [3, 0]), (0, [4, 0])]), [0])
    XCTAssertEqual(try passed("adc.temp > 1", [(0, [3, 0]), (0, [4, 2])]), [1])
  }

  func testOtherStreamsPass() throws {
    XCTAssertEqual(try passed("voltage0 > 100", [(0, [3, 0]), (1, [1, 1])]), [1])
  }

  func testAMissingValue() throws {
    var values: Values = [1, 1]
    values[1] = .missing
    XCTAssertEqual(try passed("temp > 0", [(0, values)]), [])
    XCTAssertEqual(try passed("not temp > 0", [(0, values)]), [0])
  }

  func testUnknownChannels() {
    XCTAssertThrowsError(try passed("voltage1 > 1", [])) {
      XCTAssertEqual(
        "\($0)",
        "cannot find voltage1: there is no channel of this name; did you mean voltage0? The channels are voltage0, temp, x, y"
      )
    }
    XCTAssertThrowsError(try passed("voltage0 > x", [])) {
      XCTAssertEqual(
        "\($0)",
        "cannot find voltage0 and x: they are in different streams; use channels of one stream in the condition")
    }
  }
}
