import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluiceAnalysis
@testable import SluicePipeline

final class TraceDiffTests: XCTestCase {
  private func diff(
    _ a: String, _ b: String, _ change: (inout TraceDiff.Options) -> Void = { _ in }
  ) throws -> TraceDiff {
    var options = TraceDiff.Options()
    change(&options)
    return try TraceDiff(
      TraceReader(Array(a.utf8), name: "a.csv"), TraceReader(Array(b.utf8), name: "b.csv"), options)
  }

  private func long(_ rows: [(Int, String, Int)]) -> String {
    "time_ns,stream,channel,value\n" + rows.map { "\($0.0),\($0.1),x,\($0.2)\n" }.joined()
  }

  private func wide(_ times: [Int], value: (Int) -> String = { "\($0)" }) -> String {
    "time_ns,s.x,s.y\n" + times.map { "\($0),\(value($0)),1\n" }.joined()
  }

  // MARK: The same

  func testStreamsMayInterleaveInAnyWay() throws {
    let rows = [(1, "p", 1), (1, "q", 2), (2, "p", 3), (2, "q", 4)]
    let result = try diff(long(rows), long([rows[1], rows[0], rows[2], rows[3]]))
    XCTAssertTrue(result.isSame)
    XCTAssertEqual(result.streams.map(\.readingsInA), [2, 2])
    XCTAssertEqual(result.streams.map(\.readingsInB), [2, 2])
  }

  func testChannelsMayHaveAnotherOrderAndOtherDigits() throws {
    XCTAssertTrue(try diff("time_ns,s.x,s.y\n1,0.10,\n", "time_ns,s.y,s.x\n1,,0.1\n").isSame)
  }

  func testAnEmptyTrace() throws {
    XCTAssertTrue(try diff("time_ns,x\n", "time_ns,x\n").isSame)
    XCTAssertEqual(try diff("time_ns,x\n", "time_ns,x\n5,1\n").streams[0].onlyInB.count, 1)
  }

  /// The name of the file is the only name that such a stream has.
  func testTheOnlyStreamsOfForeignFilesAreCompared() throws {
    let result = try diff("time_ns,x\n1,1\n", "time_ns,x\n1,2\n")
    XCTAssertEqual(result.streams.map(\.name), ["a"])
    XCTAssertEqual(result.streams[0].nameInB, "b")
    XCTAssertEqual(result.count, 1)
  }

  // MARK: Values

  func testTheFirstValueThatDiffers() throws {
    let stream = try diff(wide([1, 2, 3]), "time_ns,s.x,s.y\n1,1,1\n2,2,\n3,7,9\n").streams[0]
    XCTAssertEqual(stream.values, 3)
    XCTAssertEqual(
      stream.firstValue,
      StreamDifferences.Value(channel: "y", numberInA: 2, numberInB: 2, timeInA: 2, timeInB: 2, a: "1", b: nil))
    XCTAssertEqual([stream.onlyInA.count, stream.onlyInB.count], [0, 0])
  }

  func testToleranceOfValues() throws {
    let (a, b) = (wide([100]), wide([100]) { "\($0 + 1)" })
    XCTAssertEqual(try diff(a, b).count, 1)
    XCTAssertEqual(try diff(a, b) { $0.values.absolute = .one }.count, 0)
    XCTAssertEqual(try diff(a, b) { $0.values.relative = ExactDecimal(significand: 1, exponent: -2) }.count, 0)
  }

  // MARK: Times

  func testOneMissingReadingIsOneDifference() throws {
    let times = Array(1...2_000)
    let stream = try diff(wide(times), wide(times.filter { $0 != 700 })).streams[0]
    XCTAssertEqual(stream.onlyInA, StreamDifferences.Unmatched(count: 1, number: 700, time: 700))
    XCTAssertEqual(stream.count, 1)
    let other = try diff(wide(times.filter { $0 != 700 && $0 != 1_900 }), wide(times)).streams[0]
    XCTAssertEqual(other.onlyInB, StreamDifferences.Unmatched(count: 2, number: 700, time: 700))
    XCTAssertEqual(other.count, 2)
  }

  func testAReadingThatMovedIsTheSameWithinTheTolerance() throws {
    let (a, b) = (wide([100, 200, 300], value: { _ in "1" }), wide([95, 209, 300], value: { _ in "1" }))
    XCTAssertEqual(try diff(a, b).count, 4)
    let near = try diff(a, b) { $0.timeTolerance = 9 }
    XCTAssertTrue(near.isSame)
    XCTAssertEqual(near.streams[0].greatestTimeDifference, 9)
    let some = try diff(a, b) { $0.timeTolerance = 8 }.streams[0]
    XCTAssertEqual([some.onlyInA, some.onlyInB].map(\.number), [2, 2])
    XCTAssertEqual(some.count, 2)
  }

  func testAMissingReadingIsToldFromOneThatMoved() throws {
    let a = wide([100, 200, 300, 400], value: { "\($0 / 100)" })
    let b = wide([101, 299, 402], value: { "\(($0 + 50) / 100)" })
    let stream = try diff(a, b) { $0.timeTolerance = 5 }.streams[0]
    XCTAssertEqual(stream.onlyInA, StreamDifferences.Unmatched(count: 1, number: 2, time: 200))
    XCTAssertEqual(stream.count, 1)
  }

  func testTimesMayBeAsFarApartAsTheyCan() throws {
    let stream = try diff(wide([Int.min, 0]), wide([Int.max])) { $0.timeTolerance = .max }.streams[0]
    XCTAssertEqual(stream.onlyInA.count, 1)
    XCTAssertEqual(stream.greatestTimeDifference, UInt64(Int64.max))
  }

  func testTheSameStepBackInBoth() throws {
    XCTAssertTrue(try diff(wide([1, 5, 3, 4, 9]), wide([1, 5, 3, 4, 9])).isSame)
  }

  // MARK: Streams and channels

  func testStreamsAndChannelsOfOneTraceOnly() throws {
    let result = try diff("time_ns,s.x,s.y,t\n1,1,1,1\n2,1,1,\n", "time_ns,s.x,s.z,u\n1,1,1,1\n2,1,1,1\n")
    XCTAssertEqual(result.streams.map(\.name), ["s", "t", "u"])
    XCTAssertEqual(result.streams.map(\.isInA), [true, true, false])
    XCTAssertEqual(result.streams.map(\.isInB), [true, false, true])
    XCTAssertEqual(result.streams[0].channelsOnlyInA, ["y"])
    XCTAssertEqual(result.streams[0].channelsOnlyInB, ["z"])
    XCTAssertEqual([result.streams[1].readingsInA, result.streams[2].readingsInB], [1, 2])
    XCTAssertEqual(result.count, 4)
  }

  // MARK: The window

  func testOnlyReadingsInTheWindowCount() throws {
    let (a, b) = (wide([10, 20, 30, 40, 50]), wide([10, 20, 35, 41, 50]) { "\($0 == 10 ? 9 : $0)" })
    let result = try diff(a, b) { $0.window = TraceWindow(from: .after(5), to: .after(30)) }.streams[0]
    XCTAssertEqual([result.readingsInA, result.readingsInB], [2, 2])
    XCTAssertEqual(result.onlyInA, StreamDifferences.Unmatched(count: 1, number: 3, time: 30))
    XCTAssertEqual(result.onlyInB, StreamDifferences.Unmatched(count: 1, number: 3, time: 35))
    XCTAssertEqual(result.values, 0)
  }

  /// The reading at 29 is the same as the one at 31, although only one of them is in the window.
  func testTheEndOfTheWindowCutsNoReadingInTwo() throws {
    let result = try diff(wide([10, 29], value: { _ in "1" }), wide([10, 31], value: { _ in "1" })) {
      ($0.timeTolerance, $0.window) = (5, TraceWindow(to: .after(20)))
    }
    XCTAssertTrue(result.isSame)
    XCTAssertEqual(result.streams[0].readingsInA, 2)
  }

  // MARK: Limits

  private let short: (inout TraceDiff.Options) -> Void = { $0.memory = 1 }

  func testAStreamThatEndsEarlyMayBeMissedForAnyTime() throws {
    let rows = (1...1_000).flatMap { [($0, "p", 0), ($0, "q", 0)] }
    let result = try diff(long(rows), long(rows.filter { $0.1 == "p" || $0.0 < 100 || $0.0 > 990 }), short)
    XCTAssertEqual(result.count, 891)
    XCTAssertEqual(result.streams[1].onlyInA, StreamDifferences.Unmatched(count: 891, number: 100, time: 100))
  }

  func testReadingsThatAreTooFarApartAreNoDifferences() throws {
    let rows = (1...1_000).flatMap { [($0, "p", 0), ($0, "q", 0)] }
    let sorted = rows.filter { $0.1 == "p" } + rows.filter { $0.1 == "q" }
    XCTAssertTrue(try diff(long(rows), long(sorted)).isSame)
    XCTAssertThrowsError(try diff(long(rows), long(sorted), short)) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot compare the stream q: readings of one time are more than 16 readings apart in the two traces; "
          + "put both into the order of time first, with sluice convert --reorder T")
    }
  }

  // MARK: Ends

  func testAnErrorOfATraceIsThrown() throws {
    XCTAssertThrowsError(try diff("time_ns,x\n1,1\n2,foo\n", "time_ns,x\n1,1\n"))
  }

  func testTheFirstDifferenceMayEndIt() throws {
    let times = Array(1...5_000)
    let result = try diff(wide(times), wide(Array(times.dropFirst()))) { $0.stopsAtFirst = true }
    XCTAssertFalse(result.isSame)
    XCTAssertLessThan(result.streams[0].readingsInA, 5_000)
  }
}
