import Foundation
import XCTest

@testable import SluicePipeline

final class ConvertCommandTests: CommandTestCase {
  private func account(_ arguments: String, line: UInt = #line) throws -> Account {
    let said = try run("convert \(arguments) --quiet --stats json", line: line)
    return try JSONDecoder().decode(Account.self, from: Data(said.utf8))
  }

  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }

  /// Two streams that share no rate, with gaps.
  private func record() throws {
    try run("record imu=sim:imu@400,seed=7,gaps=0.05 METER=sim:meter@200,seed=3 --count 300 -o in.csv --layout wide")
  }

  // MARK: Round trips

  /// Through several files and back into the layout of the first one: the same bytes.
  private func checkRoundTrip(_ names: [String], line: UInt = #line) throws {
    try record()
    var last = "in.csv"
    for name in names + ["out.csv"] {
      try run("convert \(last) -o \(name) \(name == "out.csv" ? "--layout wide" : "")", line: line)
      last = name
    }
    XCTAssertEqual(try rows("out.csv"), try rows("in.csv"), line: line)
    XCTAssertEqual(
      try Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.csv")),
      try Data(contentsOf: URL(fileURLWithPath: "\(folder)/in.csv")), line: line)
  }

  func testThroughVCD() throws { try checkRoundTrip(["a.vcd"]) }

  func testThroughTheLongLayout() throws {
    try checkRoundTrip([])
    try run("convert in.csv --layout long -o long.csv")
    XCTAssertEqual(try rows("long.csv").first, "time_ns,stream,channel,value")
    try run("convert long.csv --layout wide -o wide.csv")
    XCTAssertEqual(try rows("wide.csv"), try rows("in.csv"))
  }

  func testThroughJSONLines() throws { try checkRoundTrip(["a.jsonl"]) }

  #if SLUICE_SQLITE
    func testThroughJSONLinesAndADatabase() throws { try checkRoundTrip(["a.jsonl", "a.db"]) }
  #endif

  /// A scaled value may have more digits than a reading holds.
  func testNumbersOfMoreThan64BitsAreReadAgain() throws {
    var names = ["csv", "jsonl", "vcd"]
    #if SLUICE_SQLITE
      names.append("db")
    #endif
    let scan = [Int64.max, 1].flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    try Data(scan).write(to: URL(fileURLWithPath: "\(folder)/d.bin"))
    for name in names {
      try runShell(
        "\"$SLUICE\" convert d.bin --scan-layout 'v=le:s64/64>>0 *0.123456789 V, timestamp=le:s64/64>>0' -o d.\(name)")
      try run("convert d.\(name) -o \(name).csv")
      XCTAssertEqual(try rows("\(name).csv").last, "1,1138687895422480280", name)
    }
    XCTAssertEqual(try rows("d.csv").last, "1,1138687895422480280.447103723", "the file has all digits")
  }

  /// Two readings of one time, and times that go back.
  func testFlagsStayWithTheirReadings() throws {
    let rows = [(10, ""), (10, "gap_before"), (40, ""), (30, "gap_before"), (40, "gap_before"), (50, "")].map {
      #"{"time_ns":\#($0),"stream":"a","values":{"x":1}\#($1.isEmpty ? "" : #","flags":["\#($1)"]"#)}"#
    }
    try write("in.jsonl", rows.joined(separator: "\n") + "\n")
    try run("convert in.jsonl -o a.jsonl")
    try run("convert a.jsonl -o b.jsonl")
    XCTAssertEqual(try self.rows("b.jsonl"), rows)
    #if SLUICE_SQLITE
      try run("convert b.jsonl -o a.db")
      try run("convert a.db -o b.db")
      try run("convert b.db -o c.jsonl")
      XCTAssertEqual(try self.rows("c.jsonl"), rows)
    #endif
  }

  #if SLUICE_ARCHIVE
    func testThroughCompressedFiles() throws { try checkRoundTrip(["a.csv.gz", "a.jsonl.zst", "b.csv.zst"]) }
  #endif

  // MARK: Selection

  func testStreamsAndChannelsInTheOrderGiven() throws {
    try write("in.csv", "time_ns,imu.x,imu.y,imu.z,METER\n1,10,11,12,\n2,,,,1\n3,20,21,22,0\n")
    let account = try account("in.csv --select METER,imu.z,imu.x -o out.csv")
    XCTAssertEqual(account.command, .convert)
    XCTAssertEqual(account.streams.map(\.stream), ["METER", "imu"])
    XCTAssertEqual([account.received, account.written, account.unaccounted], [4, 4, 0])
    XCTAssertEqual(try rows("out.csv"), ["time_ns,METER,imu.z,imu.x", "1,,12,10", "2,1,,", "3,0,22,20"])
    try run("replay in.csv --select METER --every 2 -o meter.csv")
    XCTAssertEqual(try rows("meter.csv"), ["time_ns,METER", "2,1"])
  }

  /// All commands know a column of another program with its unit and without.
  func testNamesWithoutUnits() throws {
    try write("in.csv", "time_ns,Speed X (m/s),y [V]\n1,10,11\n2,20,21\n3,30,31\n")
    func sluice(_ arguments: String, status: Int32 = 0) throws -> String {
      try runShell("\"$SLUICE\" \(arguments) 2>&1", status: status)
    }
    _ = try sluice("convert in.csv --select 'y,Speed X' -o out.csv")
    XCTAssertEqual(try rows("out.csv"), ["time_ns,y [V],Speed X (m/s)", "1,11,10", "2,21,20", "3,31,30"])
    for name in ["Speed X", "Speed X (m/s)", "in.Speed X"] {
      _ = try sluice("replay in.csv --where '\"\(name)\" > 10 and y < 31' -o where.csv --force")
      XCTAssertEqual(try rows("where.csv").count, 2, name)
      let failed = try sluice("info in.csv --fail '\(name) max > 25'", status: 3)
      XCTAssertTrue(failed.contains("in.Speed X: max is 30"), failed)
      XCTAssertTrue(try sluice("info in.csv --histogram '\(name)'").contains("in.Speed X"), name)
      _ = try sluice("plot in.csv --select '\(name)' -o x.svg")
    }
    let said = try sluice("replay in.csv --where 'x > 1' -o where.csv --force", status: 1)
    XCTAssertTrue(said.contains("the channels are Speed X, y"), said)
    XCTAssertTrue(try sluice("info in.csv --fail 'X max > 25'", status: 1).contains("it has no such values"))
    XCTAssertTrue(try sluice("info in.csv --fail 'in.Speed X (m/s) max > 25'", status: 3).contains("max is 30"))
    // Neither of two channels is called by what both are called.
    try write("two.csv", "time_ns,Temp (degC),Temp (degF)\n1,20,68\n2,30,86\n")
    let ambiguous = try sluice("replay two.csv --where 'Temp > 1' -o where.csv --force", status: 1)
    XCTAssertTrue(ambiguous.contains("the channels are Temp (degC), Temp (degF)"), ambiguous)
    XCTAssertTrue(try sluice("convert two.csv --select Temp -o t.csv", status: 1).contains("no stream or channel"))
    XCTAssertTrue(try sluice("convert two.csv --select two.Temp -o t.csv", status: 1).contains("no stream or channel"))
    _ = try sluice("convert two.csv --select 'Temp (degF)' -o t.csv")
    XCTAssertEqual(try rows("t.csv").last, "2,86")
  }

  func testAnUnknownNameListsThoseThereAre() throws {
    try write("in.csv", "time_ns,imu.x,imu.y,METER\n1,10,11,12\n")
    let said = try run("convert in.csv --select METR -o out.csv", status: 1)
    XCTAssertTrue(
      said.contains(
        "cannot select from in.csv: it has no stream or channel \"METR\"; "
          + "did you mean \"METER\"? It has imu (x, y), METER"), said)
    XCTAssertTrue(try run("convert in.csv --select imu.q -o out.csv", status: 1).contains("It has imu (x, y)"))
    XCTAssertTrue(try run("convert in.csv --select imu,imu.x -o out.csv", status: 64).contains("twice"))
    XCTAssertFalse(exists("out.csv"))
  }

  /// What the metadata says of other streams is not carried on.
  func testMetadataIsOfTheSelectedStreams() throws {
    try run("record imu=sim:imu@2000,seed=7,gaps=0.1 METER=sim:meter@200,seed=3 --count 400 -o in.csv")
    let all = try account("in.csv -o all.csv")
    XCTAssertEqual(all.losses.map(\.streams), [["imu"]])
    XCTAssertGreaterThan(all.lost, 0)
    XCTAssertEqual(try account("in.csv --select imu.accel_x -o imu.csv").lost, all.lost)
    let meter = try account("in.csv --select METER -o meter.csv")
    XCTAssertEqual(meter.losses, [])
    XCTAssertEqual(meter.lost, 0)
    let text = try rows("imu.csv-metadata.json").joined()
    XCTAssertTrue(text.contains("\"m/s^2\"") && text.contains("sluice:gap_before"), text)
    XCTAssertFalse(text.contains("METER\", "), text)
  }

  func testAWindowOfTime() throws {
    try write("in.csv", "time_ns,a,b\n1000,1,\n2000,,2\n3000,3,\n4000,,4\n5000,5,\n")
    try run("convert in.csv --from 1us --duration 2us -o out.csv")
    XCTAssertEqual(try rows("out.csv"), ["time_ns,a,b", "2000,,2", "3000,3,"])
  }

  // MARK: Several inputs

  func testSeveralInputsAreMergedByTime() throws {
    try write("a.csv", "time_ns,stream,channel,value\n10,a,x,1\n30,a,x,3\n")
    try write("b.jsonl", "{\"time_ns\":20,\"stream\":\"b\",\"values\":{\"y\":2}}\n")
    try write("c.csv", "time_ns,z\n30,33\n5,5\n")
    let account = try account("c.csv a.csv b.jsonl --reorder 1us --layout long -o out.csv")
    XCTAssertEqual(account.trace?.files, ["c.csv", "a.csv", "b.jsonl"])
    XCTAssertNil(account.trace?.file)
    XCTAssertEqual(account.streams.map(\.stream), ["c", "a", "b"])
    XCTAssertEqual(
      try rows("out.csv"),
      ["time_ns,stream,channel,value", "5,c,z,5", "10,a,x,1", "20,b,y,2", "30,c,z,33", "30,a,x,3"])
    try runShell("cat c.csv | \"$SLUICE\" convert a.csv - --select a -o piped.csv")
    XCTAssertEqual(try rows("piped.csv").count, 3)
  }

  func testStreamsOfOneNameAreRefused() throws {
    try write("a.csv", "time_ns,x.p,x.q\n1,1,1\n")
    try write("b.csv", "time_ns,x.p,x.q\n2,2,2\n")
    let said = try run("convert a.csv b.csv -o out.csv", status: 1)
    XCTAssertTrue(said.contains("cannot read b.csv: it has a stream \"x\", and so has a.csv"), said)
    XCTAssertFalse(exists("out.csv"))
    XCTAssertTrue(try run("convert a.csv a.csv -o out.csv", status: 64).contains("a.csv is given twice"))
  }

  func testStreamsThatAreLearnedFromAPipeAreNotMerged() throws {
    try write("a.csv", "time_ns,x\n1,1\n")
    let pipe = "printf 'time_ns,stream,channel,value\\n1,b,x,1\\n' | \"$SLUICE\" convert -"
    XCTAssertTrue(try runShell("\(pipe) a.csv -o out.csv", status: 1).contains("cannot merge standard input"))
    XCTAssertTrue(try runShell("\(pipe) --select b -o out.csv", status: 1).contains("leave out --select"))
    XCTAssertFalse(exists("out.csv"))
  }

  // MARK: Failures

  func testAFailureBeforeTheFirstRowLeavesNothing() throws {
    try write("bad.csv", "time_ns,x\n1,foo\n")
    try run("convert bad.csv -o out.csv -o out/", status: 1)
    try run("convert missing.csv -o out.csv", status: 1)
    XCTAssertFalse(exists("out.csv") || exists("out.csv-metadata.json") || exists("out"))
    try write("in.csv", "time_ns,x\n1,1\n")
    XCTAssertTrue(try run("convert in.csv -o in.csv --force", status: 64).contains("it is being read"))
    XCTAssertEqual(try rows("in.csv").count, 2)
  }

  func testAShiftStandsBesideTheFormat() throws {
    let plan = try run("plan json convert a.csv --shift a.csv+1s --timezone UTC --skip-bad -o b.csv")
    XCTAssertTrue(plan.contains(#""shift": ["a.csv+1s"]"#) && plan.contains(#""timezone": "UTC""#), plan)
  }

  // MARK: Plans

  func testThePlanOfAConversionRuns() throws {
    try write("a.csv", "time_ns,x\n1,1\n")
    try write("b.csv", "time_ns,y\n2,2\n")
    let plan = try run("plan json convert a.csv b.csv --select b,a -o out.csv")
    XCTAssertEqual(
      plan,
      """
      {
        "version": 1,
        "replay": {"files": ["a.csv", "b.csv"], "select": ["b", "a"]},
        "outputs": [{"path": "out.csv"}]
      }

      """)
    try write("plan.json", plan)
    try run("record --plan plan.json --quiet")
    try run("convert a.csv b.csv --select b,a -o same.csv")
    XCTAssertEqual(try rows("out.csv"), try rows("same.csv"))
    XCTAssertEqual(try rows("out.csv").count, 3)
  }
}
