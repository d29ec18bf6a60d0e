import Foundation
import SluiceLog
import SluiceReadings
import XCTest

@testable import SluicePipeline

/// What `sluice spool` says of a log, and what it writes.
final class SpoolCommandTests: CommandTestCase {
  private func reading(_ number: Int) -> Reading {
    let flags: Reading.Flags = number % 1_000 == 7 ? .gapBefore : []
    let stream = StreamID(UInt16(number % 2))
    return Reading(time: Int64(number) * 1_000_000_000, stream: stream, values: Values(Int64(number)), flags: flags)
  }

  /// A log of two streams, with some of its readings in its output already.
  private func makeLog(_ name: String = "w.csv-spill") throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
    let streams = ["imu", "door"].map { StreamDescription(name: $0, channels: [.init(name: "x")]) }
    var limits = SegmentLog.Limits()
    limits.segment = 4_096
    let log = try SegmentLog(
      "\(folder)/\(name)", limits: limits, streams: SpillFolder.described(streams, of: "walk.csv"))
    for start in 0..<40 { try log.append((start * 100..<start * 100 + 100).map { reading($0) }) }
    try log.advance(LogWatermark(next: 1_000))
    log.close()
  }

  func testWhatIsThere() throws {
    try makeLog()
    let said = try run("spool w.csv-spill")
    XCTAssertTrue(said.hasPrefix("w.csv-spill: 3,000 readings in "), said)
    XCTAssertTrue(said.contains("\nfrom 1970-01-01T00:16:40.000Z to 1970-01-01T01:06:39.000Z\n"), said)
    XCTAssertTrue(said.contains("\nstreams: imu, door\nsequence numbers: 1,000 to 3,999\n"), said)
    let verified = try run("spool w.csv-spill --verify")
    XCTAssertTrue(verified.contains("\nstreams: imu 1,500, door 1,500 (3 gaps)\n"), verified)
    XCTAssertTrue(verified.hasSuffix("every reading can be read\n"), verified)
    XCTAssertTrue(try run("spool w.csv-spill --json --verify").contains(#""first": 1000, "next": 4000"#))
  }

  /// Whoever only reads needs no right to write, and a recording may open it meanwhile.
  func testReadingChangesNothing() throws {
    try makeLog()
    try FileManager.default.removeItem(atPath: "\(folder)/w.csv-spill/lock")
    for command in ["spool w.csv-spill --verify", "info w.csv-spill", "replay w.csv-spill -o all.csv"] {
      try run(command)
      XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/w.csv-spill/lock"), command)
    }
    let log = try SegmentLog("\(folder)/w.csv-spill")
    defer { log.close() }
    XCTAssertTrue(try run("spool w.csv-spill", status: 1).contains("another process has it open"))
  }

  /// The file beside the log says how many readings it had.
  func testTheLossOfItsEndIsSaid() throws {
    for isCut in [false, true] {
      let name = "spool-\(isCut)"
      try makeLog(name)
      try write("\(name)/times.json", #"{"next":4000,"streams":{"imu":1}}"#)
      XCTAssertTrue(try run("spool \(name) --verify").hasSuffix("every reading can be read\n"))
      let segments = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)").filter {
        $0.hasSuffix(".log")
      }
      let last = "\(folder)/\(name)/\(try XCTUnwrap(segments.max()))"
      if isCut {
        let bytes = try XCTUnwrap(FileManager.default.contents(atPath: last))
        try bytes.prefix(bytes.count * 2 / 3).write(to: URL(fileURLWithPath: last))
      } else {
        try FileManager.default.removeItem(atPath: last)
      }
      let said = try run("spool \(name) --verify", status: 1)
      XCTAssertTrue(said.hasPrefix("\(name): 3,000 readings in "), said)
      XCTAssertTrue(said.contains("\ndamaged: "), said)
      XCTAssertFalse(said.contains("every reading can be read"), said)
      XCTAssertTrue(try run("spool \(name) --verify --json", status: 1).contains(#""next": 4000}"#))
      // The others can be written to a file.
      try run("spool \(name) -o \(name).csv", status: 1)
      XCTAssertGreaterThan(try rows("\(name).csv").count, 2_000)
    }
    // All of them are lost.
    try makeLog("none")
    try write("none/times.json", #"{"next":4000,"streams":{"imu":1}}"#)
    for segment in try FileManager.default.contentsOfDirectory(atPath: "\(folder)/none") where segment.hasSuffix(".log")
    {
      try FileManager.default.removeItem(atPath: "\(folder)/none/\(segment)")
    }
    XCTAssertTrue(
      try run("spool none --verify", status: 1).contains("damaged: 3,000 readings from number 1,000 on cannot be read"))
  }

  /// It is written once, and then nothing is left.
  func testItIsEmptied() throws {
    try makeLog()
    try run("spool w.csv-spill -o rest.csv")
    XCTAssertEqual(try rows("rest.csv").count, 3_001)
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/w.csv-spill"))
    let said = try run("spool w.csv-spill", status: 1)
    XCTAssertTrue(said.contains("cannot read w.csv-spill: no such file or directory"), said)
  }

  /// The file is there already: nothing is removed.
  func testAFileThatExists() throws {
    try makeLog()
    try write("rest.csv", "")
    try run("spool w.csv-spill -o rest.csv", status: 1)
    XCTAssertTrue(try run("spool w.csv-spill").contains("3,000 readings"))
  }

  func testDamage() throws {
    try makeLog()
    let name = try XCTUnwrap(
      FileManager.default.contentsOfDirectory(atPath: "\(folder)/w.csv-spill").filter { $0.hasSuffix(".log") }.max())
    let path = "\(folder)/w.csv-spill/\(name)"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    // Within the payload of the last record.
    bytes[bytes.count - 60] ^= 1
    try bytes.write(to: URL(fileURLWithPath: path))
    let said = try run("spool w.csv-spill --verify", status: 1)
    XCTAssertTrue(said.hasSuffix("damaged: 100 readings from number 3,900 on cannot be read\n"), said)
    try run("spool w.csv-spill -o rest.csv", status: 1)
    XCTAssertEqual(try rows("rest.csv").count, 2_901)
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/w.csv-spill"), ["\(name).damaged"])
  }

  func testWhatIsNoLog() throws {
    try write("a.txt", "")
    XCTAssertTrue(
      try run("spool .", status: 1).contains(
        "cannot read .: this folder has no log; give the folder"))
    XCTAssertTrue(try run("spool a.txt", status: 1).contains("cannot read a.txt: not a directory"))
    // As the folder of --spool, in which each server has its own.
    try makeLog()
    try runShell("mkdir '\(folder)/spool' && mv '\(folder)/w.csv-spill' '\(folder)/spool/http_h-1'")
    XCTAssertTrue(
      try run("spool spool", status: 1).contains(
        "cannot read spool: this folder has no log; give the folder in it that has one: spool/http_h-1"))
    XCTAssertTrue(try run("spool x -o -", status: 64).contains("spool -o takes a file"))
  }
}
