import Foundation
import XCTest

/// What the command appends to, and what it says of it.
final class AppendTests: CommandTestCase {
  func testTwoUnitsAreNotMixed() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,x,5\n")
    try run("replay in.csv -o t.csv")
    try run("replay in.csv -o t.csv --append")
    let before = try rows("t.csv")
    let text = try String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8)
    try write(
      "t.csv-metadata.json",
      text.replacingOccurrences(of: "\"sluice:name\": \"x\"", with: "\"sluice:name\": \"x\", \"sluice:unit\": \"mV\""))
    let said = try run("replay in.csv -o t.csv --append", status: 1)
    XCTAssertTrue(said.contains("cannot append to t.csv: by its metadata a.x is in mV, not in no unit"), said)
    XCTAssertEqual(try rows("t.csv"), before)
  }

  func testWithoutMetadataOnlyTheHeaderIsComparedAndThatIsSaid() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try write("t.csv", "time_ns,x\n0,4\n")
    let said = try run("replay in.csv -o t.csv --append")
    XCTAssertTrue(said.contains("t.csv has no metadata, so only its header is compared"), said)
    XCTAssertEqual(try rows("t.csv"), ["time_ns,x", "0,4", "1,5"])
  }
}
