import XCTest

/// `sluice convert a b --join`.
final class JoinCommandTests: CommandTestCase {
  private func writeTwo() throws {
    try write("a.csv", "time_ns,x\n" + (0..<10).map { "\($0 * 100_000_000),\($0)\n" }.joined())
    try write("b.csv", "time_ns,y\n50000000,5\n500000000,50\n")
  }

  func testARowForEachTime() throws {
    try writeTwo()
    try run("convert a.csv b.csv --join -o j.csv")
    let rows = try rows("j.csv")
    XCTAssertEqual(Array(rows.prefix(4)), ["time_ns,x,y", "0,0,", "50000000,0,5", "100000000,1,5"])
    XCTAssertEqual(rows.count, 12)
    XCTAssertTrue(rows.contains("500000000,5,50"), "one row for both readings of a time")
    try run("convert a.csv b.csv --join=exact -o e.csv")
    XCTAssertEqual(Array(try self.rows("e.csv").prefix(4)), ["time_ns,x,y", "0,0,", "50000000,,5", "100000000,1,"])
  }

  func testARowPerPeriod() throws {
    try writeTwo()
    try run("convert a.csv b.csv --join=5Hz -o h.csv")
    XCTAssertEqual(
      try rows("h.csv").dropFirst().map { $0 },
      ["200000000,1,5", "400000000,3,5", "600000000,5,50", "800000000,7,50", "1000000000,9,50"])
    try run("convert a.csv b.csv --join=200ms:linear -o l.csv")
    let linear = try rows("l.csv")
    XCTAssertEqual(linear.first, "time_ns,x,y")
    XCTAssertTrue(linear.contains("400000000,4,40.000"), "\(linear)")
    XCTAssertTrue(
      try run("convert a.csv b.csv --join=1s --resample 1s -o x.csv", status: 64).contains(
        "with these, give --join without T"))
  }

  func testRename() throws {
    try writeTwo()
    try run("convert a.csv b.csv --join --rename x=temp --rename y=hum -o r.csv")
    XCTAssertEqual(try rows("r.csv").first, "time_ns,temp,hum")
    XCTAssertTrue(try run("convert a.csv --rename z=temp -o s.csv", status: 1).contains("no stream or channel"))
    XCTAssertTrue(try run("convert a.csv --rename z -o s.csv", status: 64).contains("OLD=NEW"))
  }

  func testShiftAndStart() throws {
    try writeTwo()
    try run("convert a.csv b.csv --shift b.csv+50ms --join=exact -o s.csv")
    XCTAssertTrue(try rows("s.csv").contains("100000000,1,5"))
    try run("convert a.csv b.csv --shift b.csv-50ms --join=exact -o t.csv")
    XCTAssertTrue(try rows("t.csv").contains("0,0,5"))
    try write("c.csv", "time (s),z\n1700000000,1\n1700000000.1,2\n")
    try run("convert a.csv c.csv --start-together --join=exact -o u.csv")
    XCTAssertEqual(Array(try rows("u.csv").prefix(3)), ["time_ns,x,z", "0,0,1", "100000000,1,2"])
    XCTAssertTrue(
      try run("convert a.csv --shift d.csv+1s -o v.csv", status: 64).contains("d.csv is not one of the traces"))
    XCTAssertTrue(try run("convert a.csv --shift a.csv -o v.csv", status: 64).contains("--shift"))
    XCTAssertTrue(
      try run("convert a.csv b.csv --shift b.csv+1s --shift b.csv-2s -o v.csv", status: 64).contains("shifted twice"))
    XCTAssertTrue(try run("convert a.csv b.csv --join=wait -o v.csv", status: 64).contains("--join"))
  }
}
