import Foundation
import XCTest

/// The numbers of windows over several runs of a recording.
final class WindowCommandTests: CommandTestCase {
  private func windows(_ name: String) throws -> [Int] {
    let rows = try rows(name)
    let column = try XCTUnwrap(rows[0].split(separator: ",").firstIndex { $0.hasSuffix("window") })
    return rows.dropFirst().compactMap { Int($0.split(separator: ",", omittingEmptySubsequences: false)[column]) }
  }

  /// What a window leaves out is no gap, and is not missing. A loss within a window is.
  func testInfoCountsWindowsAndNoGapsBetweenThem() throws {
    try run("record imu=sim:imu@1000,seed=1 --count 2500 --append --around accel_x>2.3,20ms,30ms -o w.csv")
    let windows = try XCTUnwrap(windows("w.csv").max())
    XCTAssertGreaterThan(windows, 1)
    let said = try run("info w.csv")
    XCTAssertTrue(said.contains("\nwindows: \(windows)\n"), said)
    XCTAssertFalse(said.contains("gaps of imu"), said)
    XCTAssertTrue(try run("info w.csv --json").contains(#""windows": \#(windows)"#))
    var lines = try String(contentsOfFile: "\(folder)/w.csv", encoding: .utf8).split(separator: "\n")
    lines.removeSubrange(10..<20)
    try lines.joined(separator: "\n").appending("\n").write(
      toFile: "\(folder)/cut.csv", atomically: true, encoding: .utf8)
    XCTAssertTrue(try run("info cut.csv").contains("gaps of imu:\n  after reading 9 "))
  }

  func testAWrongTimeIsNamed() throws {
    for (value, cause) in [
      ("x>1,10x,2s", #""10x" is no time before the event"#), ("x>1,1s,two", #""two" is no time after the event"#),
      ("x>1,1s", "it has one time, and takes two"), ("x>1", "it has no times"),
      ("x>1,1s,", "the time after the event is missing"),
    ] {
      for option in ["--around \(value) -o a.csv", "-o a.csv,around=\(value)"] {
        let said = try run("record sim:imu@10 \(option)", status: 64)
        XCTAssertTrue(said.contains(cause), said)
        XCTAssertTrue(said.contains("give CONDITION,BEFORE,AFTER, such as 'door == 1,10s,60s'; a time may be 0s"), said)
      }
    }
  }

  func testTheNextRunContinuesTheNumbers() throws {
    let record = "record imu=sim:imu@1000,seed=1 --count 2500 --append --around accel_x>2.3,1ms,1ms -o a.csv -o b.csv"
    try run(record)
    let first = try windows("a.csv").max() ?? 0
    XCTAssertGreaterThan(first, 1)
    try run(record)
    let all = try windows("a.csv")
    XCTAssertEqual(all, all.sorted())
    XCTAssertEqual(Set(all), Set(1...(all.max() ?? 0)))
    XCTAssertGreaterThan(all.max() ?? 0, first)
  }

  /// A pulse counter has totals of the same stream.
  func testATotalOfTheSameStreamStays() throws {
    let record = "record meter=sim:meter@100,seed=1 --count 60 --append --pulses meter=1 --around rate>0,0s,0s -o a.csv"
    try run(record)
    let metadata = try String(contentsOfFile: "\(folder)/a.csv-metadata.json", encoding: .utf8)
    let totals = metadata.components(separatedBy: "sluice:totals").last ?? ""
    for channel in ["count", "total", "window"] { XCTAssertTrue(totals.contains("\"\(channel)\""), totals) }
  }

  /// A replay of all readings gives the rows that the recording wrote.
  func testAReplayGivesTheSame() throws {
    for (name, value) in [("around", "accel_x>2.3,20ms,30ms"), ("while", "accel_x>1")] {
      for _ in 0..<2 {
        try run("record imu=sim:imu@1000,seed=1 --count 600 --append -o \(name).csv -o w.csv,\(name)=\(value)")
      }
      try run("replay \(name).csv --\(name) \(value) --force -o replayed.csv")
      XCTAssertEqual(try rows("replayed.csv"), try rows("w.csv"))
      for file in ["w.csv", "w.csv-metadata.json", "w.csv-runs.jsonl"] {
        try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
      }
    }
  }

  /// A file may have any number.
  func testAForeignNumber() throws {
    try run("record imu=sim:imu@1000 --count 100 --while accel_x<100 -o a.csv")
    let metadata = "\(folder)/a.csv-metadata.json"
    let text = try String(contentsOfFile: metadata, encoding: .utf8)
    try text.replacing(/("sluice:value": )1\b/, with: { "\($0.1)9223372036854775807" }).write(
      toFile: metadata, atomically: true, encoding: .utf8)
    try run("record imu=sim:imu@1000 --count 100 --while accel_x<100 --append -o a.csv")
    XCTAssertEqual(try windows("a.csv").last, 1)
  }
}
