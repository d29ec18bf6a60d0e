import Foundation
import XCTest

/// Traces of other programs that look as if they were read, but would be read wrong.
final class ForeignTrapsTests: CommandTestCase {
  private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: "\(folder)/\(name)") }

  private func count(_ text: String, in said: String) -> Int { said.components(separatedBy: text).count - 1 }

  // MARK: Dates and other times

  func testDatedAndUndatedTracesAreNotMerged() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/d", withIntermediateDirectories: true)
    for place in ["", "d/"] {
      try write("\(place)dated.csv", "time_ns,a\n1709294400000000000,1\n")
      try write("\(place)plain.csv", "time (s),b\n0.5,1\n1.5,2\n")
    }
    for command in [
      "convert dated.csv plain.csv -o o.csv", "convert plain.csv dated.csv -o o.csv", "replay d -o o.csv",
      "convert d -o o.csv",
    ] {
      let said = try run(command, status: 1)
      let place = command.contains(" d ") ? "d/" : ""
      XCTAssertTrue(
        said.contains(
          "cannot merge \(place)dated.csv and \(place)plain.csv together: the times of \(place)dated.csv are dates, "
            + "but the times of \(place)plain.csv are relative; read each trace alone"), said)
      XCTAssertFalse(exists("o.csv"))
    }
    XCTAssertTrue(try run("info d", status: 1).contains("cannot merge"))
    XCTAssertTrue(try run("diff dated.csv plain.csv", status: 2).contains("cannot compare"))
    try run("convert plain.csv d/plain.csv -o two.csv", status: 1)
    try run("info dated.csv plain.csv")
  }

  // MARK: Headers

  func testAHeaderAgainIsNoStream() throws {
    let long = "time_ns,stream,channel,value\n"
    try write("long.csv", "\(long)1,a,x,1\n\(long)2,a,x,2\n\(long)3,a,x,3\n")
    let said = try run("convert long.csv --layout long -o o.csv")
    XCTAssertEqual(
      count("long.csv: line 3 has the header again, and is left out; so are further ones", in: said), 1, said)
    XCTAssertEqual(try rows("o.csv"), ["time_ns,stream,channel,value", "1,a,x,1", "2,a,x,2", "3,a,x,3"])
    XCTAssertTrue(try run("info long.csv").contains("long.csv: 3 readings"))
    for (name, header) in [
      ("wide.csv", "time_ns,a,b"), ("foreign.csv", "millis;a;b"), ("quoted.csv", "\"t (ms)\",a,b"),
    ] {
      let cell = header.contains(";") ? ";" : ","
      let row = { (time: Int) in "\(time)\(cell)1\(cell)2\n" }
      try write(name, "\(header)\n\(row(1))\u{feff}\(header)\r\n\(row(2))")
      let said = try run("convert \(name) -o \(name).out.csv")
      XCTAssertTrue(said.contains("\(name): line 3 has the header again"), said)
      XCTAssertEqual(try rows("\(name).out.csv").count, 3)
    }
  }

  func testAHeaderWithOtherColumnsIsAnError() throws {
    for (name, second, options) in [
      ("wide.csv", "time_ns,b,a", ""), ("more.csv", "time_ns,a,b,c", "--skip-bad"),
      ("bad.csv", "time_ns,b,a", "--skip-bad"),
    ] {
      try write(name, "time_ns,a,b\n1,2,3\n\(second)\n2,3,4\n")
      let said = try run("replay \(name) \(options) -o \(name).out.csv", status: 1)
      XCTAssertTrue(
        said.contains(
          "cannot read \(name): line 3: a second header begins there, with other columns; cut the file before that "
            + "line, and read both pieces: head -n 2 \(name) > first.csv"), said)
    }
  }

  // MARK: A conversion that fails

  private func writeBad() throws {
    try write("bad.csv", "time_ns,x\n" + (1...2_000).map { "\($0),1\n" }.joined() + "oops,1\n")
  }

  func testAConversionThatFailsLeavesNothing() throws {
    try writeBad()
    try write("kept.csv", "time_ns,bad\n0,7\n")
    for (output, options) in [
      ("o.csv", ""), ("o.jsonl", ""), ("o.vcd", ""), ("o.line", "--format influx"), ("o.db", ""), ("o.csv.gz", ""),
      ("d/", ""), ("parts.csv", "--rotate 4k"), ("old.csv", "--force"),
    ] {
      #if !SLUICE_SQLITE
        if output == "o.db" { continue }
      #endif
      #if !SLUICE_ARCHIVE
        if output == "o.csv.gz" { continue }
      #endif
      if output == "old.csv" { try write("old.csv", "time_ns,x\n0,1\n") }
      let said = try run("convert bad.csv -o \(output) \(options)", status: 1)
      XCTAssertTrue(said.contains("is removed, because it had only a part of the trace"), said)
      if !options.contains("rotate") { XCTAssertFalse(said.contains("written"), said) }
      XCTAssertEqual(
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted(), ["bad.csv", "kept.csv"], output)
    }
    // Rows that were there before are nowhere else.
    let said = try run("convert bad.csv -o kept.csv --append", status: 1)
    XCTAssertFalse(said.contains("is removed"), said)
    XCTAssertEqual(try rows("kept.csv").prefix(2), ["time_ns,bad", "0,7"])
    try run("convert bad.csv -o again.csv", status: 1)
    try run("convert bad.csv -o again.csv --skip-bad")
    XCTAssertEqual(try rows("again.csv").count, 2_001)
  }

  /// What comes from a pipe is nowhere else, and a replay gives what is before the fault.
  func testWhatMayBeNowhereElseStays() throws {
    try writeBad()
    let piped = try runShell("cat bad.csv | \"$SLUICE\" convert - -o piped.csv", status: 1)
    let replayed = try run("replay bad.csv -o replayed.csv", status: 1)
    for (name, said) in [("piped.csv", piped), ("replayed.csv", replayed)] {
      XCTAssertEqual(try rows(name).count, 2_001)
      XCTAssertTrue(
        said.contains("\(name) has the readings before the fault; to write it again, give --force, or remove it"), said)
    }
  }

  // MARK: Units

  func testAUnitInTheNameIsReplaced() throws {
    try write("p.csv", "Time (s),Accelerometer X (g),Temp [degC]\n0.5,1,20\n")
    try write("s.csv", "Time (s),Accelerometer X (g)\n0.5,1\n")
    try run("convert p.csv --scale Temp_=1 -o x.csv", status: 1)
    try runShell(
      "\"$SLUICE\" convert p.csv --scale 'Accelerometer X (g)=9.80665,0,m/s^2' --header-units -o o.csv -q")
    XCTAssertEqual(try rows("o.csv").first, "time_ns,Accelerometer X (m/s^2),Temp [degC]")
    try runShell(
      "\"$SLUICE\" convert s.csv --scale 'Accelerometer X (g)=9.80665,0,m/s^2' --header-units -o s.out.csv -q")
    XCTAssertEqual(try rows("s.out.csv").first, "time_ns,Accelerometer X (m/s^2)")
    // Without the option, names stay.
    try runShell("\"$SLUICE\" convert p.csv --scale 'Accelerometer X (g)=9.80665,0,m/s^2' -o n.csv -q")
    XCTAssertEqual(try rows("n.csv").first, "time_ns,Accelerometer X (g),Temp [degC]")
  }

  // MARK: Several sensors in one file

  func testSensorsThatAreMixedAreSaid() throws {
    try write(
      "ha.csv",
      "entity_id,state,last_changed\n"
        + "sensor.temp,20.0,2024-03-01T12:00:00Z\nsensor.hum,40,2024-03-01T12:00:01Z\n"
        + "sensor.temp,unavailable,2024-03-01T12:00:02Z\nsensor.hum,unknown,2024-03-01T12:00:03Z\n")
    let said = try run("convert ha.csv --time-column last_changed -o ha.out.csv")
    XCTAssertTrue(
      said.contains(
        "ha.csv: column 1, \"entity_id\", has \"sensor.temp\" and \"sensor.hum\": if it names sensors, "
          + "their values are mixed in one stream; give a file of one sensor"), said)
    XCTAssertEqual(
      try rows("ha.out.csv").map { String($0.split(separator: ",", omittingEmptySubsequences: false)[1]) },
      ["state", "20.0", "40", "", ""])
    let lines = [("A", 7), ("B", 9), ("A", 7)].enumerated().map { index, sensor in
      "{\"time\":\"2024-03-01 12:00:0\(index)\",\"model\":\"\(sensor.0)\",\"id\":\(sensor.1),\"temperature_C\":20.5}\n"
    }
    try write("rtl.jsonl", lines.joined())
    let rtl = try run("convert rtl.jsonl -o rtl.csv")
    for sentence in [
      "member \"model\" has \"A\" and \"B\": if it names", "member \"id\" has \"7\" and \"9\": if it names",
    ] {
      XCTAssertEqual(count(sentence, in: rtl), 1, rtl)
    }
    // One sensor, and numbers of rows, are no mixture.
    try write("one.csv", "id,name,t_s,x\n1,a,1,5\n2,a,2,6\n3,a,3,7\n")
    XCTAssertFalse(try run("convert one.csv -o one.out.csv").contains("sensors"))
  }
}
