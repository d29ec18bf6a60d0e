import SluicePipeline
import SluiceReadings
import XCTest

@testable import SluiceTool

/// `--wait-on-disk`: what waits on the disk for files and for servers.
final class WaitOptionsTests: CommandTestCase {
  private func plan(_ line: String) throws -> RecordingPlan? {
    let parsed = try parsed(line.split(separator: " ").map(String.init))
    return try (parsed as? RecordCommand)?.recordingPlan() ?? (parsed as? ReplayCommand)?.recordingPlan()
  }

  private func refusal(_ line: String) -> String {
    do {
      _ = try plan(line)
      return ""
    } catch {
      return (error as? Fault)?.argument ?? "\(error)"
    }
  }

  func testAFileSpillsAndAServerHasASpool() throws {
    let file = try XCTUnwrap(plan("record timer:1s -o x.csv --wait-on-disk d,8G"))
    XCTAssertEqual(file.stages, [.buffer(whenFull: .spill)])
    XCTAssertEqual(file.spill, SpillPlan(folder: "d", size: .megabytes(8 << 10)))
    XCTAssertNil(file.sending)
    let own = try XCTUnwrap(plan("record timer:1s -o x.csv,buffer=100 --wait-on-disk d"))
    XCTAssertEqual(own.stages, [.buffer()], "the file has a buffer of its own")
    XCTAssertEqual(own.outputs[0].buffer, OutputPlan.Buffer(100, whenFull: .spill))
    #if SLUICE_CURL
      let server = try XCTUnwrap(plan("record timer:1s -o http://h/write?db=x --wait-on-disk d,2M"))
      XCTAssertEqual([server.sending?.spool, server.sending?.spoolSize?.description], ["d", "2M"])
      XCTAssertNil(server.spill)
      XCTAssertEqual(server.stages, [.buffer()])
      let both = try XCTUnwrap(plan("record timer:1s -o x.csv -o http://h/write?db=x --wait-on-disk d"))
      XCTAssertEqual([both.spill?.folder, both.sending?.spool], ["d", "d"])
      XCTAssertEqual(both.spills.map(\.isSpilling), [true, false])
      XCTAssertEqual(try plan("replay a.csv -o http://h/write?db=x --wait-on-disk d")?.sending?.spool, "d")
    #endif
  }

  func testOldOptionsMeanTheSame() throws {
    XCTAssertEqual(
      try plan("record timer:1s -o x.csv --when-full spill --spill d --spill-size 8G"),
      try plan("record timer:1s -o x.csv --wait-on-disk d,8G"))
  }

  /// What cannot wait on the disk is said before anything is opened.
  func testWhatIsRefused() {
    for (line, part) in [
      ("record timer:1s -o - --wait-on-disk d", "-o - is standard output"),
      ("record timer:1s -o d/ --wait-on-disk d", "d/ is a folder"),
      ("record timer:1s -o x.csv --buffer 0 --wait-on-disk d", "--buffer 0 means no buffer"),
      ("record timer:1s -o x.csv --when-full drop-oldest --wait-on-disk d", "--when-full drop-oldest drops it"),
      (
        "record timer:1s -o x.csv,buffer=5,when-full=fail --wait-on-disk d",
        "when-full=fail of x.csv ends the recording"
      ),
      ("record timer:1s -o x.csv --wait-on-disk d --spill e", "the new form of --spill and --spool"),
      ("record timer:1s -o x.csv --wait-on-disk d,8GB", "--wait-on-disk takes DIR[,SIZE], not d,8GB"),
      ("record timer:1s -o x.csv --wait-on-disk d,,8G", "--wait-on-disk takes DIR[,SIZE], not d,,8G"),
      ("record timer:1s -o x.csv --wait-on-disk d,1k", "SIZE of --wait-on-disk takes 64k or more"),
      ("replay a.csv -o x.csv --wait-on-disk d", "a replay waits for its files"),
      ("replay a.csv -o x.csv --spill d", "a replay waits for its files"),
    ] {
      XCTAssertTrue(refusal(line).contains(part), "\(line): \(refusal(line))")
    }
    XCTAssertEqual(refusal("record timer:1s -o x.csv --wait-on-disk d,8/"), "", "a folder with a comma")
  }

  /// A default that is written is given, too.
  func testAPlanTakesNothingBesidesTheLimitsOfARun() throws {
    try write("p.json", try run("plan json timer:1s -o x.csv --grace 60s"))
    for option in ["--grace 10s", "--when-full drop-oldest", "--time ns", "--wait-on-disk d", "timer:2s"] {
      let said = try run("plan check p.json \(option)", status: 64)
      XCTAssertTrue(said.contains("--plan describes the whole recording"), said)
    }
    XCTAssertEqual(try run("plan check p.json --duration 5s"), "the plan is right: 1 source, 1 output\n")
    XCTAssertTrue(try run("plan json p.json --count 7").contains(#""count": 7"#))
  }

  func testWhatAPlanIsMadeOf() throws {
    for (line, part) in [
      ("plan check info a.csv", "plan takes record, replay or convert, or a file, and not info"),
      ("plan check record timer:1s -o x --explain", "give one of them"),
      ("replay a.csv -o x.csv --print-schema", "unknown option '--print-schema'"),
      ("replay a.csv -o x.csv --check", "unknown option '--check'"),
      ("plan json", "missing argument"),
    ] {
      let said = try run(line, status: 64)
      XCTAssertTrue(said.contains(part), "\(line): \(said)")
    }
    XCTAssertEqual(try run("plan check -- timer:1s -o x"), "the arguments are right: 1 source, 1 output\n")
    XCTAssertEqual(
      try runShell("\"$SLUICE\" plan json timer:1s -o x | \"$SLUICE\" plan check -"),
      "the plan is right: 1 source, 1 output\n")
  }
}
