import Foundation
import SluiceLog
import SluiceReadings
import XCTest

@testable import SluicePipeline

/// A recording with a spill that an earlier run has left.
final class SpillCommandTests: CommandTestCase {
  /// A log without a watermark, as after a crash that damaged both of its slots. It has five readings.
  private func makeLog(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    let tick = StreamDescription(name: "tick", channels: [StreamDescription.Channel(name: "tick")])
    let log = try SegmentLog("\(folder)/\(name)", streams: SpillFolder.described([tick]))
    try log.append((1...5).map { Reading(time: $0 * 1_000, stream: StreamID(0), values: Values($0)) })
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
}
