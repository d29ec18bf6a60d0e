import Foundation
import XCTest

/// Nothing that is read, and nothing that somebody else made, is destroyed.
final class OutputSafetyTests: CommandTestCase {
  private let trace = "time_ns,x\n" + (0..<60_000).map { "\($0)00000,\($0)\n" }.joined()

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
  }

  private var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted() }

  /// By whatever path it is reached.
  func testATraceIsNotAnOutput() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: false)
    try write("d/imu.csv", trace)
    try runShell("cd d && ln imu.csv hard.csv && ln -s imu.csv soft.csv && mkdir e && ln imu.csv e/imu.csv")
    for output in ["d/imu.csv", "d/hard.csv", "d/soft.csv", "d", "d/", "d/e"] {
      for existing in ["--force", "--append"] {
        let said = try run("replay d/imu.csv --throttle 100ms \(existing) -o \(output)", status: 64)
        XCTAssertTrue(said.contains("cannot write d/"), said)
        XCTAssertTrue(try text("d/imu.csv") == trace, "\(output) \(existing)")
      }
    }
    let said = try runShell("\"$SLUICE\" replay d/imu.csv -o - 2>&1 >>d/imu.csv", status: 64)
    XCTAssertTrue(said.contains("cannot write standard output"), said)
    try runShell("\"$SLUICE\" replay - --force -o d/imu.csv <d/imu.csv", status: 64)
    XCTAssertTrue(try text("d/imu.csv") == trace)
    XCTAssertEqual(names, ["d"])
  }

  /// The metadata of an output is an output too.
  func testATraceIsNotMetadata() throws {
    try write("imu.csv", trace)
    try runShell("ln imu.csv out.csv-metadata.json")
    try run("replay imu.csv --force -o out.csv", status: 64)
    XCTAssertTrue(try text("imu.csv") == trace)
    XCTAssertEqual(names, ["imu.csv", "out.csv-metadata.json"])
  }

  func testAPolledFileIsNotAnOutput() throws {
    try write("temp", "21\n")
    try runShell("ln temp out.csv; \"$SLUICE\" record poll:temp@1ms --count 3 --force -o out.csv", status: 64)
    XCTAssertEqual(try text("temp"), "21\n")
  }

  func testATwinOfAnotherOutputIsRefused() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,level,1\n2,b,x,5\n")
    try runShell("mkdir d && echo mine >d/a.csv && ln d/a.csv d/b.csv")
    let said = try run("replay in.csv --force -o d", status: 64)
    XCTAssertTrue(said.contains("it is the same file as d/a.csv"), said)
    XCTAssertEqual(try text("d/a.csv"), "mine\n")
  }

  /// All files are open before one of them is changed.
  func testAFolderOfWhichOneFileCannotBeWrittenStaysAsItIs() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,level,1\n2,b,x,5\n")
    try runShell("mkdir -p d/b.csv && echo mine >d/a.csv")
    let said = try run("replay in.csv --force -o d", status: 1)
    XCTAssertTrue(said.contains("cannot write d/b.csv"), said)
    XCTAssertEqual(try text("d/a.csv"), "mine\n")
    try runShell("rmdir d/b.csv && rm d/a.csv && ln -s t d/a.csv && ln -s t d/b.csv")
    let twins = try run("replay in.csv --force -o d", status: 64)
    XCTAssertTrue(twins.contains("cannot write d/a.csv: it is a symbolic link"), twins)
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/d/t"))
  }

  /// In a folder that others may write to, somebody else may have made the link.
  func testASymbolicLinkIsNotFollowedToAFile() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try runShell("echo mine >target && ln -s target out.csv")
    for option in ["", "--force", "--append"] {
      let said = try run("replay in.csv \(option) -o out.csv", status: option.isEmpty ? 1 : 64)
      XCTAssertTrue(said.contains(option.isEmpty ? "file exists" : "it is a symbolic link"), said)
    }
    XCTAssertEqual(try text("target"), "mine\n")
    XCTAssertEqual(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/out.csv"), "target")
  }

  /// Nothing there can be lost.
  func testASymbolicLinkToAPipeIsFollowed() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try runShell("ln -s /dev/stdout out.csv; \"$SLUICE\" replay in.csv --force -o out.csv 2>/dev/null | tail -1 >last")
    XCTAssertEqual(try text("last"), "1,5\n")
  }

  /// As other programs do.
  func testTheUmaskSaysWhoMayReadAFile() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try runShell("umask 027; \"$SLUICE\" replay in.csv -q -o a.csv; umask 002; \"$SLUICE\" replay in.csv -q -o b.csv")
    try runShell("stat -c %a a.csv a.csv-metadata.json b.csv b.csv-metadata.json >modes")
    XCTAssertEqual(try text("modes"), "640\n640\n664\n664\n")
  }

  func testMetadataIsNoRecording() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try run("replay in.csv -o out.csv")
    let before = try text("out.csv-metadata.json")
    let said = try run("replay in.csv --force -o out.csv-metadata.json", status: 64)
    XCTAssertTrue(said.contains("it is the metadata of out.csv"), said)
    XCTAssertEqual(try text("out.csv-metadata.json"), before)
  }

  func testTwoOutputsAreTwoFiles() throws {
    for (outputs, sentence) in [
      ("-o a.csv -o a.csv", "-o a.csv is given twice; give each output a file of its own"),
      ("-o a.csv -o ./a.csv", "cannot write ./a.csv: it is the same file as a.csv"),
      ("-o - -o -", "-o - is given twice"),
    ] {
      let said = try run("record timer:1ms --count 5 \(outputs)", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
      XCTAssertEqual(names, [])
    }
    try run("record timer:1ms --count 5 -o a.csv -o b.csv")
    XCTAssertEqual(try text("a.csv"), try text("b.csv"))
    XCTAssertEqual(try text("a.csv").split(separator: "\n").count, 6)
  }

  /// What one output makes beside its file is no place for another.
  func testAnOutputIsNotThePartOfAnother() throws {
    for (outputs, sentence) in [
      ("-o x.csv -o x.csv-metadata.json", "cannot write x.csv-metadata.json: it is the metadata of x.csv"),
      (
        "-o x.csv-metadata.json -o ./x.csv",
        "cannot write ./x.csv-metadata.json: it is the same file as x.csv-metadata.json"
      ),
      ("-o x.db -o x.db-wal", "cannot write x.db-wal: it is a part of x.db"),
    ] {
      let said = try run("record sim:meter --count 3 \(outputs)", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
      XCTAssertEqual(names, [])
    }
  }

  /// One output is emptied only if all others can be written.
  func testARunThatIsRefusedHasChangedNothing() throws {
    try write("a.csv", "time_ns,level\n1,0\n")
    try write("b.csv", "time_ns,other\n1,0\n")
    let before = try text("a.csv")
    try write(
      "p.json",
      #"{"version": 1, "sources": [{"kind": "sim", "what": "meter"}], "limits": {"count": 3}, "outputs": ["#
        + #"{"path": "a.csv", "existing": "overwrite"}, {"path": "b.csv", "existing": "append"}]}"#)
    XCTAssertTrue(try run("record --plan p.json", status: 1).contains("cannot append to b.csv"))
    XCTAssertEqual(try text("a.csv"), before)
    try run("record sim:meter --count 3 --force -o a.csv -o /dev/full", status: 1)
    XCTAssertEqual(try text("a.csv"), before)
    try run("record sim:meter --count 3 -o new.db -o /dev/full", status: 1)
    XCTAssertEqual(names, ["a.csv", "b.csv", "p.json"])
  }

  func testAFileIsAppendedToInItsOwnFormatOnly() throws {
    try run("record sim:meter --count 3 -o x.csv")
    let before = try text("x.csv")
    let said = try run("record sim:meter --count 2 --format jsonl --append -o x.csv", status: 1)
    XCTAssertTrue(said.contains("its metadata says that it is csv, not jsonl"), said)
    try FileManager.default.removeItem(atPath: "\(folder)/x.csv-metadata.json")
    let other = try run("record sim:meter --count 2 --format jsonl --append -o x.csv", status: 1)
    XCTAssertTrue(other.contains("its first line is no object of JSON"), other)
    XCTAssertEqual(try text("x.csv"), before)
    let vcd = try run("record sim:meter --count 2 --format vcd --append -o x.csv", status: 64)
    XCTAssertTrue(vcd.contains("nothing can be appended"), vcd)
  }

  // MARK: What failed leaves nothing behind

  func testAReplayThatFailsAtOnceLeavesNoFile() throws {
    try write("in.csv", "time_ns,x\n1,oops\n")
    for output in ["out.csv", "new/"] {
      for _ in 0..<2 {
        let said = try run("replay in.csv -o \(output)", status: 1)
        XCTAssertTrue(said.contains("line 2, column 2"), said)
        XCTAssertFalse(said.contains("lost"), said)
      }
    }
    XCTAssertEqual(names, ["in.csv"])
    try write("out.csv", "")
    try run("replay in.csv -o out.csv --append", status: 1)
    XCTAssertEqual(names.filter { !$0.hasSuffix("json") }, ["in.csv", "out.csv"], "that was there before")
  }

  func testWhatWasWrittenBeforeAnErrorStays() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,level,1\n2,b,x,oops\n")
    let said = try run("replay in.csv -o d/", status: 1)
    XCTAssertFalse(said.contains("lost"), said)
    let kept = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/d").sorted()
    XCTAssertEqual(kept, ["a.csv", "a.csv-metadata.json"])
  }

  // MARK: Folders

  func testATrailingSlashMakesTheFolder() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,level,1\n2,b,x,5\n")
    try run("replay in.csv -o d/")
    XCTAssertEqual(try rows("d/a.csv"), ["time_ns,a", "1,1"])
    let said = try run("replay in.csv -o no/such/", status: 1)
    XCTAssertTrue(said.contains("cannot make the folder no/such"), said)
  }

  func testAFolderTakesTheLayout() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,level,1\n2,b,x,5\n")
    try run("replay in.csv --layout long -o d/")
    XCTAssertEqual(try rows("d/b.csv"), ["time_ns,stream,channel,value", "2,b,x,5"])
  }

  // MARK: Names

  func testTwoTimersAreTwoStreams() throws {
    let said = try run("record timer:1ms timer:1ms --count 100 -o x.csv", status: 64)
    XCTAssertTrue(said.contains("two streams called \"timer 1ms\""), said)
    XCTAssertEqual(names, [])
    try run("record a=timer:1ms b=timer:1ms --count 20 --layout wide -o x.csv")
    XCTAssertEqual(try rows("x.csv").first, "time_ns,a,b")
    XCTAssertEqual(try rows("x.csv").count, 21)
  }
}
