import XCTest

final class RefusedWordsTests: CommandTestCase {
  /// What the user has written stays as it is.
  func testWordsOfTheUserKeepTheirLetters() throws {
    for word in ["GPIO17", "METER", "Value", "Unknown"] {
      let said = try run("record \(word) -o t.csv", status: 64)
      XCTAssertTrue(said.contains("sluice: \(word) is not a source"), said)
    }
  }

  /// The programs that open files with these names would refuse CSV.
  func testOutputsOfOtherKinds() throws {
    for (path, remedy) in [
      ("a.xlsx", "write CSV, which spreadsheet programs open"),
      ("b.parquet", "of which DuckDB makes Parquet"), ("b.arrow", "which other programs convert: -o NAME.db"),
      ("kafka://host/topic", "pipe it into a program that sends lines"),
      ("s3://bucket/a.csv", "pipe it into a program that sends lines"),
      ("a.arrows", "which other programs convert"), ("a.parquet.gz", "of which DuckDB makes Parquet"),
    ] {
      let said = try run("record timer:1ms --count 1 -o \(path)", status: 1)
      XCTAssertTrue(said.contains("cannot write \(path.split(separator: " ")[0]): "), said)
      XCTAssertTrue(said.contains(remedy), said)
    }
    let said = try run("record timer:1ms --count 1 -o http://host/a --format csv", status: 1)
    XCTAssertTrue(said.contains("cannot send csv to http://host/a: such a server takes influx"), said)
    try run("record timer:1ms --count 1 -o a.xlsx --format csv")
    for path in ["b.xlsx", "b.ods", "b.parquet", "b.db", "b.mcap", "b.jsonl", "b.xlsx.gz"] {
      let said = try run("record timer:1ms --count 1 --excel -o \(path)", status: 64)
      XCTAssertTrue(said.contains("cannot write \(path): --excel writes CSV, and its name ends in ."), said)
    }
    try run("record timer:1ms --count 1 --excel -o b.csv")
    try run("record timer:1ms --count 1 --excel=de -o b.txt")
    try write(
      "plan.json", #"{"version": 1, "sources": [{"kind": "timer", "what": "1ms"}], "outputs": [{"path": "a.arrows"}]}"#)
    XCTAssertTrue(try run("record --plan plan.json", status: 1).contains("cannot write a.arrows: "))
  }
}
