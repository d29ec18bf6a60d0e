import Foundation
import SluiceReadings
import TestDisk
import TestFiles
import XCTest

@testable import SluiceRecording

final class MetadataFileTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  func testItIsReplacedWhole() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    let path = file.path
    XCTAssertFalse(file.exists)
    // Of a process that was killed.
    try "torn".write(toFile: "\(path).new", atomically: false, encoding: .utf8)
    for number: Int64 in 1...2 {
      try file.write("{\"a\": \(number)}\n")
      XCTAssertEqual(folder.files, ["t.csv-metadata.json"])
      XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "{\"a\": \(number)}\n")
    }
  }

  private func document(_ began: Int64, _ earlier: EarlierMetadata?) -> String {
    var members = [
      #""@context": "http://www.w3.org/ns/csvw""#, #""url": "t.csv""#,
      #""tableSchema": {"columns": [{"name": "time_ns"}, {"name": "a"}]}"#, #""sluice:format": "csv""#,
      #""sluice:version": "1""#, #""sluice:state": "unfinished""#, #""sluice:values": "scaled""#,
      #""sluice:streams": [{"sluice:name": "a", "sluice:channels": [{"sluice:name": "x"}]}]"#,
      #""sluice:clocks": {"sluice:began_ns": \#(began)}"#,
    ]
    if let earlier, earlier.runs > 0 { members.append("\"sluice:earlier_runs\": \(earlier.runs)") }
    if let byte = earlier?.beganAtByte { members.append("\"sluice:began_at_byte\": \(byte)") }
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }

  private var runs: [Int64?] {
    get throws {
      let newest = try XCTUnwrap(TraceMetadata(beside: "\(folder)/t.csv"))
      return try RunsFile(beside: "\(folder)/t.csv").contents(besides: newest).runs.map { $0?.began }
    }
  }

  func testEarlierRunsAreKept() throws {
    try "time_ns,a\n".write(toFile: "\(folder)/t.csv", atomically: false, encoding: .utf8)
    for number in Int64(1)...3 {
      let file = MetadataFile(beside: "\(folder)/t.csv")
      let earlier = try file.begin(isAppending: number > 1, hasRows: number > 1) { document(number, $0) }
      XCTAssertEqual(earlier, EarlierMetadata(runs: Int(number) - 1, beganAtByte: number > 1 ? 10 : 0))
      try file.end(document(number, earlier))
      XCTAssertEqual(try runs, Array(1..<number))
    }
    XCTAssertEqual(folder.files, ["t.csv", "t.csv-metadata.json", "t.csv-runs.jsonl"])
    XCTAssertEqual(try TraceMetadata(beside: "\(folder)/t.csv")?.earlierRuns, 2)
    let file = MetadataFile(beside: "\(folder)/t.csv")
    _ = try file.begin(isAppending: false, hasRows: false) { document(9, $0) }
    XCTAssertEqual(folder.files, ["t.csv", "t.csv-metadata.json", "t.csv-metadata.json.room"])
    try file.end(document(9, nil))
    XCTAssertEqual(folder.files, ["t.csv", "t.csv-metadata.json"])
  }

  /// What a run wrote while it died is neither lost nor there twice.
  func testARunThatDiesBetweenTheTwoIsThereOnce() throws {
    let path = "\(folder)/t.csv"
    try "time_ns,a\n".write(toFile: path, atomically: false, encoding: .utf8)
    _ = try MetadataFile(beside: path).begin(isAppending: false, hasRows: false) { document(1, $0) }
    _ = try MetadataFile(beside: path).begin(isAppending: true, hasRows: true) { document(2, $0) }
    let before = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-metadata.json")))
    let old = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-runs.jsonl")))
    _ = try MetadataFile(beside: path).begin(isAppending: true, hasRows: true) { document(3, $0) }
    let new = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-runs.jsonl")))
    for length in old.count...new.count {
      for nuls in [0, 5_000] {
        try Data(before).write(to: URL(fileURLWithPath: path + "-metadata.json"))
        try Data(new[..<length] + [UInt8](repeating: 0, count: nuls)).write(
          to: URL(fileURLWithPath: path + "-runs.jsonl"))
        XCTAssertEqual(try runs, [1], "cut at \(length)")
        let earlier = try MetadataFile(beside: path).begin(isAppending: true, hasRows: true) { document(4, $0) }
        XCTAssertEqual(earlier?.runs, 2)
        XCTAssertEqual(try runs, [1, 2], "cut at \(length)")
        XCTAssertEqual(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path + "-runs.jsonl"))), new)
      }
    }
  }

  /// A run that died between its header and its document has left no row that something should describe.
  func testAHeaderAloneIsNoRow() throws {
    for (text, expected) in [("time_ns,a\n", false), ("time_ns,a\n1,2\n", true), ("{\"time_ns\":1}\n", true)] {
      try text.write(toFile: "\(folder)/t.csv", atomically: false, encoding: .utf8)
      try? FileManager.default.removeItem(atPath: "\(folder)/t.csv-metadata.json")
      let earlier = try MetadataFile(beside: "\(folder)/t.csv").begin(isAppending: true, hasRows: true) { _ in "{}" }
      XCTAssertEqual(earlier?.hasUndescribedRows, expected, text)
    }
  }

  /// The old document is not overwritten by one that could not keep it.
  func testWhatCannotBeKeptIsKeptAtTheEnd() throws {
    let path = "\(folder)/t.csv"
    try "time_ns,a\n".write(toFile: path, atomically: false, encoding: .utf8)
    try MetadataFile(beside: path).write(document(1, nil))
    try FileManager.default.createDirectory(atPath: path + "-runs.jsonl", withIntermediateDirectories: false)
    let file = MetadataFile(beside: path)
    XCTAssertThrowsError(try file.begin(isAppending: true, hasRows: true) { document(2, $0) }) { error in
      XCTAssertEqual("\(error)", "cannot append to \(path)-runs.jsonl: is a directory")
    }
    XCTAssertThrowsError(try file.end(document(2, nil)))
    XCTAssertEqual(try TraceMetadata(beside: path)?.began, 1)
    try FileManager.default.removeItem(atPath: path + "-runs.jsonl")
    try file.end(document(2, nil))
    XCTAssertEqual(try TraceMetadata(beside: path)?.began, 2)
    XCTAssertEqual(try runs, [1])
  }

  /// On a full disk, the last document is written into the room that was kept for it. If it is too long, it is a short one.
  func testTheLastDocumentOnAFullDisk() throws {
    for isLong in [false, true] {
      let disk = ModelDisk(seed: 1)
      disk.keepsAllocated = true
      disk.room = 100_000
      let file = MetadataFile(beside: "d/t.csv", Disk(files: disk, sync: .batch))
      _ = try file.begin(isAppending: false, hasRows: false) { document(1, $0) }
      XCTAssertEqual(disk.paths, ["d/t.csv-metadata.json", "d/t.csv-metadata.json.room"])
      disk.room = 0
      XCTAssertThrowsError(try file.update("2"))
      try file.end(isLong ? String(repeating: "x", count: 60_000) : "long") { "short" }
      XCTAssertEqual(disk.text("d/t.csv-metadata.json"), isLong ? "short" : "long")
      XCTAssertEqual(disk.paths, ["d/t.csv-metadata.json"])
    }
  }

  /// Marks make the document longer while it records, and the room grows with it as long as the disk has any.
  func testTheRoomGrowsWithTheDocument() throws {
    let disk = ModelDisk(seed: 1)
    disk.keepsAllocated = true
    disk.room = 300_000
    let file = MetadataFile(beside: "d/t.csv", Disk(files: disk, sync: .batch))
    _ = try file.begin(isAppending: false, hasRows: false) { document(1, $0) }
    try file.update(String(repeating: "m", count: 60_000))
    disk.room = 0
    try file.end(String(repeating: "x", count: 400_000)) { String(repeating: "s", count: 61_000) }
    XCTAssertEqual(disk.text("d/t.csv-metadata.json")?.prefix(1), "s")
    XCTAssertEqual(disk.paths, ["d/t.csv-metadata.json"])
  }

  /// A killed run with parts leaves a room for all of them, and the next one may go on in a part without making another.
  func testTheRoomBesideAPart() throws {
    let disk = ModelDisk(seed: 1)
    try Disk(files: disk, sync: .batch).files.replace("d/t.csv-metadata.json.room", with: [], syncs: false)
    let file = MetadataFile(beside: "d/t.000001.19700101T000000Z.csv", Disk(files: disk, sync: .batch))
    _ = try file.begin(isAppending: true, hasRows: true) { document(1, $0) }
    try file.end(document(1, nil))
    XCTAssertEqual(disk.paths, ["d/t.000001.19700101T000000Z.csv-metadata.json"])
  }

  /// A run that was killed leaves its room, and the next one takes it over.
  func testTheRoomOfAKilledRun() throws {
    let disk = ModelDisk(seed: 1)
    for number: Int64 in 1...2 {
      let file = MetadataFile(beside: "d/t.csv", Disk(files: disk, sync: .batch))
      _ = try file.begin(isAppending: true, hasRows: number == 2) { document(number, $0) }
      if number == 2 { try file.end(document(2, nil)) }
      XCTAssertEqual(disk.paths.contains("d/t.csv-metadata.json.room"), number == 1)
      disk.kill()
    }
  }

  func testAFailureLeavesNothingBehind() throws {
    let file = MetadataFile(beside: "\(folder)/t.csv")
    let path = file.path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    XCTAssertThrowsError(try file.write("null")) { error in
      XCTAssertTrue("\(error)".hasPrefix("cannot write \(path): is a directory"), "\(error)")
    }
    XCTAssertEqual(folder.files, ["t.csv-metadata.json"])
    XCTAssertThrowsError(try MetadataFile(beside: "\(folder)/no/t.csv").write("null")) { error in
      XCTAssertEqual((error as? SluiceError)?.code, .notFound)
    }
  }
}
