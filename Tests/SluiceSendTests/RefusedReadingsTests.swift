import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceRecording
@testable import SluiceSend

final class RefusedReadingsTests: XCTestCase {
  private func reading(_ stream: UInt16, _ value: Int64) -> Reading {
    Reading(time: value, stream: StreamID(stream), values: Values(value))
  }

  private func refused(_ disk: ModelDisk) -> RefusedReadings {
    let described = SpoolFolder.described(
      [StreamDescription(name: "a", channels: [.init(name: "x")])], raw: false, decimals: nil)
    return RefusedReadings(in: "spool", described, limit: 1 << 20, disk)
  }

  func testALaterStreamIsThere() throws {
    let disk = ModelDisk(seed: 1)
    let refused = refused(disk)
    XCTAssertEqual(try refused.add([reading(0, 1)]), "spool/refused.jsonl")
    refused.describe(["a", "b"].map { StreamDescription(name: $0, channels: [.init(name: "x")]) })
    _ = try refused.add([reading(1, 2)])
    let lines = (disk.text("spool/refused.jsonl") ?? "").split(separator: "\n")
    XCTAssertEqual(lines.count, 2)
    XCTAssertTrue(lines.last?.contains("\"b\"") ?? false, "\(lines)")
  }

  func testItIsOnTheDisk() throws {
    let disk = ModelDisk(seed: 1)
    _ = try refused(disk).add([reading(0, 1)])
    let before = disk.text("spool/refused.jsonl")
    disk.cutPower()
    XCTAssertEqual(disk.text("spool/refused.jsonl"), before)
  }

  func testATornLineIsEndedFirst() throws {
    let disk = ModelDisk(seed: 1)
    _ = try refused(disk).add([reading(0, 1)])
    let whole = disk.bytes("spool/refused.jsonl").count
    let descriptor = try disk.open("spool/refused.jsonl", O_WRONLY)
    try disk.truncate(descriptor, to: Int64(whole - 4))
    try disk.close(descriptor)
    _ = try refused(disk).add([reading(0, 2)])
    let lines = (disk.text("spool/refused.jsonl") ?? "").split(separator: "\n")
    XCTAssertEqual(lines.count, 2)
    XCTAssertTrue(lines.last?.hasPrefix("{") ?? false, "\(lines)")
  }

  func testAFullDiskLeavesNoHalfLine() throws {
    let disk = ModelDisk(seed: 1)
    _ = try refused(disk).add([reading(0, 1)])
    let before = disk.text("spool/refused.jsonl")
    disk.room = 5
    XCTAssertThrowsError(try refused(disk).add([reading(0, 2)]))
    XCTAssertEqual(disk.text("spool/refused.jsonl"), before)
  }
}
