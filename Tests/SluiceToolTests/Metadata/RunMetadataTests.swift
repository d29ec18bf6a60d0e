import Foundation
import SluicePipeline
import XCTest

/// The command, and the files that it leaves beside the CSV files.
final class RunMetadataTests: CommandTestCase {
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func document(_ name: String) throws -> [String: Any] {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    return try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private func objects(_ value: Any?) throws -> [[String: Any]] { try XCTUnwrap(value as? [[String: Any]]) }

  func testARecordingTellsWhatIsMissing() throws {
    // So fast that ticks are missed on any machine.
    try run("record timer:1us --count 2000 --throttle 1us -o t.csv")
    let document = try document("t.csv-metadata.json")
    XCTAssertEqual(document["url"] as? String, "t.csv")
    XCTAssertEqual(document["sluice:state"] as? String, "finished")
    let schema = try XCTUnwrap(document["tableSchema"] as? [String: Any])
    let titles = try objects(schema["columns"]).compactMap { $0["titles"] as? String }
    XCTAssertEqual(titles.joined(separator: ","), try rows("t.csv").first)
    let pipeline = try XCTUnwrap(document["sluice:pipeline"] as? [String: Any])
    XCTAssertEqual(
      pipeline["sluice:arguments"] as? [String],
      ["timer:1us", "--count", "2000", "--throttle", "1us", "-o", "t.csv"])

    let ledger = try XCTUnwrap(objects(document["sluice:ledger"]).first)
    XCTAssertEqual(ledger["sluice:received"] as? Int, 2_000)
    XCTAssertEqual(ledger["sluice:written"] as? Int, try rows("t.csv").count - 1)
    XCTAssertEqual(ledger["sluice:unaccounted"] as? Int, 0)

    let loss = try XCTUnwrap(objects(document["sluice:losses"]).first)
    let gaps = try XCTUnwrap(objects(document["sluice:gap_before"]).first)
    let times = try XCTUnwrap(gaps["sluice:times_ns"] as? [Int])
    XCTAssertEqual(loss["sluice:reason"] as? String, "ticks missed")
    XCTAssertEqual(loss["sluice:first_ns"] as? Int, times.first)
    XCTAssertEqual(times.count, min(1_000, gaps["sluice:count"] as? Int ?? 0))
    XCTAssertGreaterThanOrEqual(loss["sluice:count"] as? Int ?? 0, times.count)
    // Each is the time of a row, but where the throttle has left it out.
    let written = Set(try rows("t.csv").dropFirst().compactMap { Int($0.split(separator: ",")[0]) })
    XCTAssertFalse(written.isDisjoint(with: times))
  }

  func testAKilledRecordingIsUnfinished() throws {
    let (process, said) = try start("record timer:1ms -o t.csv --quiet")
    let deadline = Date(timeIntervalSinceNow: 60)
    while ((try? rows("t.csv").count) ?? 0) < 2, Date() < deadline {
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
    }
    kill(process.processIdentifier, SIGKILL)
    _ = said.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    XCTAssertEqual(names, ["t.csv", "t.csv-metadata.json", "t.csv-metadata.json.room"])
    let document = try document("t.csv-metadata.json")
    XCTAssertEqual(document["sluice:state"] as? String, "unfinished")
    XCTAssertNil(document["sluice:ledger"])
  }

  func testEachLayoutHasItsColumns() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,level,1\n2,b/c,x,5\n")
    try run("replay in.csv -o long.csv")
    try FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: false)
    try run("replay in.csv -o d")
    XCTAssertEqual(
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/d").sorted(),
      ["a.csv", "a.csv-metadata.json", "b_c.csv", "b_c.csv-metadata.json"])
    for (name, streams) in [("long.csv", ["a", "b/c"]), ("d/a.csv", ["a"]), ("d/b_c.csv", ["b/c"])] {
      let document = try document("\(name)-metadata.json")
      let schema = try XCTUnwrap(document["tableSchema"] as? [String: Any])
      let titles = try objects(schema["columns"]).compactMap { $0["titles"] as? String }
      XCTAssertEqual(titles.joined(separator: ","), try rows(name).first)
      for member in ["sluice:ledger", "sluice:streams"] {
        let names = try objects(document[member]).map { $0["sluice:stream"] ?? $0["sluice:name"] }
        XCTAssertEqual(names as? [String], streams, "\(name) \(member)")
      }
      let clocks = try XCTUnwrap(document["sluice:clocks"] as? [String: Any])
      XCTAssertNil(clocks["sluice:monotonic_to_epoch_ns"], "the times are the trace's")
    }
  }

  func testOnlyRegularFilesHaveOne() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try run("replay in.csv -o - --quiet")
    try run("replay in.csv -o /dev/null --force")
    XCTAssertFalse(FileManager.default.fileExists(atPath: "/dev/null-metadata.json"))
    try runShell("mkfifo pipe; cat pipe >got & $SLUICE replay in.csv -o pipe --force; wait")
    XCTAssertEqual(try rows("got"), ["time_ns,x", "1,5"])
    XCTAssertEqual(names, ["got", "in.csv", "pipe"])
  }

  func testWhatIsThereIsNotOverwritten() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try write("out.csv-metadata.json", "mine\n")
    let said = try run("replay in.csv -o out.csv", status: 1)
    XCTAssertTrue(said.contains("cannot write out.csv-metadata.json: it is there already"), said)
    XCTAssertEqual(names, ["in.csv", "out.csv-metadata.json"])
    try run("replay in.csv -o out.csv --append --sync 1s")
    XCTAssertEqual(try rows("out.csv-metadata.json.old"), ["mine"], "it was of other rows")
    XCTAssertNil(try document("out.csv-metadata.json")["sluice:earlier_runs"])
    let first = try document("out.csv-metadata.json")
    let size = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.csv")).count
    try run("replay in.csv -o out.csv --append --sync 1s")
    XCTAssertEqual(try document("out.csv-metadata.json")["sluice:earlier_runs"] as? Int, 1)
    XCTAssertEqual(try document("out.csv-metadata.json")["sluice:began_at_byte"] as? Int, size)
    let line = try XCTUnwrap(rows("out.csv-runs.jsonl").first)
    let kept = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    XCTAssertEqual(
      kept as NSDictionary,
      first.filter { !["@context", "url", "tableSchema"].contains($0.key) } as NSDictionary)
    XCTAssertEqual(try rows("out.csv-runs.jsonl").count, 1)
    let other = try run("replay in.csv -o out.csv", status: 1)
    XCTAssertTrue(other.contains("cannot write out.csv: file exists"), other)
    let taken = try run("replay in.csv -o out.csv-runs.jsonl --force", status: 64)
    XCTAssertTrue(taken.contains("cannot write out.csv-runs.jsonl: it is the metadata of out.csv"), taken)
    try run("replay in.csv -o out.csv --force")
    XCTAssertNil(try document("out.csv-metadata.json")["sluice:earlier_runs"])
    XCTAssertEqual(names, ["in.csv", "out.csv", "out.csv-metadata.json", "out.csv-metadata.json.old"])
    try write("new.csv-runs.jsonl", "{}\n")
    let runs = try run("replay in.csv -o new.csv", status: 1)
    XCTAssertTrue(runs.contains("cannot write new.csv-runs.jsonl: it is there already, though new.csv is not"), runs)
  }

  /// As a power cut may leave it where nothing is synced.
  func testAnUnreadableDocumentIsKept() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try run("replay in.csv -o out.csv")
    for name in ["unreadable", "unreadable.2"] {
      try write("out.csv-metadata.json", "{\"\u{0}")
      let said = try run("replay in.csv -o out.csv --append")
      XCTAssertTrue(
        said.contains(
          "in the same line): it is kept under another name, and only the header of out.csv is"),
        said)
      XCTAssertEqual(try rows("out.csv-metadata.json.\(name)"), ["{\"\u{0}"])
      XCTAssertEqual(try document("out.csv-metadata.json")["sluice:undescribed_rows"] as? Bool, true)
    }
    XCTAssertEqual(try rows("out.csv"), ["time_ns,x", "1,5", "1,5", "1,5"])
  }

  func testReadingsAreWrittenAllTheSame() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/out.csv-metadata.json", withIntermediateDirectories: false)
    let said = try run("replay in.csv -o out.csv --force", status: 1)
    XCTAssertEqual(said.components(separatedBy: "cannot write out.csv-metadata.json").count, 2, "said once: \(said)")
    XCTAssertEqual(try rows("out.csv"), ["time_ns,x", "1,5"])
  }

  func testAnErrorStandsInIt() throws {
    try write("in.csv", "time_ns,x\n1,5\n2,oops\n")
    try run("replay in.csv -o out.csv", status: 1)
    let errors = try XCTUnwrap(document("out.csv-metadata.json")["sluice:errors"] as? [String])
    XCTAssertEqual(errors.count, 1)
    XCTAssertTrue(errors.first?.contains("line 3, column 2") == true, "\(errors)")
  }
}
