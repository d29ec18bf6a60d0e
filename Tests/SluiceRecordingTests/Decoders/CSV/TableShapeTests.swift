import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class TableShapeTests: XCTestCase {
  private func rows(_ text: String, _ format: TraceFormat = TraceFormat()) -> [String] {
    rows(Array(text.utf8), format)
  }

  private func rows(_ bytes: [UInt8], _ format: TraceFormat) -> [String] {
    var rows: [String] = []
    do {
      let trace = try TraceReader(bytes, name: "walk.txt", format: format)
      rows.append(trace.streams.flatMap { $0.channels.map(\.name) }.joined(separator: "|"))
      var readings = Array(repeating: Reading.empty, count: 100)
      while case let count = try trace.next(into: &readings), count > 0 {
        rows += readings[..<count].map {
          "\($0.time) \($0.values.map { $0.isMissing ? "-" : $0.description }.joined(separator: "|"))"
        }
      }
    } catch {
      rows.append(error.cause)
    }
    return rows
  }

  private func period(_ nanoseconds: Int64) -> TraceFormat {
    var format = TraceFormat()
    format.period = RowPeriod(nanoseconds: nanoseconds)
    return format
  }

  /// The name of a pair says its column, wherever it stands.
  func testPairsGoToTheColumnsOfTheirNames() {
    for delimiter in [",", ";", " ", "\t", ", "] {
      let lines = [
        ["temp:20.0", "hum:50.0"], ["hum:51.0", "temp:21.0"], ["hum:52.0"], ["temp:23.0"],
      ].map { $0.joined(separator: delimiter) + "\n" }
      XCTAssertEqual(
        rows(lines.joined(), period(10)),
        ["temp|hum", "0 20.0|50.0", "10 21.0|51.0", "20 -|52.0", "30 23.0|-"], "\"\(delimiter)\"")
    }
    let first = "14:03:00.000 -> a:1,b:2\n14:03:01.000 -> b:3,a:4\n"
    var format = TraceFormat()
    format.date = "1970-01-01"
    XCTAssertEqual(rows(first, format).dropFirst().map { $0.split(separator: " ")[1] }, ["1|2", "4|3"])
  }

  /// Names in Latin-1: the cells of a row find their columns.
  func testAPairWhoseNameIsNotUTF8() {
    func latin(_ text: String) -> [UInt8] { text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
    XCTAssertEqual(
      rows(latin("t_\u{b5}:1,hum:2\nhum:4,t_\u{b5}:3\n"), period(10)), ["t_\u{b5}|hum", "0 1|2", "10 3|4"])
    XCTAssertEqual(rows(latin("t_\u{b5}:1 hum:2\nhum:4 t_\u{b0}:3\n"), period(10)).count, 3)
    // Two names that look the same now.
    let same = rows(latin("t_\u{b5}:1,t_\u{b0}:2\nt_\u{b0}:4,t_\u{b5}:3\n"), period(10))
    XCTAssertTrue([["0 1|2", "10 3|4"], []].contains(Array(same.dropFirst())), "\(same)")
    let text = TableText(latin("t_\u{b5}:1,hum:2\n"), isWhole: true)
    XCTAssertEqual(
      try? TableSearch.shape(text, of: "t.csv", period(10)).notices.first,
      "its line 1 is not UTF-8; each wrong byte in a name is read as \u{fffd}")
  }

  /// A comment among rows without times is no row, and a row that cannot be read keeps its time.
  func testRowsWithoutTimesThatAreNone() throws {
    for (text, all) in [
      ("a,b\n1,2\n3,4\n# 5, 5,6\n5,6\n", ["0 1|2", "10 3|4", "20 5|6"]),
      ("a b\n1 2\n3 4\n# 5 6\n5 6\n", ["0 1|2", "10 3|4", "20 5|6"]),
      ("a,b\n1,2\n\"x,4\n5,6\n", ["0 1|2", "20 5|6"]),
      ("a,b\n1,y\n2,\"x\n3,q\n4,z\"\n6,w\n", ["0 1", "20 3", "30 4", "40 6"]),
    ] {
      let trace = try TraceReader(Array(text.utf8), name: "t.csv", format: period(10), skipsBad: true)
      var rows: [String] = []
      while let reading = try trace.next() {
        rows.append("\(reading.time) \(reading.values.map(\.description).joined(separator: "|"))")
      }
      XCTAssertEqual(rows, all, text)
    }
  }

  /// Pairs in another order, whose names are those of the long layout.
  func testPairsOfTheLongLayout() throws {
    let text = "time_ns:1,stream:2,channel:3,value:4\ntime_ns:2,channel:3,stream:2,value:5\n"
    XCTAssertEqual(rows(text).suffix(2), ["1 4", "2 5"])
  }

  /// A name that the first row does not have is no column, and one that is there twice has no second one.
  func testAPairWithoutAColumn() {
    for line in ["temp:1,hum:2,press:3", "temp:1,press:3", "temp:1,temp:2", "temp:1,5"] {
      let rows = rows("temp:20.0,hum:50.0\n\(line)\n", period(10))
      XCTAssertEqual(rows.prefix(2), ["temp|hum", "0 20.0|50.0"], line)
      XCTAssertEqual(rows.count, 3, line)
      XCTAssertTrue(rows.last?.contains("cells") ?? false, "\(line): \(rows)")
    }
  }

  /// Without a header, the first row is one, whatever its numbers are.
  func testTheFirstRowWithAPeriod() {
    for first in ["1", "0", "512"] {
      XCTAssertEqual(rows("\(first)\n7\n", period(10)).dropFirst(), ["0 \(first)", "10 7"], first)
    }
    XCTAssertEqual(rows("1,2\n3,4\n", period(10)).dropFirst(), ["0 1|2", "10 3|4"])
    XCTAssertEqual(rows("x\n1\n2\n", period(10)), ["x", "0 1", "10 2"])
  }

  func testTheTimesOfARate() {
    var format = TraceFormat()
    format.period = ExactDecimal("44100").flatMap { RowPeriod(hertz: $0) }
    let rows = rows((0...88_200).map { "\($0)\n" }.joined(), format)
    XCTAssertEqual(rows.count, 88_202)
    XCTAssertEqual(rows[1 + 1], "22676 1")
    XCTAssertEqual(rows[1 + 44_100], "1000000000 44100")
    XCTAssertEqual(rows[1 + 88_200], "2000000000 88200")
  }
}
