import Foundation
import SluicePipeline
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
    XCTAssertTrue(try run("info all.csv").contains(" left out, nothing lost"))
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
    XCTAssertTrue(try run("record sim:imu,every=0 -o x.csv", status: 64).contains("N is a whole number, 1 or more"))
    XCTAssertTrue(try run("record sim:imu,buffer=3 -o x.csv", status: 64).contains("give --buffer instead"))
    XCTAssertTrue(try run("record sim:imu,select=none -o x.csv", status: 1).contains("cannot select none"))
    XCTAssertTrue(
      try run("replay walk.csv,every=3 -o x.csv", status: 64).contains(
        "a trace has no sources, so every=3 cannot stand behind it; give --every 3, which acts on all streams"))
  }

  // MARK: Outputs

  /// One output has every tenth reading, the other everything; both say so themselves.
  func testOneOutputIsThinnedOut() throws {
    let said = try run(
      "record imu=sim:imu@200,seed=3 --count 100 -o all.csv -o slow.csv,every=10 --verbose --stats account.json")
    XCTAssertTrue(said.contains("slow.csv: csv, sync 1s, stages: every\n"), said)
    XCTAssertTrue(said.contains(": 100 written, nothing lost; slow.csv has 10 (90 left out)\n"), said)
    XCTAssertEqual(try rows("all.csv").count, 101)
    XCTAssertEqual(try rows("slow.csv").count, 11)
    XCTAssertEqual(try rows("slow.csv")[2], try rows("all.csv")[11])
    let account = try account()
    XCTAssertEqual(
      account.streams.map { [$0.received, $0.written, $0.suppressed, $0.unaccounted] }, [[100, 100, 0, 0]])
    XCTAssertEqual(account.outputs.map(\.suppressed), [nil, 90])
    XCTAssertEqual(account.leftOutBy, ["every"])
    XCTAssertEqual(account.lost, 0)
    XCTAssertTrue(try run("info all.csv").contains("account: 100 written, nothing lost"))
    XCTAssertTrue(try run("info slow.csv").contains("account: 10 written, 90 left out, nothing lost"))
    for file in ["all.csv", "slow.csv"] { try run("verify \(file)") }
    let ledgers = try ["all.csv", "slow.csv"].map {
      try XCTUnwrap(TraceReader(path: "\(folder)/\($0)").metadata?.ledger)
    }
    XCTAssertEqual(ledgers.map { $0.map(\.written) }, [[100], [10]])
  }

  /// The streams, the units and the parts of an output are its own, also when it is appended to.
  func testTheStreamsOfAnOutputAreItsOwn() throws {
    let record =
      "record imu=sim:imu@200,seed=3 m=sim:meter@100 --duration 300ms -o all.csv -o x/,select=accel_x,reduce=50ms:mean "
      + "-o p.csv,select=m --append"
    try run(record)
    try run(record)
    XCTAssertEqual(try rows("x/imu.csv")[0], "time_ns,imu")
    XCTAssertEqual(try rows("p.csv")[0], "time_ns,m")
    for file in ["all.csv", "x/imu.csv", "p.csv"] { try run("verify \(file)") }
    let metadata = try XCTUnwrap(TraceReader(path: "\(folder)/x/imu.csv").metadata)
    XCTAssertEqual(metadata.streams?.map(\.name), ["imu"])
    XCTAssertEqual(metadata.streams?[0].channels.map(\.name), ["accel_x_mean"])
    XCTAssertEqual(metadata.streams?[0].channels.map(\.unit), ["m/s^2"])
  }

  func testPartsOfAnOutputWithStages() throws {
    try run("record imu=sim:imu@500,seed=3 --count 500 --rotate 100ms -o all.csv -o slow.csv,every=10")
    XCTAssertTrue(try run("verify .").contains("slow.csv"))
    try run("replay . --select imu -o x.csv", status: 1)
    let parts = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
      $0.hasPrefix("slow.0") && $0.hasSuffix(".csv")
    }
    let counts = try parts.map { try rows($0).count - 1 }
    XCTAssertEqual(counts.reduce(0, +), 50)
    for part in parts { try run("verify \(part)") }
  }

  /// The name of a file may have a comma.
  func testNamesWithCommas() throws {
    try run("record sim:imu --count 3 -o a,b.csv -o c,d.csv,every=2")
    XCTAssertEqual(try ["a,b.csv", "c,d.csv"].map { try rows($0).count }, [4, 3])
  }

  func testAReplayHasStagesOfOutputs() throws {
    try run("record sim:imu --count 30 -o all.csv")
    try run("replay all.csv -o slow.csv,every=3 -o same.csv")
    XCTAssertEqual(try ["slow.csv", "same.csv"].map { try rows($0).count }, [11, 31])
    XCTAssertEqual(try rows("same.csv"), try rows("all.csv"))
    try run("convert all.csv -o slow.jsonl,every=3")
    XCTAssertEqual(try rows("slow.jsonl").count, 10)
  }

  func testFaultsOfOutputs() throws {
    for (output, sentence) in [
      ("x.csv,every=0", "-o x.csv,every=0: every takes N, not \"0\": N is a whole number, 1 or more"),
      (
        "x.csv,thottle=1s",
        "there is no stage thottle; did you mean throttle? If it is a part of the file's name, write a plan"
      ),
      (
        "x.csv,pulses=1",
        "pulses has a total, which goes on in the next run; give --pulses, or write it behind a source"
      ),
      ("x.csv,when-full=fail", "when-full says what a full buffer of this output does; give buffer too"),
      ("x.csv,buffer=0", "buffer takes a whole number of 1 or more, not \"0\""),
      ("x.csv,every=2,x.csv", "every stands before another part; write the stages last"),
    ] {
      let said = try run("record sim:imu -o \(output)", status: 64)
      XCTAssertTrue(said.contains(sentence), said)
    }
    XCTAssertTrue(try run("record sim:imu -o x.csv -o x.csv,every=2", status: 64).contains("-o x.csv is given twice"))
  }
}
