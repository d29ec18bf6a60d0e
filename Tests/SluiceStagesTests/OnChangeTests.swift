import SluiceReadings
import XCTest

@testable import SluiceStages

final class OnChangeTests: XCTestCase {
  private let room = StreamDescription(
    name: "room",
    channels: [
      .init(name: "temp", unit: "degC", scale: ExactDecimal(significand: 1, exponent: -1)), .init(name: "humidity"),
    ])

  private func changes(_ limit: OnChange.Limit, _ values: [Values], flags: [Int: Reading.Flags] = [:]) throws -> [Int64]
  {
    let processor = try OnChange(limit, inputs: InputStreams([room]))
    let readings = values.enumerated().map {
      Reading(time: Int64($0), stream: StreamID(0), values: $1, flags: flags[$0] ?? [])
    }
    return outputs(of: processor, readings).map(\.time)
  }

  func testEqualValuesAreLeftOut() throws {
    XCTAssertEqual(try changes(.equal, [[1, 1], [1, 1], [1, 2], [1, 2], [1, 1]]), [0, 2, 4])
  }

  func testEqualNumbersWithOtherDigits() throws {
    var longer: Values = [0, 1]
    longer[0] = ExactDecimal(significand: 10, exponent: -1)
    XCTAssertEqual(try changes(.equal, [[1, 1], longer]), [0])
  }

  /// A raw value of 1 is 0.1 degrees.
  func testAToleranceInTheUnit() throws {
    let half = ExactDecimal(significand: 5, exponent: -1)
    XCTAssertEqual(try changes(.tolerance(half), [[200, 7], [205, 7], [206, 7], [201, 7], [200, 7]]), [0, 2, 4])
  }

  func testTheChannelsThatCount() throws {
    let limit = OnChange.Limit.channels([("humidity", .zero)])
    XCTAssertEqual(try changes(limit, [[1, 1], [9, 1], [9, 2]]), [0, 2])
    XCTAssertThrowsError(try changes(.channels([("humidty", .zero)]), [])) {
      XCTAssertEqual(
        "\($0)",
        "cannot watch humidty: there is no channel of this name; did you mean humidity? The channels are temp, humidity"
      )
    }
  }

  func testAMissingValueIsAChange() throws {
    var missing: Values = [1, 1]
    missing[1] = .missing
    XCTAssertEqual(try changes(.equal, [[1, 1], missing, missing, [1, 1]]), [0, 1, 3])
  }

  func testAReadingAfterAGapPasses() throws {
    XCTAssertEqual(try changes(.equal, [[1, 1], [1, 1], [1, 1]], flags: [1: .gapBefore]), [0, 1])
  }

  func testChannelsThatComeLater() throws {
    let first = StreamDescription(name: "room", channels: [room.channels[0]])
    let known = [[first], [room]]
    var processor = try OnChange(.equal, inputs: InputStreams(known[0], more: { known[1] }))
    for (values, passes) in [([1], true), ([1], false), ([1, 2], true), ([1, 2], false)] as [(Values, Bool)] {
      var made: [Reading] = []
      processor.receive(Reading(time: 0, stream: StreamID(0), values: values), into: &made)
      XCTAssertEqual(!made.isEmpty, passes)
    }
  }
}
