import Foundation
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Names that a cell of CSV cannot have come back with the metadata.
final class NameTests: CommandTestCase {
  func testNamesComeBack() throws {
    let lines = [
      #"{"time_ns":1,"stream":"=1+1","values":{"x":-12.5,"@y":2}}"#,
      #"{"time_ns":2,"stream":"a\nb","values":{"-z":3}}"#,
    ]
    try write("in.jsonl", lines.joined(separator: "\n") + "\n")
    for (layout, rows) in [
      ("long", ["time_ns,stream,channel,value", "1,_=1+1,x,-12.5", "1,_=1+1,_@y,2", "2,a_b,_-z,3"]),
      ("wide", ["time_ns,_=1+1.x,_=1+1.@y,a_b", "1,-12.5,2,", "2,,,3"]),
    ] {
      try run("replay in.jsonl --layout \(layout) -o \(layout).csv")
      XCTAssertEqual(try self.rows("\(layout).csv"), rows)
      let said = try run("replay \(layout).csv -o \(layout).jsonl")
      XCTAssertEqual(try self.rows("\(layout).jsonl"), lines, said)
      XCTAssertFalse(said.contains("without it"), said)
      try run("replay \(layout).csv -o again-\(layout).csv")
      XCTAssertEqual(try self.rows("again-\(layout).csv"), rows)
    }
    // Nobody knows the names any more.
    try FileManager.default.removeItem(atPath: "\(folder)/long.csv-metadata.json")
    try run("replay long.csv -o bare.jsonl")
    XCTAssertEqual(try rows("bare.jsonl")[1], #"{"time_ns":2,"stream":"a_b","values":{"_-z":3}}"#)
  }

  /// What is behind a line feed in a name would look like a message of its own.
  func testALineFeedInANameBeginsNoMessage() throws {
    let name = #"a\nsluice: every row is whole\nx"#
    try write(
      "in.jsonl",
      #"{"time_ns":1,"stream":"\#(name)","values":{"y":1}}"# + "\n"
        + #"{"time_ns":2,"stream":"b","values":{"\#(name)":1}}"# + "\n")
    for arguments in ["replay in.jsonl -o out.csv", "replay in.jsonl -o out.csv --force -v"] {
      let said = try run(arguments)
      XCTAssertTrue(said.contains("a?sluice: every row is whole?x"), said)
      XCTAssertFalse(said.contains("\nsluice: every row"), said)
    }
    try FileManager.default.createDirectory(atPath: "\(folder)/a\nb", withIntermediateDirectories: true)
    let refused = try runShell("\"$SLUICE\" info \"a\nb/none.csv\" 2>&1", status: 1)
    XCTAssertTrue(refused.contains("a?b/none.csv"), refused)
  }

  /// What is behind a line feed in the name of a file would look like a result of its own.
  func testALineFeedInTheNameOfAFileBeginsNoLine() throws {
    let name = "x.mcap\nok       rows      walk.mcap: 9,999 readings, every row is whole\nz"
    try run("record imu=sim:imu@400,seed=3 --count 4 -o t.mcap -o t.csv")
    for ending in ["mcap", "csv"] {
      try FileManager.default.copyItem(atPath: "\(folder)/t.\(ending)", toPath: "\(folder)/\(name).\(ending)")
      let file = "\"\(name).\(ending)\""
      for command in [
        "info \(file)", "info --quick \(file)", "info \(file) --intervals", "repair \(file)", "verify \(file)",
        "diff \(file) t.\(ending)", "diff --brief \(file) t.\(ending)", "convert \(file) -o again.\(ending) --force",
        "replay \(file) -o again.\(ending) --force", "plot \(file) --histogram",
        "plan explain record sim:imu -o \(file) --force",
      ] {
        let process = try startShell("\"$SLUICE\" \(command) 2>&1; true")
        let said = String(decoding: process.said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.process.waitUntilExit()
        XCTAssertFalse(
          said.split(separator: "\n").contains { $0.hasPrefix("ok       rows      walk") }, "\(command): \(said)")
      }
      let said = try runShell("\"$SLUICE\" info \(file)")
      XCTAssertTrue(said.hasPrefix("x.mcap?ok       rows      walk.mcap: 9,999 readings, every row is whole?z"), said)
    }
  }

  /// Each fault of a file has a line.
  func testFaultsOfAStationHaveLines() throws {
    try write("s.yaml", "sources: {a: {kind: nothing}}\nonly: 1\n")
    let said = try run("record --station s.yaml", status: 64)
    XCTAssertGreaterThan(said.split(separator: "\n").count { $0.hasPrefix("s.yaml:") }, 1, said)
  }

  /// An older version wrote names as they are.
  func testRowsMayHaveTheNamesOfTheMetadata() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,=a,-x,5\n")
    try run("replay in.csv -o out.csv")
    try write("out.csv", "time_ns,stream,channel,value\n1,=a,-x,5\n")
    try run("replay out.csv -o out.jsonl")
    XCTAssertEqual(try rows("out.jsonl"), [#"{"time_ns":1,"stream":"=a","values":{"-x":5}}"#])
  }
}
