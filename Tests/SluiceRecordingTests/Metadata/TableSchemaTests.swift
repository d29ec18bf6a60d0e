import SluiceReadings
import XCTest

@testable import SluiceRecording

final class TableSchemaTests: XCTestCase {
  private typealias Channel = StreamDescription.Channel

  private func types(_ channels: [Channel], isWhole: Bool, raw: Bool = false) -> [String] {
    TableSchema(.wide, [StreamDescription(name: "s", channels: channels)], isWhole: [isWhole], raw: raw).columns
      .dropFirst().map { "\($0.datatype) \($0.unit ?? "-")" }
  }

  func testDatatypesAndUnits() {
    let channels = [
      Channel(name: "plain", unit: "V"),
      Channel(name: "scaled", unit: "m/s^2", scale: ExactDecimal(significand: 598, exponent: -6)),
      Channel(name: "thousands", unit: "Pa", scale: ExactDecimal(significand: 1, exponent: 3)),
      Channel(name: "moved", unit: "A", offset: ExactDecimal(significand: 5, exponent: -1)),
    ]
    XCTAssertEqual(types(channels, isWhole: true), ["integer V", "decimal m/s^2", "integer Pa", "decimal A"])
    XCTAssertEqual(types(channels, isWhole: false), ["decimal V", "decimal m/s^2", "decimal Pa", "decimal A"])
    // Before scale and offset it is no unit's number.
    XCTAssertEqual(types(channels, isWhole: true, raw: true), ["integer V", "integer -", "integer -", "integer -"])
  }

  func testTheLongLayoutHasOneDatatypeForAll() {
    let streams = ["a", "b"].map { StreamDescription(name: $0, channels: [Channel(name: "x", unit: "V")]) }
    for (isWhole, type) in [([true, true], "integer"), ([true, false], "decimal")] {
      let schema = TableSchema(.long, streams, isWhole: isWhole, raw: false)
      XCTAssertEqual(schema.columns.map(\.title), ["time_ns", "stream", "channel", "value"])
      XCTAssertEqual(schema.columns.map(\.datatype), ["long", "string", "string", type])
      XCTAssertEqual(schema.columns.map(\.isRequired), [true, true, true, false])
    }
  }

  func testNames() {
    for (title, name) in [
      ("accel_x", "accel_x"), ("_x", "%5Fx"), ("temp (°C)", "temp%20%28%C2%B0C%29"), ("a.b-c", "a%2Eb%2Dc"),
      ("", "%20"),
      ("\u{1}", "%01"),
    ] {
      XCTAssertEqual(TableSchema.name(title), name)
    }
  }

  func testEqualTitlesHaveDifferentNames() {
    var stream = StreamDescription(name: "s", channels: ["a", "time_ns", "a"].map { Channel(name: $0) })
    stream.hasForeignColumns = true
    let schema = TableSchema(.wide, [stream], isWhole: [true], raw: false)
    XCTAssertEqual(schema.columns.map(\.name), ["time_ns", "a", "time_ns.3", "a.4"])
  }
}
