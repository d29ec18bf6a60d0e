import Foundation
@_spi(Preview) import SluicePipeline
import SluiceRecording
import XCTest

/// Stages of one of several sources, as a user writes them.
final class StagesOfOneTests: CommandTestCase {
  private func account(_ name: String = "account.json") throws -> Account {
    try JSONDecoder().decode(Account.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
  }

  /// One source is thinned out; all readings of the other are there.
  func testOneSourceIsThrottled() throws {
    try run(
      "record imu=sim:imu@200,seed=3,throttle=100ms meter=sim:meter@100 --duration 1s -o all.csv --stats account.json")
    let streams = try account().streams
    let rows = try rows("all.csv").dropFirst()
    XCTAssertEqual(streams.map(\.stream), ["imu", "meter"])
    XCTAssertEqual(rows.count { $0.contains(",imu,accel_x,") }, streams[0].written)
    XCTAssertLessThan(streams[0].written, 15)
    XCTAssertGreaterThan(streams[0].suppressed, 100)
    XCTAssertEqual(streams[0].received, streams[0].written + streams[0].suppressed)
    XCTAssertGreaterThan(streams[1].received, 10)
    XCTAssertEqual(streams[1].received, streams[1].written)
    XCTAssertEqual(streams[1].received, rows.count { $0.contains(",meter,") })
    XCTAssertEqual(streams.map(\.late), [0, 0])
    XCTAssertEqual(try account().leftOutBy, ["throttle"])
    try run("verify all.csv")
    XCTAssertTrue(try run("info all.csv").contains(" left out, no loss known"))
    let ledger = try XCTUnwrap(TraceReader(path: "\(folder)/all.csv").metadata?.ledger)
    XCTAssertEqual(ledger.map(\.suppressed), streams.map(\.suppressed))
  }

  /// The total of one source goes on; the other source counts nothing.
  func testTheTotalOfOneSourceGoesOn() throws {
    let arguments = "a=sim:meter@200,seed=4,pulses=0.5:l b=sim:meter@200,seed=5 --count 100 -o all.csv"
    try run("record \(arguments)")
    let said = try run("record \(arguments) --append")
    XCTAssertTrue(said.contains("a goes on at "), said)
    XCTAssertFalse(said.contains("b goes on"), said)
    try run("verify all.csv")
  }

  func testFaults() throws {
    XCTAssertTrue(try run("record sim:imu,every=0 -o x.csv", status: 64).contains("every takes a number, 1 or more"))
    XCTAssertTrue(try run("record sim:imu,buffer=3 -o x.csv", status: 64).contains("give --buffer instead"))
    XCTAssertTrue(try run("record sim:imu,select=none -o x.csv", status: 1).contains("cannot select none"))
    XCTAssertTrue(
      try run("replay walk.csv,every=3 -o x.csv", status: 64).contains(
        "a trace has no sources, so every=3 cannot stand behind it; give --every 3, which acts on all streams"))
  }
}
