import SluicePipeline
import SluiceReadings
import XCTest

@testable import SluiceTool

final class DeviceEntriesTests: XCTestCase {
  private let entries = ["a", "long"].map { name in
    DeviceEntries.Entry(
      text: [name, "3"], device: ListedDevice(name: name, what: "bell", source: nil),
      sources: [ListedSource(TimerSource.self, [name], "bell")], json: [("name", .string(name))])
  }

  func testATableHasARowPerDevice() {
    let listing = DeviceEntries(
      "bells", table: "bells", columns: ["bell", "value"], entries, failures: [], numbers: { $0 == 1 })
    XCTAssertEqual(listing.blocks, [["bells", "  bell  value", "  a         3", "  long      3"]])
    XCTAssertEqual(listing.devices.map(\.name), ["a", "long"])
    XCTAssertEqual(listing.sources.map(\.names), [["a"], ["long"]])
    XCTAssertEqual(JSON.object(listing.members).text, #"{"bells": [{"name": "a"}, {"name": "long"}]}"#)
  }

  func testWithoutColumnsOrDevices() {
    XCTAssertEqual(DeviceEntries("bells", table: "bells", entries).blocks, [["bells", "  a     3", "  long  3"]])
    XCTAssertEqual(DeviceEntries("bells", table: "bells", columns: ["bell"], []).blocks, [])
    XCTAssertEqual(DeviceEntries("bells", blocks: entries).blocks, [["a", "3"], ["long", "3"]])
  }
}
