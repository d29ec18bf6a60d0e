import Sluice
import SluiceTesting
import XCTest

@testable import SluiceRecording

final class ReplayTests: XCTestCase {
  private func trace(rows: Int, then rest: String = "") throws -> TraceReader {
    let rows = (0..<rows).map { "\($0),\($0 * 3)\n" }.joined()
    return try TraceReader(Array(("time_ns,x\n" + rows + rest).utf8), name: "t")
  }

  private func expected(_ count: Int) -> [Reading] { (0..<count).map { reading(Int64($0), 0, [Int64($0 * 3)]) } }

  func testBlocksHoldTheReadings() throws {
    let subscriber = TestSubscriber<ArraySlice<Reading>, SluiceError>()
    Publishers.Replay(try trace(rows: 20_000)).blocks.subscribe(subscriber)
    // They were kept while others were read, and have not changed.
    XCTAssertEqual(subscriber.values.flatMap { $0 }, expected(20_000))
    XCTAssertTrue(subscriber.isFinished)
  }

  func testReadingsAreThoseOfTheBlocks() throws {
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
    let subscriber = TestSubscriber<ArraySlice<Reading>, SluiceError>()
    Publishers.Replay(try trace(rows: 3_000, then: "x,1\n")).blocks.subscribe(subscriber)
    XCTAssertEqual(subscriber.values.flatMap { $0 }, expected(3_000))
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

  func testAWindowCutsBlocks() throws {
    let subscriber = TestSubscriber<ArraySlice<Reading>, SluiceError>()
    Publishers.Replay(try trace(rows: 5_000), window: 600..<1_700).blocks.subscribe(subscriber)
    XCTAssertEqual(subscriber.values.flatMap { $0 }.map(\.time), Array(600..<1_700))
    XCTAssertTrue(subscriber.isFinished)
  }

  func testWithoutAWindowTimesMayGoBackwards() throws {
    let trace = try TraceReader(Array("time_ns,x\n10,1\n5,2\n\(Int64.min),3\n".utf8), name: "t")
    let subscriber = TestSubscriber<Reading, SluiceError>()
    Publishers.Replay(trace).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map(\.time), [10, 5, .min])
  }

  func testBlocksOfTheLongLayout() throws {
    let text = "time_ns,stream,channel,value\n1,a,x,1\n1,a,y,2\n2,b,x,\n3,a,x,4\n"
    let subscriber = TestSubscriber<ArraySlice<Reading>, SluiceError>()
    Publishers.Replay(try TraceReader(Array(text.utf8), name: "t")).blocks.subscribe(subscriber)
    XCTAssertEqual(subscriber.values.flatMap { $0 }.map(\.time), [1, 2, 3])
    XCTAssertEqual(subscriber.values.flatMap { $0 }.map(\.stream), [StreamID(0), StreamID(1), StreamID(0)])
  }

  func testReplayHonoursDemandAndItsWindow() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", "time_ns,x\n" + (0..<10).map { "\(100 + $0),\($0)\n" }.joined())
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .max(2))
    Publishers.Replay(try TraceReader(path: path), window: 3..<7).subscribe(subscriber)
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
}
