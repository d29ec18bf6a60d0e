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
