import Foundation
import XCTest

final class DiffCommandTests: CommandTestCase {
  private func traces() throws {
    try write("a.csv", "time_ns,imu.x,imu.y,METER\n10,1,2,\n20,3,4,1\n30,5,6,\n")
    try write("b.csv", "time_ns,imu.x,imu.y,spare.p,spare.q\n10,1.0,2,1,1\n30,5,6.5,,\n40,7,8,,\n")
  }

  func testEveryFormatOfARecordingIsTheSame() throws {
    try run("record imu=sim:imu@400,seed=7,gaps=0.05 METER=sim:meter@200,seed=3 --count 300 -o in.csv --layout wide")
    var outputs = ["long.csv", "a.vcd", "a.jsonl", "parts/"]
    #if SLUICE_SQLITE
      outputs.append("a.db")
    #endif
    #if SLUICE_ARCHIVE
      outputs += ["a.csv.gz", "a.jsonl.zst"]
    #endif
    for output in outputs {
      try run("convert in.csv -o \(output) \(output == "long.csv" ? "--layout long" : "")")
      XCTAssertEqual(
        try run("diff in.csv \(output)"), "in.csv and \(output) are the same: 300 readings of 2 streams\n")
    }
    try run("convert in.csv --raw -o raw.csv", status: 64)
  }

  func testAllDifferences() throws {
    try traces()
    XCTAssertEqual(
      try run("diff a.csv b.csv", status: 1),
      """
      A is a.csv, B is b.csv
      imu: 3 readings in A, 3 in B; 3 differences
        only in A: 1 reading, the first is number 2 at 20 ns
        only in B: 1 reading, the first is number 3 at 40 ns
        1 value differs, the first is y of reading 3 (2 in B) at 30 ns: 6 in A, 6.5 in B
      METER: only in A, 1 reading
      spare: only in B, 1 reading
      5 differences in 3 of 3 streams

      """)
    XCTAssertEqual(try run("diff a.csv b.csv --brief", status: 1), "a.csv and b.csv differ: imu\n")
    XCTAssertEqual(try run("diff a.csv a.csv --brief"), "a.csv and a.csv are the same\n")
  }

  func testAPartWithoutReadingsIsNotTheSame() throws {
    try write("in.csv", "time_ns,x\n0,1\n")
    let said = try run("diff in.csv in.csv --from 1h", status: 2)
    XCTAssertTrue(said.contains("neither has a reading in this part of its time"), said)
  }

  func testJSON() throws {
    try traces()
    let text = try run("diff a.csv b.csv --json", status: 1)
    let parsed = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    XCTAssertEqual(parsed["same"] as? Bool, false)
    XCTAssertEqual(parsed["differences"] as? Int, 5)
    let streams = try XCTUnwrap(parsed["streams"] as? [[String: Any]])
    XCTAssertEqual(streams.map { $0["only_in"] as? String }, [nil, "a", "b"])
    XCTAssertEqual((streams[0]["readings_only_in_b"] as? [String: Any])?["first_ns"] as? Int, 40)
    XCTAssertEqual((streams[0]["first_value"] as? [String: Any])?["b"] as? Double, 6.5)
  }

  func testOptions() throws {
    try traces()
    try run("diff a.csv b.csv --select imu.x --from 5ns --duration 10ns", status: 1)
    try run("diff a.csv b.csv --select imu.x --duration 5ns")
    try run("diff a.csv b.csv --select imu --tolerance 0.5 --from 20ns --duration 5ns")
    try run("diff a.csv b.csv --select imu --relative-tolerance 0.1 --from 20ns --duration 5ns")
    try write("late.csv", "time_ns,imu.x,imu.y,METER\n11,1,2,\n22,3,4,1\n30,5,6,\n")
    try run("diff a.csv late.csv", status: 1)
    XCTAssertEqual(
      try run("diff a.csv late.csv --time-tolerance 2ns"),
      "a.csv and late.csv are the same: 4 readings of 2 streams; times differ by 2 ns at most\n")
  }

  /// What says how a trace is read says it of both.
  func testFilesOfOtherProgramsAreReadByOptions() throws {
    try write("a.csv", "at,x,note,y\n1,10,a,1\n3,30,b,3\n2,20,c,2\n")
    try write("b.csv", "y,x,at\n1,10,1\n2,20,2\noops\n3,30,3\n")
    XCTAssertTrue(try run("diff a.csv b.csv", status: 2).contains("give --time-column with one of its columns"))
    let options = "--time-column at --time-unit ms --columns x,y --skip-bad"
    try run("diff a.csv b.csv \(options)", status: 1)
    let said = try run("diff a.csv b.csv \(options) --reorder 10ms")
    XCTAssertTrue(said.hasSuffix("a.csv and b.csv are the same: 3 readings of 1 stream\n"), said)
    XCTAssertTrue(said.contains("b.csv: a row could not be read and is left out: line 4"), said)
    XCTAssertTrue(
      try run("diff a.csv b.csv \(options) --times corrected", status: 1).contains("no time of b.csv is corrected"))
    try runShell("printf '\\001\\002\\003' > a.bin; printf '\\001\\002\\004' > b.bin")
    let scans = "--scan-layout 'v=le:u8/8>>0' --sample-rate 100"
    let bytes = try runShell("\"$SLUICE\" diff a.bin b.bin \(scans)", status: 1)
    XCTAssertTrue(bytes.contains("v of reading 3 at 20000000 ns: 3 in A, 4 in B"), bytes)
    try runShell("\"$SLUICE\" diff a.bin a.bin \(scans)")
    try run("diff a.bin b.bin --scan-layout oops", status: 64)
    try run("diff a.csv b.csv --sample-rate 100", status: 64)
  }

  func testAPipeLearnsItsStreamsOnTheWay() throws {
    try write("l.csv", "time_ns,stream,channel,value\n1,p,x,1\n2,q,y,2\n")
    XCTAssertEqual(
      try runShell("\"$SLUICE\" diff - l.csv < l.csv"), "- and l.csv are the same: 2 readings of 2 streams\n")
    try runShell("printf 'time_ns,stream,channel,value\\n1,p,x,1\\n' | \"$SLUICE\" diff - l.csv", status: 1)
  }

  func testTroubleIsStatus2AndWrongUsage64() throws {
    try traces()
    try write("bad.csv", "time_ns,imu.x,imu.y\n10,1,2\n20,foo,2\n")
    XCTAssertTrue(try run("diff a.csv bad.csv", status: 2).contains("line 3, column 2"))
    XCTAssertTrue(try run("diff a.csv missing.csv", status: 2).contains("no such file"))
    XCTAssertTrue(try run("diff a.csv b.csv --select METER", status: 2).contains("cannot select from b.csv"))
    try run("diff a.csv", status: 64)
    try run("diff - -", status: 64)
    try run("diff a.csv b.csv --tolerance=-1", status: 64)
    try run("diff a.csv b.csv --brief --json", status: 64)
  }
}
