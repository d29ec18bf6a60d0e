import XCTest

final class RefusedWordsTests: CommandTestCase {
  /// What the user has written stays as it is.
  func testWordsOfTheUserKeepTheirLetters() throws {
    for word in ["GPIO17", "METER"] {
      let said = try run("record \(word) -o t.csv", status: 64)
      XCTAssertTrue(said.contains("sluice: \(word) is not a source"), said)
    }
  }

  /// The programs that open files with these names would refuse CSV.
  func testOutputsOfOtherKinds() throws {
    for (path, remedy) in [
      ("a.xlsx", "write CSV, which spreadsheet programs open"),
      ("b.parquet", "which other programs convert: -o NAME.db"),
      ("mqtt://host/topic", "pipe it into a program that sends lines"),
    ] {
      let said = try run("record timer:1ms --count 1 -o \(path)", status: 1)
      XCTAssertTrue(said.contains("cannot write \(path): "), said)
      XCTAssertTrue(said.contains(remedy), said)
    }
    try run("record timer:1ms --count 1 -o a.xlsx --format csv")
  }
}
