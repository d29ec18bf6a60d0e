import SluiceReadings
import XCTest

@testable import SluicePipeline

final class BufferStageTests: XCTestCase {
  private let streams = (0..<4).map {
    StreamDescription(name: "\($0)", channels: [StreamDescription.Channel(name: "value")])
  }

  func testWithoutASizeItTakesItsShareOfTheBudget() {
    let stage = BufferStage(whenFull: .fail).sized(for: streams)
    XCTAssertEqual(stage.size, BufferSize(nil, for: streams, budget: BufferSize.budget).readings)
    XCTAssertEqual(stage.capacity, stage.size)
    XCTAssertGreaterThan(stage.capacity, 10_000)
    XCTAssertEqual(stage.whenFull, .fail)
  }

  func testAGivenSizeStays() {
    XCTAssertEqual(BufferStage(size: 7).sized(for: streams), BufferStage(size: 7))
    XCTAssertEqual(BufferStage(size: 0).sized(for: streams).capacity, 0)
  }

  func testOthersStayAsTheyAre() {
    let stages: [any RecordingStage] = [EveryStage(3), ThrottleStage(interval: .seconds(1))]
    XCTAssertEqual(stages.map { StagePlan($0.sized(for: streams)) }, stages.map { StagePlan($0) })
  }
}
