import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceRecording

final class LoopedDecoderTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func open(_ path: String, _ loop: TraceLoop, reorder: Int64? = nil) throws -> TraceReader {
    try TraceReader(
      path: path, kinds: TraceKinds.all, changes: OpenTrace.Changes(reorder: reorder, loop: loop))
  }

  private func times(_ rows: String, _ loop: TraceLoop, reorder: Int64? = nil) throws -> [Int64] {
    let trace = try open(folder.file("t.csv", "time_ns,x\n" + rows), loop, reorder: reorder)
    var times: [Int64] = []
    while let reading = try trace.next() { times.append(reading.time) }
    return times
  }

  /// The median of 10, 10 and 100.
  func testEachRoundFollowsAtTheTypicalDistance() throws {
    let rows = "100,1\n110,2\n210,3\n220,4\n"
    XCTAssertEqual(
      try times(rows, TraceLoop(rounds: 3)), [100, 110, 210, 220, 230, 240, 340, 350, 360, 370, 470, 480])
    XCTAssertEqual(try times(rows, TraceLoop(rounds: 1)), [100, 110, 210, 220])
  }

  /// A second, if no two times differ.
  func testOneTimeAlone() throws {
    XCTAssertEqual(try times("5,1\n5,2\n", TraceLoop(rounds: 2)), [5, 5, 1_000_000_005, 1_000_000_005])
  }

  func testNothingIsReadOnce() throws {
    XCTAssertEqual(try times("", TraceLoop(rounds: nil)), [])
    XCTAssertEqual(try times("1,1\n", TraceLoop(rounds: nil, window: TraceWindow(from: .after(5), to: .after(9)))), [])
  }

  /// Times may go back within a round, but not from one to the next.
  func testNoRoundBeginsBeforeTheEndOfTheOneBefore() throws {
    XCTAssertEqual(try times("50,1\n20,2\n60,3\n40,4\n", TraceLoop(rounds: 2)), [50, 20, 60, 40, 130, 100, 140, 120])
    XCTAssertEqual(
      try times("50,1\n20,2\n60,3\n40,4\n", TraceLoop(rounds: 2), reorder: 30), [20, 40, 50, 60, 70, 90, 100, 110])
  }

  /// Each round has the same part of the trace.
  func testTheWindowIsThatOfEachRound() throws {
    let rows = (0..<2_000).map { "\($0 * 10),\($0)\n" }.joined()
    XCTAssertEqual(
      try times(rows, TraceLoop(rounds: 3, window: TraceWindow(from: .after(100), to: .after(130)))),
      [100, 110, 120, 130, 140, 150, 160, 170, 180])
  }

  func testAStreamMayLookAtAsManyRoundsAsItWants() throws {
    let trace = try open(folder.file("t.csv", "time_ns,x\n1,5\n2,6\n"), TraceLoop(rounds: nil))
    let subscriber = TestSubscriber<Reading, SluiceError>()
    Publishers.Replay(trace).prefix(5_001).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map(\.time), Array(1...5_001))
    XCTAssertEqual(subscriber.values.last?.values[0].significand, 5)
  }

  /// Of the metadata, in each round.
  func testFlagsHoldInEachRound() throws {
    let once = try readings(fixture("0.1.0/losses.csv"), TraceLoop(rounds: 1))
    let thrice = try readings(fixture("0.1.0/losses.csv"), TraceLoop(rounds: 3))
    XCTAssertGreaterThan(once.filter { $0.flags.contains(.gapBefore) }.count, 0)
    XCTAssertEqual(thrice.map(\.flags), once.map(\.flags) + once.map(\.flags) + once.map(\.flags))
    XCTAssertEqual(thrice.map(\.time), thrice.map(\.time).sorted())
  }

  private func fixture(_ name: String) -> String {
    Checkout.file("Tests/SluiceRecordingTests/Fixtures/\(name)").path
  }

  private func readings(_ path: String, _ loop: TraceLoop) throws -> [Reading] {
    let trace = try open(path, loop)
    var readings: [Reading] = []
    while let reading = try trace.next() { readings.append(reading) }
    return readings
  }

  func testFoldersAndPartsAreLooped() throws {
    for (name, text) in [
      ("a.csv", "1,1\n3,1\n"), ("b.000001.20261121T145507Z.csv", "2,2\n"),
      ("b.000002.20261121T145508Z.csv", "4,2\n"),
    ] {
      try FileManager.default.createDirectory(atPath: "\(folder.path)/d", withIntermediateDirectories: true)
      _ = folder.file("d/\(name)", "time_ns,\(name.prefix(1)).x\n" + text)
    }
    XCTAssertEqual(
      try readings("\(folder.path)/d", TraceLoop(rounds: 2)).map(\.time), [1, 2, 3, 4, 5, 6, 7, 8])
  }

  // MARK: What cannot be looped

  /// What happens to the file after the first round.
  private func failure(_ change: (String) throws -> Void) throws -> String {
    let path = folder.file("t.csv", "time_ns,x\n1,1\n2,2\n")
    let trace = try open(path, TraceLoop(rounds: 3))
    for _ in 0..<3 { _ = try trace.next() }
    try change(path)
    return error { while try trace.next() != nil {} }?.description ?? ""
  }

  private func error(_ body: () throws -> Void) -> SluiceError? { SluiceRecordingTests.error(of: body) }

  func testATraceThatChangesIsAnError() throws {
    func rewrite(_ text: String) -> (String) throws -> Void {
      { path in
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: Data("time_ns,\(text)".utf8))
        try handle.close()
      }
    }
    for (text, cause) in [
      ("x\n1,1\n2,2\n3,3\n", " it has more readings than before"),
      ("x\n1,1\n", " its readings differ from the first round"),
      ("x\n1,1\n3,2\n", " its readings differ from the first round"),
      ("y\n1,1\n2,2\n", " it has other streams now"),
    ] {
      let said = try failure(rewrite(text))
      XCTAssertTrue(said.hasSuffix("\(cause); replay a copy that no program writes"), said)
    }
    let replaced = try failure { path in
      try FileManager.default.moveItem(atPath: path, toPath: "\(path).old")
      try "time_ns,x\n1,1\n2,2\n".write(toFile: path, atomically: false, encoding: .utf8)
    }
    XCTAssertTrue(replaced.contains(" it is another file now"), replaced)
    let removed = try failure { try FileManager.default.removeItem(atPath: $0) }
    XCTAssertTrue(removed.contains("no such file"), removed)
  }

  func testTimesHaveAnEnd() throws {
    let path = folder.file("t.csv", "time_ns,x\n1,1\n\(Int64.max - 1),2\n")
    let trace = try open(path, TraceLoop(rounds: nil))
    for _ in 0..<2 { XCTAssertNotNil(try trace.next()) }
    let said = error { _ = try trace.next() }?.description ?? ""
    XCTAssertTrue(said.contains("times would be after the year 2262"), said)
    XCTAssertNil(RoundMeasure(times: [.min, .max]).period)
  }

  func testAPipeIsRefused() throws {
    let path = folder.file("pipe")
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    let descriptor = Foundation.open(path, O_RDWR)
    defer { close(descriptor) }
    XCTAssertEqual(write(descriptor, "time_ns,x\n1,1\n2,", 16), 16)
    let said = error { _ = try open(path, TraceLoop(rounds: 2)) }?.description ?? ""
    XCTAssertTrue(said.contains("a pipe can be read only once; write it to a file first"), said)
  }

  // MARK: Distances

  func testDistances() {
    for (times, period) in [
      ([1, 2, 4, 8], 9), ([0, 0, 10, 10, 20], 30), ([0, 1_000, 1_010, 1_020], 1_030), ([7], 1_000_000_000),
      ([10, 5, 7], 7),
    ] as [([Int64], Int64)] {
      XCTAssertEqual(RoundMeasure(times: times).period, period, "\(times)")
    }
    // Of the first ones only.
    let long = (0...RoundMeasure.limit).map { Int64($0) } + (1...5_000).map { Int64($0) * 1_000_000 }
    XCTAssertEqual(RoundMeasure(times: long).period, 5_000_000_001)
  }
}

extension RoundMeasure {
  fileprivate init(times: [Int64]) {
    self.init()
    for time in times { add(time) }
  }
}
