import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Wide files, whose columns may belong to several streams.
final class WideTraceTests: XCTestCase {
  private func trace(_ text: String, _ format: TraceFormat = TraceFormat()) throws -> TraceReader {
    try TraceReader(Array(text.utf8), name: "walk.csv", format: format)
  }

  private func streams(_ header: String, _ format: TraceFormat = TraceFormat()) throws -> [String] {
    try trace(header + "\n", format).streams.map { "\($0.name): \($0.channels.map(\.name).joined(separator: " "))" }
  }

  /// `TIME STREAM VALUES` of each reading, or the error that came instead.
  private func rows(_ text: String, block: Int = 100) -> [String] {
    var rows: [String] = []
    do {
      let trace = try trace(text)
      var readings = Array(repeating: Reading.empty, count: block)
      while case let count = try trace.next(into: &readings), count > 0 {
        rows += readings[..<count].map {
          "\($0.time) \($0.stream.index) \($0.values.map(\.description).joined(separator: "|"))"
        }
      }
    } catch {
      var error = error as? SluiceError
      // The same for every row.
      if error?.remedy == CSVFile.skipRemedy { error?.remedy = nil }
      rows.append(error.map { "\($0)" } ?? "")
    }
    return rows
  }

  func testColumnsAreSplitAtTheFirstDot() throws {
    XCTAssertEqual(
      try streams("time_ns,imu.accel.x,imu.y,METER,adc.in0"), ["imu: accel.x y", "METER: value", "adc.in0: value"])
    XCTAssertEqual(try streams("imu.x,time_ns,imu.y"), ["imu: x y"], "one stream has the same names")
    XCTAssertEqual(try streams("time_ns,a.x,b.x,a.y,b.y"), ["a: x y", "b: x y"], "wherever its columns are")
    XCTAssertEqual(try streams("time_ns,a.x"), ["a.x: value"])
    XCTAssertEqual(try streams("time_ns,.x,y.,.z"), ["walk: .x y. .z"], "one name alone is no stream and channel")
    XCTAssertFalse(try trace("time_ns,a.x,a.y\n").streams[0].hasForeignColumns)
    XCTAssertEqual(try trace("time_ns,a.x (m/s),a.y\n").streams[0].channels.map(\.unit), ["m/s", nil])
    XCTAssertEqual(try trace("time_ns,a.x,b (V)\n").streams[1].channels.map(\.unit), ["V"])
  }

  func testAnyOtherFileIsOneStream() throws {
    XCTAssertEqual(try streams("time_ns,x,y"), ["walk: x y"])
    XCTAssertEqual(try streams("t,a.x,b.y", TraceFormat(timeColumn: "t")), ["walk: a.x b.y"])
    XCTAssertEqual(try streams("time_ns"), ["walk: "])
    XCTAssertEqual(try streams("time_ns,a,b.x,b.y,a"), ["walk: a b.x b.y a_2"], "two streams would have a name")
    XCTAssertEqual(try streams("time_ns,a,a.x,a.y"), ["walk: a a.x a.y"])
    XCTAssertTrue(try trace("time_ns,x,y\n").streams[0].hasForeignColumns)
  }

  func testARowHasAReadingOfEachStreamOfWhichItHasAValue() {
    let text = """
      imu.x,time_ns,METER,imu.y
      1,10,,2
      ,20,1,
      3.50,30,0,
      nan,40,,
      ,50, ,1e2
      "",60,"7",""

      """
    let expected = [
      "10 0 1|2", "20 1 1", "30 0 3.50|", "30 1 0", "40 0 |", "50 0 |100", "60 1 7",
    ]
    for block in [1, 2, 3, 100] { XCTAssertEqual(rows(text, block: block), expected) }
    XCTAssertEqual(rows(String(text.dropLast())), expected, "the last row goes the long way")
  }

  func testReadingsAreInTheOrderOfTheStreams() {
    XCTAssertEqual(
      rows("time_ns,a.x,b.x,a.y,b.y\n1,,5,6,\n2,1,2,3,4\n"), ["1 0 |6", "1 1 5|", "2 0 1|3", "2 1 2|4"])
  }

  /// Of which stream would it be?
  func testARowWithNothingButATimeIsRefused() {
    for row in ["2,,", "2, ,", "\"2\",,"] {
      XCTAssertEqual(
        rows("time_ns,a.x,b.x\n1,5,\n\(row)\n3,,7\n"),
        ["1 0 5", "cannot read walk.csv: line 3, column 1: the row has a time and nothing else"])
    }
    XCTAssertEqual(rows("time_ns,a.x,a.y\n1,,\n2,nan,\n"), ["1 0 |", "2 0 |"])
  }

  func testTheFirstBadCellIsNamed() {
    XCTAssertEqual(
      rows("time_ns,a.x,b.x\n1,5,\n2,6,oops\n").last,
      "cannot read walk.csv: line 3, column 3: \"oops\" is not a number")
    XCTAssertEqual(
      rows("time_ns,a.x,b.x\n1,5\n").last,
      "cannot read walk.csv: line 2, column 3: the row has 2 cells, but the header has 3")
    XCTAssertEqual(
      rows("time_ns,a.x,b.x\n1,5,6,\n").last,
      "cannot read walk.csv: line 2, column 4: the row has 4 cells, but the header has 3")
    XCTAssertEqual(
      rows("time_ns,a.x,b.x\n,5,6\n").last, "cannot read walk.csv: line 2, column 1: \"\" is not a time")
  }

  func testManyStreams() throws {
    let names = (0..<300).flatMap { stream in (0..<64).map { "s\(stream).c\($0)" } }
    var text = "time_ns," + names.joined(separator: ",") + "\n"
    for row in 0..<300 {
      text += "\(row)" + String(repeating: ",", count: 64 * row + 64) + "\(row)"
      text += String(repeating: ",", count: 64 * (299 - row)) + "\n"
    }
    let trace = try trace(text)
    XCTAssertEqual(trace.streams.count, 300)
    for row in 0..<300 {
      let next = try XCTUnwrap(try trace.next())
      XCTAssertEqual(next.time, Int64(row))
      XCTAssertEqual(next.stream.index, UInt16(row))
      XCTAssertEqual(next.values.map(\.isMissing).filter { !$0 }.count, 1)
      XCTAssertEqual(next.values[63].significand, Int64(row))
    }
    XCTAssertNil(try trace.next())
  }

  func testThereAreLimits() {
    XCTAssertEqual(rows("time_ns," + (0..<65).map { "a.\($0)" }.joined(separator: ",") + "\n").count, 1)
    XCTAssertTrue(
      rows("time_ns," + (0..<65).map { "a.\($0)" }.joined(separator: ",") + "\n")[0].contains(
        "65 channels in one stream, but 64 is the limit"))
    XCTAssertEqual(
      rows(
        "time_ns," + (1..<TraceColumns.limit).map { "s\($0).x" }.joined(separator: ",") + "\n1"
          + String(repeating: ",", count: TraceColumns.limit - 1) + "7\n"), ["1 65534 7"])
    XCTAssertTrue(
      rows(String(repeating: ",", count: TraceColumns.limit) + "time_ns\n")[0].contains("65536 is the limit"))
  }

  /// The short way must give what the long way gives: quoted cells take the long one.
  func testGivesWhatTheLongWayGives() {
    for _ in 0..<1_000 {
      var columns = (0..<Int.random(in: 1...8)).map { "\("ab".randomElement() ?? "a").\($0)" }
      columns += ["c", "d.x"]
      columns.insert("time_ns", at: Int.random(in: 0...columns.count))
      let rows = (0..<Int.random(in: 1...5)).map { row in
        columns.map { name -> String in
          if name == "time_ns" { return "\(row)" }
          return Bool.random() ? "" : ["7", "-2.50", "nan", "1e3", " ", "x"].randomElement()!
        }
      }
      let plain = ([columns] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
      let quoted = ([columns] + rows).map { $0.map { "\"\($0)\"" }.joined(separator: ",") + "\n" }.joined()
      XCTAssertEqual(self.rows(plain), self.rows(quoted), plain)
      XCTAssertEqual(self.rows(plain), self.rows(plain, block: 1), plain)
    }
  }
}
