import Foundation
import XCTest

/// `sluice replay` of files of other programs.
final class ForeignTraceTests: CommandTestCase {
  /// The three logs that went in only with pandas.
  func testTheyGoInWithoutOptions() throws {
    try write("phone.csv", "seconds_elapsed,z,y,x\n0.0003897357306683825,1.25,2,3\n0.0104,-0.0003897357306683825,2,3\n")
    try write("arduino.csv", "millis;temp;hum;light\r\n0;21,5;40;800\r\n1000;21,75;40;801\r\n")
    try write(
      "log.csv", "# logger v2\ntimestamp,temp,note\n2024-03-01T12:00:00Z,21.5,foo\n2024-03-01T12:00:01Z,21.6,bar\n")
    let phone = try run("replay phone.csv -o p.csv")
    XCTAssertEqual(try rows("p.csv"), ["time_ns,z,y,x", "389736,1.25,2,3", "10400000,-0.0003897357306683825,2,3"])
    XCTAssertTrue(phone.contains("phone.csv: times were rounded to whole nanoseconds\n"), phone)
    XCTAssertTrue(
      phone.contains(
        "phone.csv: the time is column 1, \"seconds_elapsed\", in seconds; if not, give --time-column and --time-unit\n"
      ),
      phone)
    try run("replay arduino.csv -q -o a.csv")
    XCTAssertEqual(try rows("a.csv"), ["time_ns,temp,hum,light", "0,21.5,40,800", "1000000000,21.75,40,801"])
    let log = try run("replay log.csv -o l.csv")
    XCTAssertEqual(try rows("l.csv"), ["time_ns,temp", "1709294400000000000,21.5", "1709294401000000000,21.6"])
    XCTAssertTrue(log.contains("column 3, \"note\", is left out, because its first value is \"foo\""), log)
    try run("replay log.csv -q --columns note -o n.csv", status: 1)
    try run("replay phone.csv -q --columns x,2 --time-unit ms -o c.csv")
    XCTAssertEqual(try rows("c.csv"), ["time_ns,x,z", "390,3,1.25", "10400,3,-0.0003897357306683825"])
  }

  /// The header of a pipe is enough, and of a foreign one the first row.
  func testAPipeIsNotWaitedForBeyondItsFirstRow() throws {
    let said = try runShell(
      """
      mkfifo p; (printf 'millis;x\\n1;2,5\\n'; while [ ! -s out.csv ]; do sleep 0.05; done; printf '2;3\\n') > p & \
      $SLUICE replay - -q -o - < p | tee out.csv > /dev/null
      """)
    XCTAssertEqual(said, "")
    XCTAssertEqual(try rows("out.csv"), ["time_ns,x", "1000000,2.5", "2000000,3"])
  }

  func testARunThatFailsBeforeItsFirstRowLeavesNothing() throws {
    for (text, options) in [
      ("timestamp,x\n100,1\n", ""), ("time_ns,x\n1,oops\n", ""), ("time (s),x\n03/01/2024,1\n", ""),
      ("time (s),x\n1,2,3\n", ""), ("", ""), ("a|b\n1|2\n", ""), ("time (s),x\n1,2\n", "--columns y"),
    ] {
      try write("in.csv", text)
      for output in ["o.csv", "o.csv --layout long", "o.jsonl", "o.db", "d/", "-"] {
        let before = try FileManager.default.contentsOfDirectory(atPath: folder)
        let said = try run("replay in.csv -q -o \(output) \(options)", status: 1)
        XCTAssertTrue(said.hasPrefix("sluice: "), said)
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: folder).sorted(), before.sorted(), text)
      }
    }
    // What it would have overwritten is as it was.
    try write("in.csv", "time_ns,x\n1,oops\n")
    try write("old.csv", "time_ns,x\n1,2\n")
    try run("replay in.csv -q -o old.csv --force", status: 1)
    XCTAssertEqual(try rows("old.csv"), ["time_ns,x", "1,2"])
    // What was not created is not in the way.
    try write("in.csv", "time (s),x\n1,2\n")
    try run("replay in.csv -q -o o.csv")
  }

  func testRowsThatCannotBeReadAreCounted() throws {
    try run("record a=timer:5ms b=timer:5ms --count 8 -q -o walk.csv")
    try runShell("sed -i '3s/.*/oops/' walk.csv")
    let refused = try run("replay walk.csv -o o.csv", status: 1)
    XCTAssertTrue(refused.contains("line 3, column 2: the row has 1 cell"), refused)
    XCTAssertTrue(refused.contains("leave out such rows with --skip-bad"), refused)
    let said = try run("replay walk.csv --skip-bad -o p.csv")
    XCTAssertTrue(said.contains("walk.csv: a row could not be read and is left out: line 3, column 2"), said)
    XCTAssertTrue(said.contains("1 row left out (unreadable)"), said)
    XCTAssertFalse(said.contains("nothing lost in replay"), said)
    XCTAssertFalse(said.contains("missing from the trace"), "it is not counted twice: \(said)")
    try run("replay walk.csv --skip-bad -q --max-loss 0 -o q.csv", status: 3)
    // A busy machine may have missed ticks.
    try run("replay walk.csv --skip-bad -q --max-loss 1000000 -o r.csv")
    let account = try run("replay walk.csv --skip-bad -q --stats json -o s.csv")
    XCTAssertTrue(account.contains(#""reason": "unreadable rows of the trace", "count": 1"#), account)
    let again = try run("replay p.csv -o t.csv")
    XCTAssertTrue(again.contains("the recording missed "), again)
  }
}
