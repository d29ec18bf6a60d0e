import Foundation
import SluicePipeline
import XCTest

/// `--max-loss` promises only what can be seen.
final class MaxLossTests: CommandTestCase {
  func testItRefusesWhereNoLossWouldShow() throws {
    let fixture = try ConverterFixture(in: folder)
    try runShell("rm \(fixture.device)/scan_elements/in_timestamp_*")
    let feeding = open(fixture.fifo, O_RDWR)
    defer { close(feeding) }
    let said = try run("record name=iio:adc --root \(folder) --max-loss 0 -o o.csv", status: 1)
    XCTAssertTrue(said.contains("cannot keep --max-loss: "), said)
    XCTAssertTrue(said.contains("no loss of name would show; "), said)
    XCTAssertEqual(fixture.attribute("buffer/enable"), "0")
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/o.csv"))
    try write("in.csv", "time_ns,x\n1,5\n")
    let replayed = try run("replay in.csv --max-loss 0 -o o.csv", status: 1)
    XCTAssertTrue(replayed.contains("cannot keep --max-loss for in.csv: there is no metadata"), replayed)
    XCTAssertTrue(replayed.contains("or give --skip-bad too to limit the rows that cannot be read"), replayed)
  }

  /// Whoever leaves out rows may say how many.
  func testRowsOfAForeignTraceThatCannotBeReadAreLimited() throws {
    try write("in.csv", "time (s),x\n1,5\n2,oops\n3,6\n4,oops\n5,7\n")
    let said = try run("replay in.csv --skip-bad --max-loss 1 -o o.csv", status: 3)
    XCTAssertTrue(said.contains("lost 2 readings, more than the 1 that --max-loss allows"), said)
    try run("replay in.csv --skip-bad --max-loss 2 -o o.csv --force")
    XCTAssertEqual(try rows("o.csv").count, 4)
    // A recording that was cut off has lost what no row shows.
    try run("record timer:5ms --count 3 -q -o t.csv")
    let text = try String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8)
    try write("t.csv-metadata.json", text.replacingOccurrences(of: "\"finished\"", with: "\"unfinished\""))
    try run("replay t.csv --skip-bad --max-loss 5 -o u.csv", status: 1)
  }

  /// From a pipe, the streams are known only at the end.
  func testRowsOfAPipeThatCannotBeRead() throws {
    try write("long.csv", "time_ns,stream,channel,value\n1,a,x,1\n1,a\n2,b,y,2\n")
    try write(
      "o.jsonl",
      "{\"time_ns\":1,\"stream\":\"a\",\"values\":{\"x\":1}}\nno\n{\"time_ns\":2,\"stream\":\"b\",\"values\":{\"x\":1}}\n"
    )
    let edge = { (line: Int) in "event:  RISING EDGE offset: \(line) timestamp: [    1000.500000000]\n" }
    try write("edges.txt", edge(1) + "event: no\n" + edge(2))
    for (trace, streams) in [("long.csv", ["a", "b"]), ("o.jsonl", ["a", "b"]), ("edges.txt", ["line1", "line2"])] {
      let said = try runShell("cat \(trace) | \"$SLUICE\" replay - --skip-bad -o o.csv --layout long --force")
      XCTAssertTrue(said.contains("2 written, 1 row left out (unreadable); "), said)
      let data = Data(try rows("o.csv-metadata.json").joined(separator: "\n").utf8)
      let metadata = try XCTUnwrap(JSONSerialization.jsonObject(with: data) as? [String: Any])
      let losses = try XCTUnwrap(metadata["sluice:losses"] as? [[String: Any]])
      XCTAssertEqual(losses.map { $0["sluice:count"] as? Int }, [1], trace)
      XCTAssertEqual(losses.first?["sluice:streams"] as? [String], streams)
    }
    // The wide layout has one stream, which has no name of its own.
    try write("wide.csv", "t_s,x\n1,5\n2,oops\n")
    XCTAssertTrue(
      try runShell("cat wide.csv | \"$SLUICE\" replay - --skip-bad -o w.csv").contains("1 row left out (unreadable)"))
    XCTAssertTrue(try rows("w.csv-metadata.json").joined().contains("\"sluice:name\": \"stdin\""))
    // No row of it can be read, and so it has no stream.
    try write("none.csv", "time_ns,stream,channel,value\n1,a\n")
    let none = try runShell("cat none.csv | \"$SLUICE\" replay - --skip-bad -o n.csv")
    XCTAssertTrue(none.contains("0 written, 1 row left out (unreadable)"), none)
    XCTAssertFalse(none.contains(" of \n") || none.contains(" of ;"), none)
    let metadata = try rows("n.csv-metadata.json").joined()
    XCTAssertTrue(metadata.contains("unreadable rows of the trace"), metadata)
  }

  /// A recording that lost something is no whole one when it is replayed.
  func testWhatTheRecordingMissedCounts() throws {
    try run("record timer:1us --count 2000 -o t.csv")
    let said = try run("replay t.csv --max-loss 0 -o u.csv", status: 3)
    XCTAssertTrue(said.contains("2,000 written, nothing lost in replay; the recording missed "), said)
    try run("record timer:20ms --count 3 -o s.csv")
    try run("replay s.csv --max-loss 0 -o v.csv")
  }

  // MARK: What a trace is known to have missed

  /// Its metadata says how many rows there should be.
  func testRowsThatAreMissingFromATraceAreALoss() throws {
    try run("record timer:5ms --count 30 -q -o t.csv")
    try runShell("sed -i '5,20d' t.csv")
    let said = try run("replay t.csv --max-loss 0 -o u.csv", status: 3)
    XCTAssertTrue(said.contains("14 written, 16 missing from the trace, by its metadata"), said)
    XCTAssertFalse(try run("replay t.csv --duration 20ms -o v.csv").contains("missing from the trace"))
  }

  func testAnErrorOfTheRecordingIsCarriedOn() throws {
    let fixture = try ConverterFixture(in: folder)
    let started = try start("record iio:adc --root \(folder) -o t.csv")
    let feeding = open(fixture.fifo, O_WRONLY)
    let scans = ConverterFixture.scans(0..<100)
    XCTAssertEqual(Foundation.write(feeding, scans, scans.count), scans.count)
    close(feeding)
    XCTAssertEqual(end(started).status, 1)
    for (trace, output) in [("t.csv", "u.csv"), ("u.csv", "v.csv")] {
      let said = try run("replay \(trace) -o \(output)")
      XCTAssertTrue(
        said.contains("the recording had an error: cannot read adc (iio:device0): the device was removed"), said)
      try run("replay \(trace) --max-loss 0 -o \(output) --force", status: 3)
    }
  }

  /// What stood in the file before is not described by what comes.
  func testRowsWithoutMetadataAreNotVouchedFor() throws {
    try write("t.csv", "time_ns,stream,channel,value\n1,old,v,2\n")
    try run("record x=timer:5ms y=timer:5ms --count 2 --append -o t.csv")
    let said = try run("replay t.csv -o u.csv")
    XCTAssertTrue(said.contains("some rows have no metadata"), said)
    XCTAssertEqual(try rows("u.csv"), try rows("t.csv"))
    try run("replay t.csv --max-loss 0 -o v.csv", status: 1)
  }

  func testACutOffPartIsSaid() throws {
    try run("record timer:5ms --count 3 -q -o t.csv")
    let text = try String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8)
    try write("t.csv-metadata.json", text.replacingOccurrences(of: "\"finished\"", with: "\"unfinished\""))
    try run("record timer:5ms --count 3 -q --append -o t.csv")
    XCTAssertTrue(try run("replay t.csv -o u.csv").contains("the recording was cut off"))
    try run("replay t.csv --max-loss 0 -o v.csv", status: 1)
  }
}
