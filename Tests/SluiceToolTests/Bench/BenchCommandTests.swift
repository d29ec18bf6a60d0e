import Foundation
import XCTest

final class BenchCommandTests: CommandTestCase {
  func testFiguresAsJSON() throws {
    let said = try run("bench --only csv,disk --duration 1ms --disk-size 128k --json")
    let report = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
    XCTAssertEqual(Set(report.keys), ["machine", "csv", "disk"])
    XCTAssertGreaterThan((report["machine"] as? [String: Any])?["cores"] as? Int ?? 0, 0)
    for (part, names) in [("csv", ["encode", "decode"]), ("disk", ["in sequence", "64 KiB and fdatasync"])] {
      let measurements = try XCTUnwrap(report[part] as? [[String: Any]])
      XCTAssertEqual(measurements.compactMap { $0["name"] as? String }, names)
      for (key, figure) in measurements.joined() where key != "name" {
        XCTAssertGreaterThan((figure as? NSNumber)?.doubleValue ?? 0, 0, key)
      }
    }
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [], "nothing is left behind")
  }

  func testFiguresForPeople() throws {
    let said = try run("bench --only streams,timer --duration 10ms")
    for part in ["map.filter.scan", "receive(on:)", "every 1ms"] { XCTAssertTrue(said.contains(part), said) }
  }

  func testWhatCannotBeMeasuredIsSaid() throws {
    XCTAssertTrue(try run("bench --only disk --output-directory nope", status: 1).contains("--output-directory"))
    XCTAssertTrue(try run("bench --only devices --iio nope", status: 1).contains("cannot open IIO device nope"))
  }

  func testAnInterruptionLeavesNothingBehind() throws {
    let (process, said) = try start("bench --only disk --duration 10m --disk-size 1M")
    let deadline = Date(timeIntervalSinceNow: 60)
    while try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty, Date() < deadline {
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    }
    process.interrupt()
    let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    XCTAssertEqual(process.terminationStatus, 1, text)
    XCTAssertTrue(text.contains("it was interrupted"), text)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), [])
  }
}
