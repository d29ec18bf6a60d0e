import Dispatch
import Foundation
import Sluice
import SluiceExtras
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class ReplayTests: XCTestCase {
  private func trace(rows: Int, then rest: String = "") throws -> TraceReader {
    let rows = (0..<rows).map { "\($0),\($0 * 3)\n" }.joined()
    return try TraceReader(Array(("time_ns,x\n" + rows + rest).utf8), name: "t")
  }

  private func expected(_ count: Int) -> [Reading] { (0..<count).map { reading(Int64($0), 0, [Int64($0 * 3)]) } }

  func testRunsHoldTheReadings() throws {
    let subscriber = RunSubscriber()
    Publishers.Replay(try trace(rows: 20_000)).subscribe(subscriber)
    // They were kept while others were read, and have not changed.
    XCTAssertEqual(subscriber.readings, expected(20_000))
    XCTAssertLessThanOrEqual(subscriber.runs.count, 40)
    XCTAssertEqual(subscriber.completion, .finished)
  }

  /// The cancel is on its way while the run goes on.
  func testASubscriberThatIsCancelledLaterTakesNoMore() throws {
    let scheduler = VirtualTimeScheduler()
    let subscriber = RunSubscriber()
    Publishers.Replay(try trace(rows: 5_000)).subscribe(on: scheduler).buffer(
      size: 10, prefetch: .byRequest, whenFull: .dropNewest
    ).prefix(3).subscribe(subscriber)
    scheduler.run()
    XCTAssertEqual(subscriber.readings, expected(3))
    XCTAssertEqual(subscriber.completion, .finished)
  }

  func testReadingsAreThoseOfTheRuns() throws {
    let subscriber = TestSubscriber<Reading, SluiceError>()
    Publishers.Replay(try trace(rows: 5_000)).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, expected(5_000))
    XCTAssertTrue(subscriber.isFinished)
  }

  /// A short trace may have been read whole before anybody asks.
  func testNothingIsLostAtTheEnd() throws {
    for rows in 0..<200 {
      let subscriber = TestSubscriber<Reading, SluiceError>()
      Publishers.Replay(try trace(rows: rows)).subscribe(subscriber)
      XCTAssertEqual(subscriber.values.count, rows)
      XCTAssertTrue(subscriber.isFinished)
    }
  }

  func testWhatIsGoodComesBeforeTheFailure() throws {
    let subscriber = RunSubscriber()
    Publishers.Replay(try trace(rows: 3_000, then: "x,1\n")).subscribe(subscriber)
    XCTAssertEqual(subscriber.readings, expected(3_000))
    XCTAssertTrue(subscriber.failure?.description.contains("line 3002, column 1: \"x\"") == true)
  }

  /// With one processor nothing is read ahead, and the outcome is the same; so it is when asked again behind the end.
  func testReadsAheadOrNot() throws {
    for isAhead in [false, true] {
      let good = ReadAhead(try trace(rows: 6_000), isAhead: isAhead)
      var readings: [Reading] = []
      while case let block = try good.next(), !block.isEmpty { readings += block }
      XCTAssertEqual(readings, expected(6_000))
      XCTAssertTrue(try good.next().isEmpty)

      let bad = ReadAhead(try trace(rows: 600, then: "x,1\n"), isAhead: isAhead)
      XCTAssertEqual(try bad.next().count, ReadAhead.block)
      XCTAssertEqual(try bad.next().count, 600 - ReadAhead.block)
      XCTAssertThrowsError(try bad.next())
    }
  }

  /// The first block is waited for, and given again.
  func testTheFirstReadingIsKnownBeforeAnythingIsTaken() throws {
    for isAhead in [false, true] {
      let good = ReadAhead(try trace(rows: 6_000), isAhead: isAhead)
      try good.waitForFirst { false }
      var readings: [Reading] = []
      while case let block = try good.next(), !block.isEmpty { readings += block }
      XCTAssertEqual(readings, expected(6_000))

      let bad = ReadAhead(try trace(rows: 0, then: "x,1\n"), isAhead: isAhead)
      XCTAssertThrowsError(try bad.waitForFirst { false })
      let late = ReadAhead(try trace(rows: 1, then: "x,1\n"), isAhead: isAhead)
      try late.waitForFirst { false }
      XCTAssertEqual(try late.next().count, 1)
      XCTAssertThrowsError(try late.next())

      let empty = ReadAhead(try trace(rows: 0), isAhead: isAhead)
      try empty.waitForFirst { false }
      XCTAssertTrue(try empty.next().isEmpty)
    }
  }

  /// The queue may still read the first block then: the trace is not read by two threads.
  func testTheWaitForTheFirstReadingIsInterrupted() throws {
    for isAhead in [false, true] {
      for _ in 0..<100 {
        let ahead = ReadAhead(try trace(rows: 2_000), isAhead: isAhead)
        try ahead.waitForFirst { true }
        var readings: [Reading] = []
        while case let block = try ahead.next(), !block.isEmpty { readings += block }
        XCTAssertEqual(readings, expected(2_000))
      }
    }
  }

  func testAWindowCutsRuns() throws {
    let subscriber = RunSubscriber()
    Publishers.Replay(try trace(rows: 5_000), window: TraceWindow(from: .after(600), to: .after(1_700))).subscribe(
      subscriber)
    XCTAssertEqual(subscriber.readings.map(\.time), Array(600..<1_700))
    XCTAssertEqual(subscriber.completion, .finished)
  }

  func testWithoutAWindowTimesMayGoBackwards() throws {
    let trace = try TraceReader(Array("time_ns,x\n10,1\n5,2\n\(Int64.min),3\n".utf8), name: "t")
    let subscriber = TestSubscriber<Reading, SluiceError>()
    Publishers.Replay(trace).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map(\.time), [10, 5, .min])
  }

  func testRunsOfTheLongLayout() throws {
    let text = "time_ns,stream,channel,value\n1,a,x,1\n1,a,y,2\n2,b,x,\n3,a,x,4\n"
    let subscriber = RunSubscriber()
    Publishers.Replay(try TraceReader(Array(text.utf8), name: "t")).subscribe(subscriber)
    XCTAssertEqual(subscriber.readings.map(\.time), [1, 2, 3])
    XCTAssertEqual(subscriber.readings.map(\.stream), [StreamID(0), StreamID(1), StreamID(0)])
  }

  func testReplayHonoursDemandAndItsWindow() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", "time_ns,x\n" + (0..<10).map { "\(100 + $0),\($0)\n" }.joined())
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .max(2))
    Publishers.Replay(try TraceReader(path: path), window: TraceWindow(from: .after(3), to: .after(7))).subscribe(
      subscriber)
    XCTAssertEqual(subscriber.values.map(\.time), [103, 104])
    subscriber.request(.unlimited)
    XCTAssertEqual(subscriber.values.map(\.time), [103, 104, 105, 106])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testReplayFailsWhereTheTraceIsBad() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", "time_ns,x\n1,2\n2,bad\n")
    let subscriber = TestSubscriber<Reading, SluiceError>()
    Publishers.Replay(try TraceReader(path: path)).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map(\.time), [1])
    XCTAssertEqual(subscriber.failure?.code, .malformed)
  }

  // MARK: One reader

  func testATraceIsReadOnce() throws {
    let trace = try trace(rows: 20_000)
    let replay = Publishers.Replay(trace)
    let first = TestSubscriber<Reading, SluiceError>(initial: .max(1))
    let second = TestSubscriber<Reading, SluiceError>()
    let third = RunSubscriber()
    let fourth = TestSubscriber<Reading, SluiceError>()
    replay.subscribe(first)
    replay.subscribe(second)
    replay.subscribe(third)
    Publishers.Replay(trace).subscribe(fourth)
    XCTAssertThrowsError(try trace.next())
    first.request(.unlimited)
    XCTAssertEqual(first.values, expected(20_000))
    for failure in [second.failure, third.failure, fourth.failure] {
      XCTAssertTrue(failure?.description.contains("a TraceReader can be used once") == true)
    }
    XCTAssertTrue(second.values.isEmpty && third.runs.isEmpty && fourth.values.isEmpty)
  }

  func testWhatACancelledOneLeftIsNotReadByAnother() throws {
    let replay = Publishers.Replay(try trace(rows: 20_000))
    let first = TestSubscriber<Reading, SluiceError>()
    replay.prefix(1).subscribe(first)
    XCTAssertEqual(first.values, expected(1))
    let second = TestSubscriber<Reading, SluiceError>()
    replay.subscribe(second)
    XCTAssertEqual(second.failure?.code, .usage)
  }

  /// What was read before a replay got it is not read again.
  func testAReplayGoesOnWhereTheReaderWas() throws {
    let trace = try trace(rows: 10)
    XCTAssertEqual(try trace.next()?.time, 0)
    let subscriber = TestSubscriber<Reading, SluiceError>()
    Publishers.Replay(trace).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map(\.time), Array(1..<10))
  }

  // MARK: Ending early

  func testASilentPipeCanBeEnded() throws {
    let folder = TemporaryFolder()
    let path = folder.file("pipe")
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    // Reading and writing: opening does not wait, and there is no end of the file.
    let descriptor = open(path, O_RDWR)
    defer { close(descriptor) }
    XCTAssertEqual(write(descriptor, "time_ns,x\n1,1\n2,", 16), 16)
    let replay = Publishers.Replay(try TraceReader(path: path))
    let received = expectation(description: "received")
    let finished = expectation(description: "finished")
    // The row that is not whole is none.
    DispatchQueue.global().async {
      let cancellable = replay.sink {
        if case .finished = $0 { finished.fulfill() }
      } receiveValue: {
        XCTAssertEqual($0.time, 1)
        received.fulfill()
      }
      withExtendedLifetime(cancellable) {}
    }
    wait(for: [received], timeout: 60)
    replay.end()
    wait(for: [finished], timeout: 60)
  }

  func testEndedItReadsNoMoreBlocks() throws {
    let ahead = ReadAhead(try trace(rows: 6_000), isAhead: false)
    XCTAssertEqual(try ahead.next().count, ReadAhead.block)
    ahead.end()
    XCTAssertTrue(try ahead.next().isEmpty)
  }
}
