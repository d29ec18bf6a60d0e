import Foundation
import SluiceLog
import SluiceReadings
import XCTest

@testable import SluicePipeline

/// A recording with a spill that an earlier run has left.
final class SpillCommandTests: CommandTestCase {
  /// A log without a watermark, as after a crash that damaged both of its slots. It has five readings.
  /// - Parameter output: The file of the log; nil for the one beside it.
  private func makeLog(_ name: String, _ channels: [String] = ["tick"], of output: String? = nil) throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    let tick = StreamDescription(name: "tick", channels: channels.map { StreamDescription.Channel(name: $0) })
    let log = try SegmentLog(
      "\(folder)/\(name)", streams: SpillFolder.described([tick], of: output ?? String(name.dropLast(6))))
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

  /// A run without the options of the spill, or with another folder, leaves the readings where they are, and says so.
  func testReadingsThatThisRunDoesNotWriteAreNamed() throws {
    try run("record tick=timer:1ms --duration 20ms -o w.csv")
    try makeLog("w.csv-spill")
    try FileManager.default.createDirectory(atPath: "\(folder)/other", withIntermediateDirectories: false)
    for options in ["", "--when-full spill --spill other"] {
      let said = try run("record tick=timer:1ms --duration 20ms --append -o w.csv \(options)")
      XCTAssertTrue(
        said.contains("w.csv: 5 readings of an earlier run wait in w.csv-spill, and this run does not write them"), said
      )
    }
    let said = try run("record tick=timer:1ms --duration 20ms --append -o w.csv --when-full spill")
    XCTAssertTrue(said.contains("5 came from the spill of an earlier run"), said)
    XCTAssertFalse(said.contains("does not write them"), said)
  }

  /// As the folder of the spool is.
  func testTheFolderIsMade() throws {
    try run("record tick=timer:1ms --duration 20ms -o w.csv --when-full spill --spill spills")
    XCTAssertTrue(FileManager.default.fileExists(atPath: "\(folder)/spills"))
    let said = try run("record tick=timer:1ms --duration 20ms -o v.csv --when-full spill --spill no/spills", status: 1)
    XCTAssertTrue(
      said.contains("cannot make the folder no/spills: no such file or directory; give --wait-on-disk a folder"), said)
  }

  /// The words are those of what was given: nobody gave a plan.
  func testASpillThatNothingUses() throws {
    let said = try run("record tick=timer:1ms --count 1 -o w.csv --spill spills", status: 64)
    XCTAssertTrue(
      said.contains(
        "--spill alone does nothing: write --wait-on-disk DIR,SIZE instead"),
      said)
    XCTAssertFalse(said.contains("plan"), said)
  }

  /// A spill that was copied beside another file has the readings of the first one.
  func testASpillOfAnotherFileIsRefused() throws {
    try run("record tick=timer:1ms --duration 20ms -o w.csv")
    try makeLog("w.csv-spill", of: "other.csv")
    let said = try run("record tick=timer:1ms --duration 20ms --append --when-full spill -o w.csv", status: 64)
    XCTAssertTrue(
      said.contains(
        "w.csv-spill is for other streams or another file, and still has 5 readings of an earlier recording"),
      said)
  }

  /// Who reads the file is told that it does not have all readings.
  func testReadersNameWhatWaits() throws {
    try run("record tick=timer:1ms --duration 20ms -o w.csv")
    let told =
      "5 more readings wait in w.csv-spill: the next run of the recording with --append writes them, or: sluice spool "
    let commands = [
      "verify w.csv", "info w.csv", "replay w.csv --force -o again.csv", "convert w.csv --force -o w.jsonl",
      "plot w.csv -o w.svg",
    ]
    for command in commands { XCTAssertFalse(try run(command).contains("more readings wait"), command) }
    try makeLog("w.csv-spill")
    for command in commands {
      let said = try run(command)
      XCTAssertTrue(said.contains("w.csv: \(told)"), "\(command): \(said)")
    }
    try run("record tick=timer:1ms --duration 20ms --append --when-full spill -o w.csv")
    XCTAssertFalse(try run("info w.csv").contains("more readings wait"))
    try FileManager.default.createDirectory(atPath: "\(folder)/parts", withIntermediateDirectories: false)
    try run("record tick=timer:1ms --duration 20ms -o parts/p.csv --rotate 1k")
    try makeLog("parts/p.csv-spill", of: "p.csv")
    for path in ["parts", "parts/p.csv"] {
      XCTAssertTrue(try run("info \(path)").contains("5 more readings wait in parts/p.csv-spill"), path)
    }
    try FileManager.default.createDirectory(atPath: "\(folder)/stick", withIntermediateDirectories: false)
    try run("record tick=timer:1ms --duration 20ms --force --when-full spill --spill stick -o w.csv")
    try makeLog("stick/w.csv-spill", of: "w.csv")
    XCTAssertTrue(try run("info w.csv").contains("5 more readings wait in stick/w.csv-spill"))
  }

  /// Readings of an earlier run that cannot be read are lost.
  func testADamagedSpillIsALoss() throws {
    try run("record tick=timer:1ms --duration 20ms -o w.csv")
    try makeLog("w.csv-spill")
    let segment = "\(folder)/w.csv-spill/00000000000000000000.log"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: segment))
    let end = try XCTUnwrap(bytes.lastIndex { $0 != 0 })
    // In the payload, before the second head of the record.
    bytes[end - 50] ^= 1
    try bytes.write(to: URL(fileURLWithPath: segment))
    let said = try run(
      "record tick=timer:1ms --duration 20ms --append -o w.csv --when-full spill --max-loss 0", status: 3)
    XCTAssertTrue(said.contains("the spill of w.csv is damaged: 5 readings cannot be read, and count as lost"), said)
    XCTAssertTrue(said.contains("5 of an earlier run could not be read in the spill"), said)
    XCTAssertFalse(said.contains("nothing lost"), said)
    // On a busy machine, the timer may miss ticks too.
    XCTAssertTrue(said.contains("more than the 0 that --max-loss allows"), said)
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
