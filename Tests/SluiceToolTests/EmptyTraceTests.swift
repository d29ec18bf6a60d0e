import XCTest

/// Recordings of lines that did not change, in formats without a header.
final class EmptyTraceTests: CommandTestCase {
  func testAStreamWithoutAReading() throws {
    try run("record a=sim:imu@1000 b=timer:1h --count 20 -o dir/ --format jsonl")
    XCTAssertEqual(try rows("dir/b.jsonl"), [])
    try run("replay dir -o out.csv")
    XCTAssertEqual(try rows("out.csv").count, 1 + 20 * 6)
    let info = try run("info dir")
    XCTAssertTrue(info.contains("dir: 20 readings of 2 streams"), info)
    let verified = try run("verify dir")
    XCTAssertTrue(verified.contains("dir/b.jsonl: 0 readings of 1 stream, every row is whole"), verified)
    try run("convert dir -o out.db")
  }

  func testEachFormatAndCompression() throws {
    for name in ["a.jsonl", "b.jsonl.gz", "c.jsonl.zst", "d.csv", "e.csv.gz", "f.vcd", "g.db"] {
      try run("record b=timer:1h --duration 1ms -o \(name)")
      try run("verify \(name)")
      XCTAssertEqual(try run("replay \(name) -q -o -"), "time_ns,b\n", name)
    }
  }

  /// Rows that are gone are a fault, even if all of them are gone.
  func testAnEmptyFileOfARecordingWithReadings() throws {
    try run("record b=timer:1ms --count 3 -o a.jsonl")
    try write("a.jsonl", "")
    let said = try run("verify a.jsonl", status: 1)
    XCTAssertTrue(said.contains("problem"), said)
  }

  func testWithoutMetadata() throws {
    try put("dir/a.jsonl", #"{"time_ns":1,"stream":"s","values":{"x":1}}"#)
    try write("dir/b.jsonl", "")
    let said = try run("info dir")
    XCTAssertTrue(said.contains("dir/b.jsonl: it is empty and is left out"), said)
    XCTAssertTrue(said.contains("1 reading of 1 stream"), said)
    XCTAssertTrue(try run("info dir/b.jsonl", status: 1).contains("it is empty"))
  }
}
