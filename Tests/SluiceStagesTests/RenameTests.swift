import SluiceReadings
import SluiceStages
import XCTest

final class RenameTests: XCTestCase {
  private let inputs = InputStreams([
    StreamDescription(name: "log", channels: [.init(name: "2"), .init(name: "3")]),
    StreamDescription(name: "door", channels: [.init(name: "level")]),
  ])

  func testStreamsAndChannels() throws {
    let renamed = try Rename([("2", "temp"), ("log.3", "hum"), ("door", "gate")], inputs: inputs).streams
    XCTAssertEqual(renamed.map(\.name), ["log", "gate"])
    XCTAssertEqual(renamed[0].channels.map(\.name), ["temp", "hum"])
    XCTAssertEqual(renamed[1].channels.map(\.name), ["level"])
  }

  func testFaults() {
    for (names, part) in [
      ([("x", "y")], "no stream or channel"), ([("2", "3")], "two would have this name"),
      ([("door", "log")], "two would"),
    ] {
      XCTAssertThrowsError(try Rename(names, inputs: inputs)) { XCTAssertTrue("\($0)".contains(part), "\($0)") }
    }
  }
}
