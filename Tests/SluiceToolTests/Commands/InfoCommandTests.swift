import Foundation
import XCTest

final class InfoCommandTests: CommandTestCase {
  func testWhatARecordingHolds() throws {
    try run("record METER=sim:meter@200,seed=3 imu=sim:imu@400,seed=3 --count 600 -o t.csv")
    let said = try run("info t.csv")
    for part in ["t.csv: 600 readings of 2 streams in ", "recording: finished, values are scaled", "600 written"] {
      XCTAssertTrue(said.contains(part), said)
    }
    XCTAssertTrue(said.split(separator: "\n").contains { $0.hasPrefix("imu ") && $0.contains("400.") }, said)
    XCTAssertTrue(said.split(separator: "\n").contains { $0.hasPrefix("METER") && $0.contains("%") }, said)
  }

  /// A name with a line feed cannot look like a row of its own.
  func testNamesWithLineFeeds() throws {
    let rows = (1...3).map { #"{"time_ns":\#($0),"stream":"a\nb","values":{"x\nfalse 9":1,"y":\#($0)}}"# }
    try write("t.jsonl", rows.joined(separator: "\n") + "\n")
    for options in ["", " --percentiles", " --intervals", " --histogram y"] {
      let said = try run("info t.jsonl" + options)
      XCTAssertTrue(said.contains("a?b"), said)
      XCTAssertFalse(said.split(separator: "\n").contains { $0.hasPrefix("b") || $0.hasPrefix("false") }, said)
    }
  }

  /// The index of a file of MCAP says how many readings it has, and no more.
  func testTheIndexAlone() throws {
    try run("record METER=sim:meter@200,seed=3 imu=sim:imu@400,seed=3 --count 600 -o t.mcap -o t.csv")
    let said = try run("info --quick t.mcap")
    for part in [
      "t.mcap: 600 readings of 2 streams in ", ", by the index of the file", "recording: finished", "written by sluice",
      "note: the readings were not looked at",
    ] {
      XCTAssertTrue(said.contains(part), said)
    }
    let all = try run("info t.mcap")
    for name in ["METER", "imu"] {
      func count(_ text: String) -> Substring? {
        text.split(separator: "\n").first { $0.hasPrefix("\(name) ") }?.split(separator: " ")[1]
      }
      XCTAssertNotNil(count(said))
      XCTAssertEqual(count(said), count(all))
    }
    let json = try run("info --quick --json t.mcap")
    let parsed = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
    XCTAssertEqual(parsed[0]["readings"] as? Int, 600)
    XCTAssertEqual(parsed[0]["quick"] as? Bool, true)
    try write("other.csv", "time (s),x\n1,2\n")
    XCTAssertTrue(
      try run("info --quick other.csv", status: 1).contains("it has no metadata that says how many there are"))
    for other in ["--skip-bad", "--intervals", "--select imu", "--from 1s", "--percentiles"] {
      XCTAssertTrue(
        try run("info --quick t.mcap \(other)", status: 64).contains("goes with no option but --json"), other)
    }
  }

  /// The readings of each stream, by the rows or by the metadata.
  private func counts(_ path: String, _ options: String) throws -> [String: Int] {
    let parsed = try JSONSerialization.jsonObject(with: Data(run("info --json \(options) \(path)").utf8))
    let trace = try XCTUnwrap((parsed as? [[String: Any]])?.first)
    var counts = ["": trace["readings"] as? Int ?? -1]
    for stream in trace["streams"] as? [[String: Any]] ?? [] {
      counts[stream["name"] as? String ?? "?"] = stream["readings"] as? Int ?? -1
    }
    return counts
  }

  private func files(_ path: String) throws -> [Int] {
    let parsed = try JSONSerialization.jsonObject(with: Data(run("info --json --quick \(path)").utf8))
    let trace = try XCTUnwrap((parsed as? [[String: Any]])?.first)
    return [trace["described"] as? Int ?? -1, trace["counted"] as? Int ?? -1]
  }

  /// The metadata says as many readings as the rows, in each format and layout, in one file, in parts and in a folder.
  func testTheMetadataAlone() throws {
    let sources = "METER=sim:meter@200,seed=3 imu=sim:imu@400,seed=4,gaps=5"
    for (index, output) in [
      "a.csv", "a.jsonl --select imu.accel_x", "a.csv --layout long", "a/a.csv --rotate 4k --keep 12k",
      "a/a.jsonl --rotate 8k", "a/", "a.csv --where imu.accel_x>0",
    ].enumerated() {
      let folder = "f\(index)"
      try FileManager.default.createDirectory(atPath: "\(self.folder)/\(folder)/a", withIntermediateDirectories: true)
      try run("record \(sources) --count 300 -o \(folder)/\(output)")
      for path in output.hasPrefix("a/") ? ["\(folder)/a"] : [folder, "\(folder)/" + output.prefix { $0 != " " }] {
        XCTAssertEqual(try counts(path, "--quick"), try counts(path, ""), output)
        let files = try files(path)
        XCTAssertGreaterThan(files[0], 0, output)
        XCTAssertEqual(files[1], 0, output)
      }
    }
  }

  /// Rows are counted of a file that was edited, of one that was killed, and of one with several runs.
  func testMetadataThatIsNotBelieved() throws {
    try run("record imu=sim:imu@400,seed=4 --count 200 --rotate 3k -o a.csv")
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".csv") }.sorted()
    XCTAssertGreaterThan(parts.count, 3)
    XCTAssertEqual(try files("a.csv"), [parts.count, 0])
    // A row less, later than the metadata.
    let lines = try rows(parts[1])
    try write(parts[1], lines.dropLast().joined(separator: "\n") + "\n")
    let later = Date(timeIntervalSinceNow: 10)
    try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: "\(folder)/\(parts[1])")
    XCTAssertEqual(try files("a.csv"), [parts.count - 1, 1])
    XCTAssertEqual(try counts("a.csv", "--quick"), ["": 199, "imu": 199])
    XCTAssertTrue(try run("info --quick a.csv").contains("it was changed after its metadata was written"))
    // A file of nothing, with the time of before.
    try write(parts[2], "")
    try FileManager.default.setAttributes([.modificationDate: Date.distantPast], ofItemAtPath: "\(folder)/\(parts[2])")
    XCTAssertEqual(try counts("a.csv", "--quick"), try counts("a.csv", ""))
    // Its state is that of a run that was killed.
    let path = "\(folder)/\(parts[0])-metadata.json"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try text.replacingOccurrences(of: "\"finished\"", with: "\"unfinished\"").write(
      toFile: path, atomically: true, encoding: .utf8)
    XCTAssertEqual(try files("a.csv"), [parts.count - 3, 3])
    XCTAssertEqual(try counts("a.csv", "--quick"), try counts("a.csv", ""))
    // Two runs in one file.
    try run("record imu=sim:imu@400,seed=4 --count 30 -o b.csv")
    try run("record imu=sim:imu@400,seed=4 --count 40 -o b.csv --append")
    XCTAssertEqual(try files("b.csv"), [0, 1])
    XCTAssertEqual(try counts("b.csv", "--quick"), ["": 70, "imu": 70])
    // Without metadata, nothing is quick.
    try FileManager.default.removeItem(atPath: path)
    XCTAssertTrue(try run("info --quick a.csv", status: 1).contains("leave out --quick"))
  }

  func testGapsOfATraceOfAnotherProgram() throws {
    let times = (0..<100).filter { ![40, 41, 70].contains($0) }
    try write("in.csv", "time_ns,a,b\n" + times.map { "\($0 * 1_000_000),\($0),0.5\n" }.joined())
    let said = try run("info in.csv")
    XCTAssertTrue(said.contains("no metadata"), said)
    XCTAssertTrue(
      said.hasSuffix(
        """
        gaps of in:
          after reading 40 at 0.039000 s: 3.000 ms, 2 missing
          after reading 68 at 0.069000 s: 2.000 ms, 1 missing

        """), said)
    let rows = said.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    XCTAssertTrue(rows.contains(["in", "97", "1,000.0", "1.000", "ms", "0", "ns", "2", "3"]), said)
    XCTAssertTrue(rows.contains(["in.b", "0.5", "0.500000", "0.5"]), said)
  }

  func testAGapThatIsLongerThanATime() throws {
    let times = (1...40).map { Int64.min + 1_000 + $0 } + (1...40).map { Int64.max - 1_000 + $0 }
    try write("t.csv", "time_ns,x\n" + times.map { "\($0),1\n" }.joined())
    XCTAssertTrue(try run("info t.csv").contains("gaps of t:"))
  }

  /// What is no gap is not listed, as in the text.
  func testTheLongestIntervalsAreGaps() throws {
    func longest(_ times: [Int]) throws -> [Int?] {
      try write("in.csv", "time_ns,x\n" + times.map { "\($0),1\n" }.joined())
      let text = try run("info --json in.csv")
      let parsed = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
      let stream = try XCTUnwrap((parsed[0]["streams"] as? [[String: Any]])?.first)
      return try XCTUnwrap(stream["longest"] as? [[String: Any]]).map { $0["length_ns"] as? Int }
    }
    XCTAssertEqual(try longest((0..<20).map { $0 * 1_000 }), [])
    XCTAssertEqual(try longest((0..<40).filter { $0 != 7 }.map { $0 * 1_000 }), [2_000])
  }

  /// The options of plot are those of the others.
  func testAPart() throws {
    try write("in.csv", "time_ns,x,y\n" + (0..<20).map { "\($0 * 1_000),\($0),0\n" }.joined())
    let rows = (5..<8).map { "\($0 * 1_000),\($0)" }
    for options in ["--from 5us --duration 3us --select in.x", "--from 5us --to 8us --select in.x"] {
      try run("convert in.csv \(options) -o o.csv --force")
      XCTAssertEqual(try self.rows("o.csv").dropFirst().map { $0 }, rows, options)
      try run("plot in.csv \(options.replacingOccurrences(of: "in.x", with: "x")) -o o.svg")
    }
    try run("convert in.csv --from 0 --to 2us -o p.csv")
    XCTAssertEqual(try self.rows("p.csv").count, 3)
    for (options, sentence) in [
      ("--from 2026-11-21T12:00:00Z --to 2026-11-21T12:00:00Z", "--to is not later than --from"),
      ("--to 0s", "--to is not later than --from"), ("--to 13:00", "only plots over time take a time of day"),
      ("--from 2us --to 2us", "--to is not later than --from"),
      ("--to 2us --duration 1us", "give one of them"),
    ] {
      XCTAssertTrue(try run("info in.csv \(options)", status: 64).contains(sentence))
    }
    for command in ["info in.csv", "diff in.csv in.csv", "replay in.csv -o q.csv", "plot in.csv --xy x,y"] {
      let said = try run("\(command) --from 2026-11-21", status: command.hasPrefix("info") ? 1 : 64)
      XCTAssertTrue(
        said.contains("'from' is a date, but the first time of the trace, 0 s, is not"), "\(command): \(said)")
    }
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/q.csv"))
  }

  func testADay() throws {
    let times = stride(from: 1_763_683_200, to: 1_763_942_400, by: 3_600).map { "\($0)000000000" }
    try write("in.csv", "time_ns,x,y\n" + times.map { "\($0),1,2\n" }.joined())
    let day = "--from 2025-11-22 --to 2025-11-23T00:00:00Z"
    for options in [day, "--from 2025-11-22 --duration 1d", "--from 1d --to 2025-11-23T01:00:00+01:00"] {
      XCTAssertTrue(try run("info in.csv \(options)").hasPrefix("in.csv: 24 readings"), options)
      for command in ["convert", "replay"] {
        try run("\(command) in.csv \(options) -o \(command).csv --force")
        let rows = try self.rows("\(command).csv")
        XCTAssertEqual(rows.count, 25, options)
        XCTAssertTrue(rows[1].hasPrefix("1763769600000000000,"), rows[1])
      }
      XCTAssertTrue(try run("diff in.csv convert.csv \(options)").contains("24"), options)
    }
    // Each round of a loop has the day.
    try run("replay in.csv \(day) --loop 3 -o loop.csv")
    XCTAssertEqual(try rows("loop.csv").count, 73)
    let plan = try run("plan json replay in.csv \(day) -o -")
    XCTAssertTrue(plan.contains(#""from": "2025-11-22T00:00:00Z", "to": "2025-11-23T00:00:00Z""#), plan)
    try write("day.json", plan)
    XCTAssertEqual(try run("record --plan day.json --quiet").split(separator: "\n").count, 25)
  }

  func testJSON() throws {
    try write("in.csv", "time_ns,x\n" + (0..<20).map { "\($0 * 1_000),\($0 == 3 ? "" : "0.\($0 + 10)")\n" }.joined())
    let text = try run("info --json in.csv")
    let parsed = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
    let stream = try XCTUnwrap((parsed[0]["streams"] as? [[String: Any]])?.first)
    XCTAssertEqual(parsed[0]["readings"] as? Int, 20)
    XCTAssertEqual(stream["interval_ns"] as? Double, 1_000)
    let channel = try XCTUnwrap((stream["channels"] as? [[String: Any]])?.first)
    XCTAssertEqual(channel["missing"] as? Int, 1)
    XCTAssertEqual(channel["max"] as? Double, 0.29)
  }

  func testWhatCannotBeRead() throws {
    try write("bad.csv", "time_ns,x\n1,2\n2,3\n3,four\n")
    let said = try run("info bad.csv", status: 1)
    XCTAssertTrue(said.hasPrefix("bad.csv: 2 readings of 1 stream"), said)
    XCTAssertTrue(said.contains("the rest cannot be read: cannot read bad.csv: line 4, column 2"), said)
    try write("good.csv", "time_ns,x\n1,2\n")
    let several = try run("info none.csv good.csv", status: 1)
    XCTAssertTrue(several.contains("none.csv"), several)
    XCTAssertTrue(several.contains("good.csv: 1 reading of 1 stream"), several)
  }

  /// A folder whose files have nothing to do with each other.
  func testTracesThatCannotBeMergedHaveNoTable() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: false)
    try write("d/a.csv", "time_s,x\n0,2\n1,3\n")
    try write("d/b.csv", "time_ns,x\n1700000000000000000,2\n")
    let said = try run("info d", status: 1)
    XCTAssertTrue(said.hasPrefix("sluice: cannot merge"), said)
    XCTAssertTrue(said.contains("read each trace alone"), said)
    XCTAssertFalse(said.contains("0 readings"), said)
  }

  /// What its own messages tell the user to give.
  func testOptionsForReadingATrace() throws {
    try write("in.csv", "n,when,a,b\n1,1000,1,10\n2,2000,2,20\n3,oops,3,30\n4,4000,4,40\n")
    XCTAssertTrue(try run("info in.csv", status: 1).contains("--time-column"))
    let options = "--time-column when --time-unit ms"
    XCTAssertTrue(try run("info in.csv \(options)", status: 1).contains("line 4, column 2"))
    let said = try run("info in.csv \(options) --skip-bad --columns a,b")
    XCTAssertTrue(said.hasPrefix("in.csv: 3 readings of 1 stream in 3.0"), said)
    XCTAssertTrue(said.contains("note: in.csv: a row could not be read and is left out: line 4, column 2"), said)
    let part = try run("info in.csv \(options) --skip-bad --columns a,b --select in.b --from 1s --duration 1s")
    XCTAssertTrue(part.hasPrefix("in.csv: 1 reading of 1 stream"), part)
    let rows = part.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    XCTAssertTrue(rows.contains(["in", "20", "20.0000", "20"]), part)
    try write("back.csv", "time_ns,x\n2,5\n1,6\n")
    XCTAssertTrue(try run("info back.csv").contains("back in time"))
    XCTAssertFalse(try run("info back.csv --reorder 1us").contains("back in time"))
    try Data([1, 0, 2, 0]).write(to: URL(fileURLWithPath: "\(folder)/dump.bin"))
    XCTAssertTrue(
      try run("info dump.bin --scan-layout x=le:s16/16>>0 --sample-rate 100").hasPrefix("dump.bin: 2 readings"))
    XCTAssertTrue(try run("info dump.bin --sample-rate 100", status: 64).contains("--scan-layout"))
  }

  func testStandardInput() throws {
    XCTAssertTrue(
      try runShell("printf 'time_ns,stream,channel,value\\n1,a,x,1\\n2,b,y,5\\n' | \"$SLUICE\" info -").contains(
        "standard input: 2 readings of 2 streams in 1 ns"))
  }

  func testAnEmptyTraceHasNoTimes() throws {
    try write("empty.csv", "time_ns,x\n")
    XCTAssertTrue(try run("info empty.csv").hasPrefix("empty.csv: 0 readings of 1 stream\n"))
  }

  /// What the first run wrote last and missed is not known, though the second one finished.
  func testARunThatWasCutOffIsNotForgotten() throws {
    try run("record imu=sim:imu@200,seed=1,gaps=1 --count 400 -q -o t.csv")
    let metadata = try rows("t.csv-metadata.json").joined(separator: "\n")
    try write("t.csv-metadata.json", metadata.replacingOccurrences(of: "\"finished\"", with: "\"unfinished\""))
    try run("record imu=sim:imu@200,seed=2,gaps=1 --count 400 -q -o t.csv --append")
    let said = try run("info t.csv")
    XCTAssertTrue(said.contains("an earlier run was cut off: what it wrote and missed is not known"), said)
    XCTAssertEqual(said.components(separatedBy: "skipped by the simulation").count, 2, said)
    XCTAssertFalse(try run("info t.csv --json").contains("\"missed\""))
  }

  /// A trace that is not there has an object with the reason, as one that ends in the middle has.
  func testATraceThatCannotBeReadIsInTheJSON() throws {
    try put("a.csv", "time_ns,x\n1,1\n2,2\n")
    for options in ["", " --quick"] {
      let said = try runShell("\"$SLUICE\" info a.csv none.csv --json\(options) 2>/dev/null; echo $?")
      XCTAssertTrue(said.contains(#"{"trace": "none.csv", "error": "cannot "#), said)
      XCTAssertTrue(said.contains(#""a.csv""#) || options == " --quick", said)
      XCTAssertTrue(said.hasSuffix("]\n1\n"), said)
    }
  }

  func testTheErrorsOfTheClock() throws {
    func info(_ clocks: String, _ more: String = "", json: Bool = false) throws -> String {
      try put("c.csv", "time_ns,a\n1,1\n2,2")
      try put(
        "c.csv-metadata.json",
        """
        {"sluice:format": "csv", "sluice:state": "finished", \(more)
         "sluice:streams": [{"sluice:name": "a", "sluice:channels": [{"sluice:name": "x"}]}],
         "sluice:clocks": {"sluice:began_ns": 1, "sluice:ended_ns": 9, "sluice:monotonic_to_epoch_ns": 0\(clocks)}}
        """)
      return try run("info c.csv\(json ? " --json" : "")")
    }
    XCTAssertFalse(try info("").contains("clock"))
    let good = """
      , "sluice:synchronised": true, "sluice:max_error_ns": 2500000, "sluice:estimated_error_ns": 7000,
      "sluice:max_error_at_end_ns": 900000, "sluice:estimated_error_at_end_ns": 6000
      """
    XCTAssertTrue(
      try info(good).contains("\nclock: wrong by at most 2.500 ms at the start, wrong by at most 900.0 us at the end\n")
    )
    let bad = """
      , "sluice:synchronised": false, "sluice:max_error_ns": 16000000000, "sluice:estimated_error_ns": 1,
      "sluice:above_max_error": [{"sluice:from_ns": 3, "sluice:max_error_ns": 16000000000}]
      """
    // The kernel counts to 16 s. From there on nothing synchronises the clock, and the number is no bound.
    let end = #", "sluice:max_error_at_end_ns": 16000000000, "sluice:estimated_error_at_end_ns": 1"#
    XCTAssertTrue(
      try info(bad + end).contains(
        "\nclock: not synchronised at the start, not synchronised at the end; more than --max-clock-error allows once\n"
      ))
    XCTAssertTrue(
      try info(good.replacingOccurrences(of: "900000", with: "16000000000")).contains(
        "\nclock: wrong by at most 2.500 ms at the start, not synchronised at the end\n"))
    let uncertain = """
      "sluice:uncertain_time": [{"sluice:stream": "a", "sluice:count": 1, "sluice:times_ns": [2]}],
      """
    let said = try info(bad, uncertain)
    XCTAssertTrue(
      said.contains("\nclock: not synchronised at the start; more than --max-clock-error allows once\n"), said)
    XCTAssertTrue(
      said.contains(
        "\n1 time may be wrong, because the wall clock was set, or was worse than --max-clock-error allows\n"), said)
    XCTAssertTrue(
      try info(good, uncertain).contains("\n1 time may be wrong, because the wall clock was set\n"))
    XCTAssertTrue(
      try info(bad + #", "sluice:above_max_error_count": 150"#).contains("--max-clock-error allows 150 times\n"))
    let json = try info(bad, uncertain, json: true)
    for part in [
      #""synchronised": false"#, #""max_error_ns": 16000000000"#, #""estimated_error_ns": 1"#, #""from_ns": 3"#,
      #""uncertain_times": 1"#,
    ] { XCTAssertTrue(json.contains(part), json) }
    XCTAssertFalse(json.contains("to_ns"), json)
  }

  func testItSaysWhichLevelsMayBeWrong() throws {
    func info(_ count: Int, json: Bool = false) throws -> String {
      try put("t.csv", "time_ns,a\n1,1\n2,1")
      try put(
        "t.csv-metadata.json",
        """
        {"sluice:format": "csv", "sluice:state": "finished",
         "sluice:streams": [{"sluice:name": "a", "sluice:channels": [{"sluice:name": "x"}]}],
         "sluice:uncertain_level": [{"sluice:stream": "a", "sluice:count": \(count), "sluice:times_ns": [2]}]}
        """)
      return try run("info t.csv\(json ? " --json" : "")")
    }
    let reason = "the same level as the edge before, because an edge was lost, or because the kernel read a level late"
    XCTAssertTrue(try info(1).contains("\n1 edge has \(reason)\n"))
    XCTAssertTrue(try info(1_234).contains("\n1,234 edges have \(reason)\n"))
    XCTAssertTrue(try info(2, json: true).contains(#""uncertain_levels": 2"#))
  }
}
