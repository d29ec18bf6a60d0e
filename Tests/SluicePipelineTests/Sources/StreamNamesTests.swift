import SluiceReadings
import XCTest

@testable import SluicePipeline

final class StreamNamesTests: XCTestCase {
  private func stream(_ name: String, bus: String? = nil) -> StreamDescription {
    StreamDescription(
      name: name, channels: [StreamDescription.Channel(name: "x")], device: StreamDescription.Device(bus: bus))
  }

  private func distinct(_ streams: [StreamDescription], isGiven: [Bool]? = nil) throws -> [String] {
    try StreamNames.distinct(streams, isGiven: isGiven ?? streams.map { _ in false }).map(\.name)
  }

  func testDevicesOfOneNameGetTheirBusIdentity() throws {
    XCTAssertEqual(
      try distinct([
        stream("ads1115", bus: "1-0048"), stream("bmi160", bus: "1-0068"), stream("ads1115", bus: "1-0049"),
      ]),
      ["ads1115@1-0048", "bmi160", "ads1115@1-0049"])
    XCTAssertEqual(
      try distinct([stream("a", bus: "1-0048"), stream("a", bus: "1-0049")], isGiven: [true, false]),
      ["a", "a@1-0049"], "a name that was given stays")
  }

  func testWhatCannotBeToldApartIsRefused() {
    for (streams, isGiven) in [
      ([stream("a"), stream("a")], [false, false]),
      ([stream("a", bus: "1-1"), stream("a", bus: "1-1")], [false, false]),
      ([stream("a", bus: "1-1"), stream("a", bus: "1-2")], [true, true]),
    ] {
      XCTAssertThrowsError(try distinct(streams, isGiven: isGiven)) {
        XCTAssertEqual(($0 as? SluiceError)?.code, .usage)
      }
    }
  }

  func testSeveralStreamsOfOneNameKeepWhatTellsThemApart() {
    XCTAssertEqual(StreamNames.named([stream("METER")], "water").map(\.name), ["water"])
    XCTAssertEqual(
      StreamNames.named([stream("METER"), stream("gpiochip0:4")], "door").map(\.name), ["door:METER", "door:4"])
  }

  func testTheSameIsFoundBeforeAnythingIsOpened() throws {
    for arguments in [
      ["timer:1ms", "timer:1ms"], ["a=timer:1ms", "a=iio:nope"], ["poll:/nope@1s", "poll:/nope@2s"],
      ["timer 1ms=timer:2ms", "timer:1ms"],
    ] {
      XCTAssertThrowsError(try StreamNames.check(arguments.map { try SourceSpec($0) }), "\(arguments)")
    }
    XCTAssertNoThrow(try StreamNames.check([try SourceSpec("timer:1ms"), try SourceSpec("b=timer:1ms")]))
  }
}
