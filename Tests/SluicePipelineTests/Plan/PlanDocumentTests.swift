import TestFiles
import XCTest

@testable import SluicePipeline

/// What docs/Plan.md says is so.
final class PlanDocumentTests: XCTestCase {
  private func document() throws -> String {
    try Checkout.text("docs/Plan.md")
  }

  func testTheExampleIsWhatIsPrinted() throws {
    let block = try XCTUnwrap(try document().components(separatedBy: "```json\n").dropFirst().first)
    let text = try XCTUnwrap(block.components(separatedBy: "\n```").first)
    XCTAssertEqual(try RecordingPlan(json: Array(text.utf8), name: "docs/Plan.md").text, text)
    // As docs/Plan.md makes it in Swift.
    var plan = RecordingPlan(
      sources: [try SourceSpec("walk=iio:bmi160:accel_x,sample-rate=400,reconnect")],
      stages: [.buffer(), .throttle(for: .milliseconds(100))],
      outputs: [OutputPlan("walk.csv")])
    plan.limits.duration = .seconds(90)
    try plan.validate()
    XCTAssertEqual(plan.text, text)
  }

  func testTheExampleOfAReplayIsWhatIsPrinted() throws {
    let text = try XCTUnwrap(try example(with: "\"max-gap\""))
    var replay = ReplayPlan("walk.csv", rate: 1)
    (replay.maxGap, replay.reorder, replay.loop) = (.seconds(5), .milliseconds(50), .forever)
    XCTAssertEqual(RecordingPlan(replay: replay, outputs: [OutputPlan("-")]).text, text)
  }

  func testTheExampleOfStagesOfASourceIsWhatIsPrinted() throws {
    let sources = [try SourcePlan("imu=iio:bmi160"), try SourcePlan("iio:bme280,throttle=1s")]
    let plan = RecordingPlan(input: .sources(sources), stages: [.buffer()], outputs: [OutputPlan("all.csv")])
    XCTAssertEqual(try example(with: "bme280"), plan.text)
  }

  func testTheExampleOfStagesOfAnOutputIsWhatIsPrinted() throws {
    var slow = OutputPlan("slow.csv")
    (slow.stages, slow.buffer) = ([.every(10)], OutputPlan.Buffer(1_000))
    let plan = RecordingPlan(
      sources: [try SourceSpec("iio:bmi160")], stages: [.buffer()], outputs: [OutputPlan("walk.csv"), slow])
    XCTAssertEqual(try example(with: "slow.csv"), plan.text)
  }

  /// The example with this text.
  private func example(with text: String) throws -> String? {
    try document().components(separatedBy: "```json\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }.first { $0.contains(text) }
  }

  func testTheErrorsAreThoseThatThereAre() throws {
    let prefix = "    cannot use the plan walk.json: "
    let shown = try document().split(separator: "\n").filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
    XCTAssertGreaterThanOrEqual(shown.count, 5)
    for sentence in shown {
      XCTAssertTrue(RecordingPlanErrorTests.sentences.contains { $0.1 == sentence }, "\(sentence)")
    }
  }

  func testEveryStageHasItsRow() throws {
    let document = try document()
    for name in Stages.names { XCTAssertTrue(document.contains("\n| `\(name)` | "), name) }
  }
}
