import Foundation
import TestFiles
import XCTest

/// Every file in docs/Tables.md is read with the options that stand there, and gives the row that stands there.
final class TablesPageTests: CommandTestCase {
  private struct Row {
    var file: String
    var options: String
    var first: String
  }

  private static let fixtures = "Tests/SluiceRecordingTests/Fixtures/tables"

  private func rows() throws -> [Row] {
    let page = try String(contentsOf: Checkout.file("docs/Tables.md"), encoding: .utf8)
    return page.split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
      guard cells.count == 6, cells[1].hasPrefix("`"), cells[1].contains(".") else { return nil }
      func code(_ cell: String) -> String { cell.trimmingCharacters(in: CharacterSet(charactersIn: "`")) }
      return Row(file: code(cells[1]), options: code(cells[3]), first: code(cells[4]))
    }
  }

  func testEachRow() throws {
    let rows = try rows()
    let files = try FileManager.default.contentsOfDirectory(atPath: Checkout.file(Self.fixtures).path)
    XCTAssertEqual(Set(rows.map(\.file)), Set(files), "each file has a row, and each row a file")
    for row in rows {
      let source = Checkout.file(Self.fixtures).appendingPathComponent(row.file)
      let text = try String(contentsOf: source, encoding: .utf8)
      try write(row.file, text)
      let said = try runShell("$SLUICE convert \(row.file) \(row.options) -o out.csv --force")
      let output = try String(contentsOfFile: "\(folder)/out.csv", encoding: .utf8).split(separator: "\n")
      XCTAssertEqual(output.dropFirst().first.map(String.init), row.first, "\(row.file): \(said)")
      // The same through a pipe, which shows only its first line: it is read, or says what to do.
      let piped = try runShell("cat \(row.file) | $SLUICE convert - \(row.options) -o - 2>&1 || true")
      XCTAssertTrue(piped.contains(row.first) || piped.contains("cannot read standard input"), "\(row.file): \(piped)")
      // Windows line ends.
      try write("crlf-\(row.file)", text.replacingOccurrences(of: "\n", with: "\r\n"))
      try runShell("$SLUICE convert crlf-\(row.file) \(row.options) -o crlf.csv --force")
      let other = try String(contentsOfFile: "\(folder)/crlf.csv", encoding: .utf8).split(separator: "\n")
      XCTAssertEqual(other.dropFirst().map { $0 }, output.dropFirst().map { $0 }, row.file)
    }
  }

  /// Each file of the list of layouts is there: all others are said to be invented.
  func testWhereTheLayoutsAreFrom() throws {
    let page = try String(contentsOf: Checkout.file("docs/Tables.md"), encoding: .utf8)
    let list = try XCTUnwrap(page.components(separatedBy: "## What these files are").last)
    let files = Set(try rows().map(\.file))
    var cited = 0
    for line in list.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      XCTAssertEqual(cells.count, 2, "\(line)")
      for file in cells[0].split(separator: ",") {
        cited += 1
        XCTAssertTrue(files.contains(file.filter { !"` ".contains($0) }), "\(file) has no row")
      }
    }
    XCTAssertGreaterThan(cited, 20)
  }

  /// A first row that is a reading is not taken for a header, so that it is not lost.
  func testAFirstRowOfReadings() throws {
    try write("a.csv", "14-03-2024,14:00:00,P,21.5\n14-03-2024,14:10:00,L,21.6\n")
    let format = "--time-format '%d-%m-%Y %H:%M:%S'"
    for options in ["--column-names date,time,s,temp \(format)"] {
      try runShell("$SLUICE convert a.csv \(options) -o o.csv --force")
      XCTAssertEqual(try self.rows("o.csv").count, 3, options)
    }
    try write("b.csv", "!,03-14-24 14:00:00,21.5\n!,03-14-24 14:10:00,21.6\n")
    try runShell("$SLUICE convert b.csv --time-column 2 --time-format '%m-%d-%y %H:%M:%S' -o p.csv")
    XCTAssertEqual(try self.rows("p.csv").count, 3)
    try write("c.csv", " -1.5, 2\n -1.6, 3\n")
    try run("convert c.csv --period 10ms --column-names a,b -o q.csv")
    XCTAssertEqual(try self.rows("q.csv").dropFirst().map { $0 }, ["0,-1.5,2", "10000000,-1.6,3"])
    try write("d.csv", "14.03.2024,1,ok;\n")
    XCTAssertTrue(try run("info d.csv", status: 1).contains("it is read with --column-names time,a,b"))
  }

  /// A file that is not read without options is read with all those of the one message, and with no other.
  func testTheMessageHasTheOptions() throws {
    for row in try rows() {
      let source = Checkout.file(Self.fixtures).appendingPathComponent(row.file)
      try write(row.file, String(contentsOf: source, encoding: .utf8))
      let said = try runShell("$SLUICE convert \(row.file) -o out.csv --force 2>&1 || true")
      var options = ""
      if said.contains("cannot read") {
        let line = try XCTUnwrap(said.split(separator: "\n").last { $0.contains("cannot read") })
        options = try XCTUnwrap(proposed(String(line), row.options), "\(line)")
        let again = try runShell("$SLUICE convert \(row.file) \(options) -o out.csv --force 2>&1 || true")
        XCTAssertFalse(again.contains("cannot read"), "\(row.file) with \(options): \(again)")
      }
      let output = try String(contentsOfFile: "\(folder)/out.csv", encoding: .utf8).split(separator: "\n")
      let first = try XCTUnwrap(output.dropFirst().first, "\(row.file) with \(options)")
      // Only the user knows the unit, the period, the names and the zone.
      let isExample =
        ["--time-unit", "--period", "time_s"].contains { options.contains($0) }
        || row.options.contains("--timezone")
      func shown(_ row: Substring) -> [Substring] {
        Array(row.split(separator: ",", omittingEmptySubsequences: false).dropFirst(isExample ? 1 : 0))
      }
      XCTAssertEqual(shown(first), shown(row.first[...]), "\(row.file) with \(options)")
    }
  }

  /// The options in a message. If there are several lines, the one with the format of the times that the page has.
  private func proposed(_ message: String, _ right: String) -> String? {
    if let start = message.range(of: "it is read with ")?.upperBound {
      let end = message.range(of: " (", options: .backwards)?.lowerBound ?? message.endIndex
      let lines = message[start..<(end > start ? end : message.endIndex)].components(separatedBy: ", or with ")
      let format = right.components(separatedBy: "--time-format ").dropFirst().first?.prefix(12)
      // The user knows whether its rows have times.
      let hasPeriod = right.contains("--period")
      return lines.first { $0.contains("--period") == hasPeriod && format.map($0.contains) ?? true } ?? lines.first
    }
    let formats = message.components(separatedBy: "--time-format ").dropFirst().first?.components(separatedBy: " or ")
    if let format = formats?.first(where: { right.contains($0) }) { return "--time-format \(format)" }
    return ["--date 2024-03-14", "--time-unit s", "--period 10ms"].first { message.contains($0) }
  }

  /// The message has the option with which the file is read.
  func testDayOrMonthFirst() throws {
    for (time, options) in [
      ("14/03/2024 14:00:12:237", "'%d/%m/%Y %H:%M:%S:%f'"), ("03-14-2024 14:00", "'%m-%d-%Y %H:%M'"),
      ("03/04/2024 2:00:12 PM", "'%m/%d/%Y %I:%M:%S %p' or '%d/%m/%Y %I:%M:%S %p'"),
      ("14/03/2024T14:00:12.5", "'%d/%m/%YT%H:%M:%S.%f'"),
    ] {
      try write("t.csv", "time,x\n\(time),1\n")
      let said = try run("info t.csv", status: 1)
      XCTAssertTrue(said.contains("say which with --time-format \(options)"), said)
      let format = options.components(separatedBy: " or ")[0]
      try runShell("$SLUICE convert t.csv --time-format \(format) -o t.out.csv --force")
    }
  }

  func testTheHourThatOccursTwice() throws {
    let source = Checkout.file(Self.fixtures).appendingPathComponent("berlin.csv")
    try write("berlin.csv", String(contentsOf: source, encoding: .utf8))
    let said = try run("convert berlin.csv --timezone Europe/Berlin -o out.csv")
    XCTAssertTrue(said.contains("clocks of Europe/Berlin were set back"), said)
    // 02:30 and 02:45 of summer time, then 02:00 and 02:15 of winter time.
    XCTAssertEqual(
      try self.rows("out.csv").dropFirst().map { $0 },
      ["1729989000000000000,1", "1729989900000000000,2", "1729990800000000000,3", "1729991700000000000,4"])
  }

  /// Errors name the lines of the file, not those after its lines were changed.
  func testLinesInErrors() throws {
    try write("boot.csv", "boot\nready\nmillis,x\n1,2\n2,oops\n3,4\n")
    XCTAssertTrue(try run("convert boot.csv -o o.csv", status: 1).contains("line 5, column 2: \"oops\""))
    XCTAssertTrue(try run("convert boot.csv --skip-bad -o o.csv --force").contains("2 written"))
    try write("units.csv", "time,x\ns,V\n0.0,1\n0.1,oops\n")
    XCTAssertTrue(try run("convert units.csv -o p.csv", status: 1).contains("line 4"))
  }

  func testWhatHasNoEffectIsRefused() throws {
    try write("n.csv", "time (s),x\n1,2\n2,3\n")
    for (option, part) in [
      ("--timezone Europe/Berlin", "--timezone has no effect"), ("--date 2024-01-01", "--date has no effect"),
      ("--timezone Europe/Atlantis", "there is no /usr/share/zoneinfo/Europe/Atlantis"),
      ("--timezone ../../etc/passwd", "not the name of one"), ("--date tomorrow", "it is not a date"),
      ("--time-format %Q", "%Q, which is not known"), ("--period 10ms --time-unit s", "leave it out"),
      ("--column-names a,b,c", "3 names are given"),
    ] { XCTAssertTrue(try runShell("$SLUICE info n.csv \(option) 2>&1 || true").contains(part), option) }
  }

  func testWorkbooksAreRefused() throws {
    let zip: [UInt8] = [0x50, 0x4b, 3, 4, 20, 0, 6, 0] + [UInt8](repeating: 0, count: 22)
    try Data(zip + Array("[Content_Types].xml".utf8) + zip).write(to: URL(fileURLWithPath: "\(folder)/log.xlsx"))
    let said = try run("info log.xlsx", status: 1)
    XCTAssertTrue(said.contains("soffice --headless --convert-to csv log.xlsx"), said)
  }
}
