import Foundation
import TestFiles
import XCTest

/// `sluice convert --excel`.
final class SpreadsheetCommandTests: CommandTestCase {
  /// 2024-03-14 14:00:00.250 and a second later.
  private func writeTrace() throws {
    try write("in.csv", "time_ns,temp (degC),n\n1710424800250000000,20.5,1\n1710424801250000000,-0.25,\n")
  }

  /// Excel shows other letters without the mark of UTF-8. A table of ASCII has none, and both are read back.
  func testTheMarkOfUTF8() throws {
    for (title, hasMark) in [("temp (\u{b0}C)", true), ("temp (K)", false)] {
      try write("in.csv", "time_ns,\(title)\n1710424800123000000,20.5\n")
      try run("convert in.csv --excel=de -o out.csv --force")
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/out.csv")))
      XCTAssertEqual(bytes.starts(with: [0xef, 0xbb, 0xbf]), hasMark, title)
      try run("convert out.csv -o back.csv --force")
      XCTAssertEqual(try rows("back.csv"), ["time_ns,\(title)", "1710424800123000000,20.5"])
    }
  }

  func testEnglish() throws {
    try writeTrace()
    try run("convert in.csv --excel -o out.csv")
    XCTAssertEqual(
      try rows("out.csv"),
      ["time,temp (degC),n", "2024-03-14 14:00:00.250,20.5,1", "2024-03-14 14:00:01.250,-0.25,"])
  }

  func testGerman() throws {
    try writeTrace()
    try run("convert in.csv --excel=de -o out.csv")
    XCTAssertEqual(
      try rows("out.csv"),
      ["time;temp (degC);n", "14.03.2024 14:00:00,250;20,5;1", "14.03.2024 14:00:01,250;-0,25;"])
  }

  /// What it writes, the others read: the same times and values.
  func testItIsReadAgain() throws {
    try writeTrace()
    for (option, name) in [("--excel", "en"), ("--excel=de", "de")] {
      try run("convert in.csv \(option) -o \(name).csv")
      try run("convert \(name).csv -o \(name)-back.csv")
      XCTAssertEqual(
        Array(try rows("\(name)-back.csv").dropFirst()), Array(try rows("in.csv").dropFirst()), name)
    }
    try write("r.csv", "time (s),x\n0.5,1\n1.25,2\n")
    try run("convert r.csv --excel=de -o r-de.csv")
    XCTAssertEqual(try rows("r-de.csv"), ["time;x", "0,500000000;1", "1,250000000;2"])
    try run("convert r-de.csv -o r-back.csv")
    XCTAssertEqual(Array(try rows("r-back.csv").dropFirst()), ["500000000,1", "1250000000,2"])
  }

  func testRefusals() throws {
    try writeTrace()
    XCTAssertTrue(try run("convert in.csv --excel --time iso -o o.csv", status: 64).contains("leave out --format"))
    XCTAssertTrue(try run("convert in.csv -o o.xlsx", status: 1).contains("--excel -o NAME.csv"))
    XCTAssertTrue(try run("convert in.csv -o o.parquet", status: 1).contains("duckdb"))
  }

}
