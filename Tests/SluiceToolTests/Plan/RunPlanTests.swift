import Foundation
import XCTest

@testable import SluicePipeline

final class RunPlanTests: CommandTestCase {
  /// The same readings as by arguments, but for the moment at which they begin.
  func testAPlanRuns() throws {
    let arguments = "sim:meter@200,seed=4 --count 60 --every 2 --meta site=here"
    try run("record \(arguments) -o a.csv")
    try write("plan.json", try run("plan json record \(arguments) -o b.csv -o b.jsonl"))
    let said = try run("record --plan plan.json")
    XCTAssertTrue(said.hasPrefix("recorded 60 readings"), said)
    func values(_ name: String) throws -> [Substring] { try rows(name).map { $0.split(separator: ",")[1] } }
    XCTAssertEqual(try values("b.csv").dropFirst(), try values("a.csv").dropFirst())
    XCTAssertEqual(try rows("b.jsonl").count, 30)
    XCTAssertTrue(try rows("b.csv-metadata.json").joined().contains("\"sluice:key\": \"site\""))
    // As the metadata has it, with the buffer's size: the same once more.
    let document = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: "\(folder)/b.csv-metadata.json")))
    let pipeline = try XCTUnwrap((document as? [String: Any])?["sluice:pipeline"] as? [String: Any])
    try write("again.json", try XCTUnwrap(pipeline["sluice:plan"] as? String))
    let refused = try run("record --plan again.json", status: 1)
    XCTAssertTrue(refused.contains("cannot write b.csv: file exists"), refused)
  }

  func testAReplayRunsByAPlan() throws {
    try write("in.csv", "time_ns,x\n1,5\n2,6\n3,7\n")
    let said = try runShell(
      "\"$SLUICE\" plan json replay in.csv --every 2 -o out.csv | \"$SLUICE\" record --plan - --stats json")
    XCTAssertTrue(said.contains("\"command\": \"replay\""), said)
    XCTAssertEqual(try rows("out.csv"), ["time_ns,x", "1,5", "3,7"])
  }

  /// Stages in any order, and more than the memory of the world.
  func testAnyStagesMayStandInAPlan() throws {
    for stages in [
      #"{"stage": "buffer", "size": 1000000000}, {"stage": "buffer", "size": 1000000000}"#,
      #"{"stage": "every", "count": 2}, {"stage": "buffer", "size": 10}, {"stage": "every", "count": 2}"#,
      #"{"stage": "collect", "count": 3}, {"stage": "throttle", "interval": "1ns"}, {"stage": "buffer"}"#,
    ] {
      try write(
        "p.json",
        #"{"version": 1, "sources": [{"kind": "timer", "what": "1ms"}], "stages": [\#(stages)], "limits": {"count": 40}, "#
          + #""outputs": [{"path": "x.csv", "existing": "overwrite"}]}"#)
      let said = try run("record --plan p.json")
      XCTAssertTrue(said.contains("recorded 40 readings"), said)
      XCTAssertFalse(said.contains("every, every"), said)
    }
  }

  /// A file of years, tried for a second.
  func testThisRunMayBeShorterThanThePlan() throws {
    try write(
      "p.json",
      #"{"version": 1, "sources": [{"kind": "timer", "what": "1ms"}], "outputs": [{"path": "x.csv", "existing": "overwrite"}], "#
        + #""limits": {"count": 200000, "duration": "10m"}}"#)
    let counted = try run("record --plan p.json --count 7")
    XCTAssertTrue(counted.hasPrefix("recorded 7 readings"), counted)
    XCTAssertTrue(try run("record --plan p.json --duration 20ms").hasPrefix("recorded "))
    XCTAssertTrue(try run("plan json record --plan p.json --count 7").contains(#""count": 7"#))
    try write("in.csv", "time_ns,x\n0,5\n2000000000,6\n")
    try write("r.json", #"{"version": 1, "replay": {"file": "in.csv"}, "outputs": [{"path": "out.csv"}]}"#)
    try run("record --plan r.json --duration 1s")
    XCTAssertEqual(try rows("out.csv"), ["time_ns,x", "0,5"])
    let refused = try run("record --plan r.json --count 1", status: 64)
    XCTAssertTrue(refused.contains("limits.count is for sources, and a replay has none"), refused)
  }

  func testWhatAPlanHasWrongIsSaidWithItsPlace() throws {
    for (plan, sentence) in [
      (
        #"{"version": 1, "sources": [{"kind": "timer", "what": "1ms"}, {"kind": "iio", "what": "a", "sampel-rate": 4}], "outputs": [{"path": "x"}]}"#,
        "cannot use the plan p.json: sources[1].sampel-rate: iio has no such setting; did you mean sample-rate?"
      ),
      (
        #"{"version": 1, "sources": [{"kind": "timer", "what": "1ms"}], "outputs": [{"path": "x"}], "limits": {"count": "x"}}"#,
        "limits.count takes a whole number of 1 or more"
      ),
      (#"{"version": 1"#, "cannot read the plan p.json: it is not JSON"),
    ] {
      try write("p.json", plan)
      let said = try run("record --plan p.json", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
    for other in ["timer:1ms", "-o x.csv", "--idle-timeout 3s", "--edges both", "--throttle 1s", "--start-paused"] {
      let said = try run("record --plan p.json \(other)", status: 64)
      XCTAssertTrue(said.contains("--plan describes the whole recording"), said)
    }
    XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["p.json"])
  }
}
