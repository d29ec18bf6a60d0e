import Foundation
import SluiceReadings
import XCTest

@testable import SluicePipeline

final class RecordingTests: XCTestCase {
  private let folder = NSTemporaryDirectory() + "sluice-\(UUID().uuidString)"
  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

  private func plan(_ source: String, _ outputs: String...) throws -> RecordingPlan {
    RecordingPlan(
      sources: [try SourceSpec(source)], stages: [.buffer()], outputs: outputs.map { OutputPlan("\(folder)/\($0)") })
  }

  func testItHasAnAccountMeanwhileAndInTheEnd() throws {
    var plan = try plan("sim:meter@500,seed=1", "a.csv", "a.jsonl")
    plan.limits.count = 100
    let recording = try Recording(plan)
    XCTAssertEqual(recording.account.received, 0)
    recording.start()
    recording.start()
    let account = recording.wait()
    XCTAssertEqual([account.received, account.written, account.unaccounted], [100, 100, 0])
    XCTAssertEqual(account.outputs.map(\.format), ["csv", "jsonl"])
    XCTAssertEqual(recording.account, account)
    XCTAssertEqual(recording.wait(), account)
    XCTAssertEqual(
      recording.plan.stages, [.buffer(recording.plan.stages[0].stage.capacity)], "with the size that it has")
  }

  /// From any thread, at any time.
  func testItMayBeStoppedBeforeItStarts() throws {
    for source in ["timer:1ms", "sim:imu"] {
      let recording = try Recording(plan(source, "\(source.prefix(3)).csv"))
      recording.stop()
      recording.start()
      XCTAssertEqual(recording.wait().unaccounted, 0)
    }
  }

  func testOneThatIsNotStartedLeavesNothing() throws {
    _ = try Recording(plan("sim:meter", "a.csv", "new/"))
    XCTAssertEqual(names, [])
  }

  func testWhatCannotBeDoneIsSaidBeforeAnythingIsMade() throws {
    var wrong = try plan("sim:meter", "a.csv")
    wrong.limits.count = 0
    XCTAssertThrowsError(try Recording(wrong)) {
      XCTAssertEqual("\($0)", "cannot use the plan: limits.count takes a whole number of 1 or more, not 0")
    }
    XCTAssertThrowsError(try Recording(plan("sim:meter", "none/a.csv"))) {
      XCTAssertEqual(($0 as? SluiceError)?.code, .notFound)
    }
    XCTAssertEqual(names, [])
  }
}
