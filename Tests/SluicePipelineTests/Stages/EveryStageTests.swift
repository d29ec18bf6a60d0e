import Sluice
import SluiceReadings
import SluiceStages
import XCTest

@testable import SluicePipeline

final class EveryStageTests: XCTestCase {
  private func passed(_ readings: [Reading], _ count: Int) -> (passed: [Reading], leftOut: [Reading]) {
    var leftOut: [Reading] = []
    var passed: [Reading] = []
    let context = StageContext(
      number: 0, ledgers: [], ended: { nil }, sourcesWait: true, ahead: 16, leaveOut: { leftOut.append($0) },
      drop: { _, _ in XCTFail("nothing is dropped") },
      flagGap: { _ in XCTFail("there is no gap") })
    let stage = EveryStage(count).prepared(for: InputStreams([StreamDescription]()))
      .act(readings.publisher.eraseToAnyPublisher(), context)
    for _ in 0..<2 {
      (passed, leftOut) = ([], [])
      stage.sink { passed.append($0) }.cancel()
    }
    return (passed, leftOut)
  }

  private func reading(_ time: Int64, _ stream: StreamID) -> Reading {
    Reading(time: time, stream: stream, values: [1])
  }

  func testEachStreamOnItsOwn() {
    let readings = (Int64(0)..<12).map { reading($0, StreamID($0 % 3 == 0 ? 1 : 0)) }
    let (passed, leftOut) = passed(readings, 3)
    XCTAssertEqual(passed.map(\.time), [0, 1, 5, 9, 10])
    XCTAssertEqual((passed + leftOut).map(\.time).sorted(), Array(0..<12), "none is lost")
  }

  func testOneLetsAllThroughAndAMarkIsNoReading() {
    XCTAssertEqual(passed((Int64(0)..<5).map { reading($0, StreamID(0)) }, 1).passed.count, 5)
    let readings = [reading(0, StreamID(0)), reading(1, .none), reading(2, StreamID(0)), reading(3, .none)]
    XCTAssertEqual(passed(readings, 2).passed.map(\.time), [0, 1, 3])
  }
}
