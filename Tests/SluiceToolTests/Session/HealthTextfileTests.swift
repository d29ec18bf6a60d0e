import Foundation
import XCTest

final class HealthTextfileTests: CommandTestCase {
  func testItIsThereWhileTheRecordingRuns() throws {
    let recorder = try start("record sim:imu@100 -o t.csv --textfile sluice.prom")
    waitUntil("the file") { FileManager.default.fileExists(atPath: "\(folder)/sluice.prom") }
    let lines = try rows("sluice.prom")
    XCTAssertTrue(lines.contains { $0.hasPrefix("sluice_received_readings_total{stream=\"imu\"} ") }, "\(lines)")
    XCTAssertTrue(lines.contains { $0.hasPrefix("sluice_health ") }, "\(lines)")
    XCTAssertFalse(lines.contains { $0.hasPrefix("sluice_viewers ") }, "there is no server")
    kill(recorder.process.processIdentifier, SIGTERM)
    XCTAssertEqual(end(recorder).status, 0)
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted(), ["t.csv", "t.csv-metadata.json"])
  }

  func testWhatCannotBe() throws {
    let name = try run("record sim:imu@100 -o t.csv --textfile sluice.txt", status: 64)
    XCTAssertTrue(name.contains("--textfile takes a name that ends in .prom"), name)
    let place = try run("record sim:imu@100 -o t.csv --textfile none/a.prom", status: 1)
    XCTAssertTrue(place.contains("cannot write none/a.prom: no such file or directory"), place)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [])
  }
}
