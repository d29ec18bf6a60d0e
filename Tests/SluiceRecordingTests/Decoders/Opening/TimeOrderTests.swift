import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

final class TimeOrderTests: XCTestCase {
  /// The times of what is passed on, with `!` if it is late, by the time at which it is.
  private func passed(_ times: [Int64], window: Int64, limit: Int = TimeOrder.limit, _ counts: ReorderCounts = .init())
    -> [[String]]
  {
    var order = TimeOrder(window: window, limit: limit, counts: counts)
    func take() -> [String] {
      defer { order.ready = [] }
      return order.ready.map { "\($0.time)\($0.flags.contains(.late) ? "!" : "")" }
    }
    var passed: [[String]] = []
    for time in times {
      order.add(reading(time, 0, [1]))
      passed.append(take())
    }
    order.finish()
    return passed + [take()]
  }

  func testAReadingWaitsUntilTheWindowBehindItIsOver() {
    let counts = ReorderCounts()
    XCTAssertEqual(
      passed([0, 5, 3, 9, 10, 13, 30], window: 10, counts),
      [[], [], [], [], ["0"], ["3"], ["5", "9", "10", "13"], ["30"]])
    XCTAssertEqual(counts.moved.load(ordering: .relaxed), 1)
    XCTAssertEqual(counts.late.load(ordering: .relaxed), 0)
  }

  /// Out of order by the window is not late yet; more is, once something later has been passed on.
  func testWhatComesTooLateIsPassedOnAtOnce() {
    let counts = ReorderCounts()
    XCTAssertEqual(
      passed([100, 200, 190, 189, 210, 199, 150], window: 10, counts),
      [[], ["100"], ["190"], ["189!"], ["200"], ["199!"], ["150!"], ["210"]])
    XCTAssertEqual(counts.late.load(ordering: .relaxed), 3)
    XCTAssertEqual(counts.moved.load(ordering: .relaxed), 1)
    XCTAssertEqual(passed([0, 100, 50], window: 10), [[], ["0"], ["50"], ["100"]], "50 is in order still")
  }

  func testReadingsOfOneTimeKeepTheirOrder() {
    var order = TimeOrder(window: 100)
    for (number, time) in [5, 3, 5, 3, 5].enumerated() { order.add(reading(Int64(time), UInt16(number), [1])) }
    order.finish()
    XCTAssertEqual(order.ready.map(\.stream.index), [1, 3, 0, 2, 4])
  }

  /// Whatever the window, no more than the limit wait.
  func testMemoryIsBounded() {
    let counts = ReorderCounts()
    XCTAssertEqual(
      passed([5, 4, 3, 2, 6], window: .max, limit: 2, counts), [[], [], ["3"], ["2!"], ["4"], ["5", "6"]])
    XCTAssertEqual(counts.early.load(ordering: .relaxed), 2)
    XCTAssertEqual(counts.late.load(ordering: .relaxed), 1)
  }

  func testTimesMayBeAnything() {
    XCTAssertEqual(
      passed([.min, .max, 0, .min], window: .max),
      [[], ["\(Int64.min)"], ["0"], ["\(Int64.min)!"], ["\(Int64.max)"]])
  }

  // MARK: In a trace

  private func read(_ rows: String, window: Int64) throws -> [Reading] {
    let folder = TemporaryFolder()
    let trace = try TraceReader(
      path: folder.file("t.csv", "time_ns,x\n" + rows), kinds: TraceKinds.all,
      changes: OpenTrace.Changes(reorder: window))
    var readings: [Reading] = []
    while let reading = try trace.next() { readings.append(reading) }
    return readings
  }

  func testATraceIsReadInOrder() throws {
    let times = (0..<200).flatMap { tens in (0..<10).map { ones in Int64(tens * 10 + 9 - ones) } }
    let rows = times.map { "\($0),\($0)\n" }.joined()
    XCTAssertEqual(try read(rows, window: 10).map(\.time), Array(0..<2_000))
    XCTAssertEqual(try read("", window: 10), [])
  }

  /// What still waits comes before the error.
  func testWhatIsGoodComesBeforeTheFailure() throws {
    let folder = TemporaryFolder()
    let trace = try TraceReader(
      path: folder.file("t.csv", "time_ns,x\n2,1\n1,2\nx,3\n"), kinds: TraceKinds.all,
      changes: OpenTrace.Changes(reorder: 1_000))
    XCTAssertEqual(try trace.next()?.time, 1)
    XCTAssertEqual(try trace.next()?.time, 2)
    for _ in 0..<2 {
      XCTAssertTrue(error { _ = try trace.next() }?.description.contains("line 4, column 1") == true)
    }
  }

  private func error(_ body: () throws -> Void) -> SluiceError? { SluiceRecordingTests.error(of: body) }
}
