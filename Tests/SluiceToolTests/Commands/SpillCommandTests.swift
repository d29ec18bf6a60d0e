import Foundation
import SluiceLog
import SluiceReadings
import XCTest

@testable import SluicePipeline

/// A recording with a spill that an earlier run has left.
final class SpillCommandTests: CommandTestCase {
  /// A log without a watermark, as after a crash that damaged both of its slots. It has five readings.
  private func makeLog(_ name: String, _ channels: [String] = ["tick"]) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    let tick = StreamDescription(name: "tick", channels: channels.map { StreamDescription.Channel(name: $0) })
    let log = try SegmentLog("\(folder)/\(name)", streams: SpillFolder.described([tick]))
    let now = Int64(Date().timeIntervalSince1970 * 1e9)
    try log.append(
      (1...5).map { number in
        Reading(
          time: now + number, stream: StreamID(0),
          values: Values(channels.map { _ in ExactDecimal(significand: number) }))
      })
    log.close()
  }

  /// Nobody knows which of the readings the output has: they are counted, told and flagged.
  func testReadingsThatMayBeTwiceAreFlagged() throws {
    for format in ["csv", "jsonl"] {
      let record = "record tick=timer:1ms --duration 20ms --when-full spill --append -o w.\(format)"
      try run(record)
      try makeLog("w.\(format)-spill")
      let said = try run(record)
      XCTAssertTrue(said.contains("up to 5 of them may then be in the output twice"), said)
      let info = try run("info w.\(format)")
      XCTAssertTrue(info.contains("\n5 readings may be in it twice, because a run was killed while"), info)
      XCTAssertTrue(try run("info --json w.\(format)").contains(#""possible_duplicates": 5"#))
      try run("convert w.\(format) -o again-\(format).jsonl")
      let flagged = try rows("again-\(format).jsonl").filter { $0.contains(#""possible_duplicate""#) }
      XCTAssertEqual(flagged.count, 5, "\(flagged)")
      XCTAssertTrue(flagged.first?.contains(#""flags":["gap_before","#) ?? false, "\(flagged)")
    }
  }

  /// The windows of a run that was killed go on after those in its spill, and not after those in the file.
  func testWindowsGoOnAfterTheSpill() throws {
    let record = "record tick=timer:1ms --duration 20ms --while 'tick >= 0' --when-full spill --append -o w.csv"
    try runShell("$SLUICE \(record)")
    let metadata = try String(contentsOfFile: "\(folder)/w.csv-metadata.json", encoding: .utf8)
    XCTAssertTrue(metadata.contains(#""sluice:state": "finished""#), metadata)
    try write(
      "w.csv-metadata.json",
      metadata.replacingOccurrences(of: #""sluice:state": "finished""#, with: #""sluice:state": "unfinished""#))
    try makeLog("w.csv-spill", ["tick", "window"])
    try runShell("$SLUICE \(record)")
    let windows = try rows("w.csv").dropFirst().compactMap { $0.split(separator: ",").last }
    XCTAssertEqual(Set(windows), ["1", "2", "3", "4", "5", "6"], "\(windows)")
    XCTAssertEqual(windows.last, "6")
  }
}
