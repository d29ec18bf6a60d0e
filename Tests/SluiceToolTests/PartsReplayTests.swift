import Foundation
import SluiceRecording
import XCTest

/// `sluice replay` of a recording that was rotated.
final class PartsReplayTests: CommandTestCase {
  /// Makes a part of what the command itself has recorded.
  private func part(_ number: Int, of file: String = "walk.csv") throws {
    let name = PartName(stem: "walk", number: number, time: 0, ending: "csv").text
    try runShell("mkdir -p d; mv \(file) d/\(name); mv \(file)-metadata.json d/\(name)-metadata.json")
  }

  private func record(_ numbers: [Int]) throws {
    for number in numbers {
      // A busy machine may miss a tick of 5 ms, and that would be a loss.
      try run("record a=timer:50ms b=timer:50ms --count 4 -q -o walk.csv")
      try part(number)
    }
  }

  func testItsPartsAreOneTrace() throws {
    try record([2, 3, 4])
    let parts =
      try rows("d/walk.000002.19700101T000000Z.csv")
      + [3, 4].flatMap {
        try rows("d/walk.00000\($0).19700101T000000Z.csv").dropFirst()
      }
    try write("d/walk.csv-parts.jsonl", "{}")
    for trace in ["d", "d/walk.csv"] {
      // Each part is of a run of its own.
      let said = try run("replay \(trace) --layout wide --max-loss 0 -o all.csv --force", status: 3)
      XCTAssertTrue(said.contains("nothing lost in replay; in the recording 2 restarts (nothing recorded"), said)
      try run("replay d --layout long -o all.csv --force")
      XCTAssertEqual(try rows("all.csv").count, 13)
    }
    try run("replay d/walk.csv -o same.csv")
    XCTAssertEqual(try rows("same.csv"), parts)
  }

  /// A flag is noted when its reading is received, and the row may be in a later part.
  func testFlagsOfRowsInLaterPartsAreKept() throws {
    let flags = [(1, ""), (2, ",\"flags\":[\"gap_before\"]"), (3, ",\"flags\":[\"late\"]"), (4, "")]
    let lines = flags.map { "{\"time_ns\":\($0)000000000,\"stream\":\"a\",\"values\":{\"x\":\($0)}\($1)}" }
    try write("in.jsonl", lines.joined(separator: "\n") + "\n")
    for name in ["walk.csv", "walk.vcd", "walk.jsonl"] {
      try run("replay in.jsonl --rotate 1s -o \(name)")
      try run("replay \(name) -o back-\(name).jsonl")
      XCTAssertEqual(try rows("back-\(name).jsonl"), lines, name)
    }
  }

  /// `--format` decides the format of a file, whatever its ending.
  func testPartsOfANameWithAnotherEndingAreReadByTheirName() throws {
    try write("in.jsonl", "{\"time_ns\":1,\"stream\":\"a\",\"values\":{\"x\":1}}\n")
    for name in ["walk.log", "walk.db"] {
      try run("replay in.jsonl --format csv --rotate 1s -o \(name)")
      for command in ["replay \(name) -o \(name).csv", "verify \(name)", "info \(name)", "repair \(name)"] {
        try run(command)
      }
      XCTAssertEqual(try rows("\(name).csv").last, "1,1")
    }
  }

  #if SLUICE_ARCHIVE
    /// Whoever needs space compresses old parts.
    func testPartsThatWereCompressedLaterAreParts() throws {
      try record([1, 2, 3])
      try run("replay d -o plain.csv")
      for command in ["gzip d/walk.000002.*Z.csv", "gzip d/walk.000001.*Z.csv d/walk.000003.*Z.csv"] {
        try runShell(command)
        for trace in ["d", "d/walk.csv"] {
          let said = try run("replay \(trace) -o all.csv --force")
          XCTAssertTrue(said.contains("nothing lost in replay; in the recording 2 restarts (nothing recorded"), said)
          XCTAssertEqual(try rows("all.csv"), try rows("plain.csv"))
          XCTAssertTrue(try run("verify \(trace)").contains("no part is missing up to number 3"))
        }
      }
      try runShell("gunzip -k d/walk.000002.*Z.csv.gz")
      let said = try run("replay d -o two.csv", status: 1)
      XCTAssertTrue(said.contains("has the same number; move away the one that does not belong"), said)
    }
  #endif

  /// The rows of all parts are whole, so one damaged document must not take them away.
  func testAPartWhoseMetadataIsDamaged() throws {
    try record([1, 2, 3])
    try run("replay d -o whole.csv")
    for number in [2, 3] {
      let document = "d/walk.00000\(number).19700101T000000Z.csv-metadata.json"
      try runShell("head -c 300 \(document) > cut && mv cut \(document)")
      let said = try run("replay d -o all.csv --force")
      XCTAssertEqual(
        said.components(separatedBy: "\(document): it is not JSON (line 13, ").count, 2, said)
      XCTAssertEqual(try rows("all.csv"), try rows("whole.csv"))
      XCTAssertTrue(try run("info d").contains("12 readings"))
      XCTAssertTrue(try run("verify d", status: 1).contains("\(document): it is not JSON"))
      // Nobody knows what this part has lost.
      try run("replay d --max-loss 0 -o limited.csv --force", status: 1)
    }
    let said = try run("record a=timer:50ms b=timer:50ms --count 4 -o d/walk.csv --rotate 1h --append")
    XCTAssertTrue(said.contains("it is kept under another name"), said)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/d").filter {
      $0.hasSuffix(".unreadable")
    }
    XCTAssertEqual(names, ["walk.000003.19700101T000000Z.csv-metadata.json.unreadable"], "that of the newest part")
    try run("replay d -o all.csv --force")
    XCTAssertEqual(try rows("all.csv").dropLast(4), try rows("whole.csv")[...])
  }

  /// Nobody knows what a part had that is missing.
  func testAPartThatIsMissingIsNotVouchedFor() throws {
    try record([2, 5])
    let said = try run("replay d -o all.csv")
    XCTAssertTrue(said.contains("d/walk.csv: parts 3, 4 are missing, and nobody knows what they had"), said)
    XCTAssertTrue(said.contains("in the recording 2 missing parts"), said)
    XCTAssertFalse(said.contains("the recording lost nothing"), said)
    let refused = try run("replay d --max-loss 0 -o more.csv", status: 1)
    XCTAssertTrue(refused.contains("parts of the recording are missing, and nobody knows what they had"), refused)
    // What was made of it says so too.
    let again = try run("replay all.csv --max-loss 0 -o more.csv", status: 1)
    XCTAssertTrue(again.contains("parts of the recording are missing"), again)
  }

  /// Rows that are missing from a part are missing from the whole.
  func testTheAccountsOfThePartsAreAddedUp() throws {
    try record([1, 2])
    try runShell("sed -i '$d' d/walk.000001.19700101T000000Z.csv")
    let said = try run("replay d --max-loss 0 -o all.csv", status: 3)
    XCTAssertTrue(said.contains("1 missing from the trace, by its metadata"), said)
  }

  /// Two files would have to be open for each part of two series.
  func testFewDescriptorsAreEnough() throws {
    for number in 1...300 {
      for stem in ["left", "right"] {
        try write(
          "\(PartName(stem: stem, number: number, time: 0, ending: "csv").text)", "time_ns,v\n\(number),\(number)\n")
      }
    }
    try runShell("ulimit -n 64; mkdir ../$(basename $PWD)-o && $SLUICE replay . -q -o ../$(basename $PWD)-o/all.csv")
    try runShell("mv ../$(basename $PWD)-o/all.csv all.csv; rm -r ../$(basename $PWD)-o")
    XCTAssertEqual(try rows("all.csv").count, 601)
  }
}
