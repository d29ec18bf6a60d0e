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

  // MARK: Free space

  func testItDoesNotBeginWithoutTheFreeSpaceThatIsAskedFor() throws {
    var plan = try plan("sim:meter", "new/", "a.csv")
    plan.limits.minFree = .megabytes(100)
    var context = RecordingContext()
    context.freeSpace = { $0.hasSuffix("a.csv") ? 100 << 20 - 1 : 100 << 20 }
    XCTAssertThrowsError(try Recording(plan, context)) {
      XCTAssertEqual(
        "\($0)",
        "cannot write \(folder)/a.csv: less than 100M is free for it; make room, or write to another disk")
    }
    XCTAssertEqual(names, [])
    // Who does not know does not refuse.
    context.freeSpace = { _ in nil }
    plan.limits.count = 1
    plan.sources = [try SourceSpec("timer:1ms")]
    let recording = try Recording(plan, context)
    recording.start()
    XCTAssertEqual(recording.wait().errors, [])
  }

  /// What was received by then is written.
  func testItStopsBeforeTheDiskIsFull() throws {
    var plan = try plan("timer:1ms", "a.csv")
    plan.limits.minFree = .megabytes(100)
    let isFull = StopFlag()
    var context = RecordingContext()
    context.freeSpace = { _ in isFull.isRaised ? 0 : .max }
    let recording = try Recording(plan, context)
    recording.start()
    isFull.raise()
    let account = recording.wait()
    XCTAssertEqual(
      account.errors,
      ["cannot go on with \(folder)/a.csv: less than 100M is free for it; make room, and start anew"])
    XCTAssertTrue(account.wasStopped)
    XCTAssertGreaterThan(account.written, 0)
    XCTAssertEqual([account.written, account.unwritten, account.unaccounted], [account.received, 0, 0])
  }

  func testAPipeFillsNoDisk() throws {
    var plan = RecordingPlan(sources: [try SourceSpec("timer:1ms")], outputs: [OutputPlan("/dev/null", format: "csv")])
    plan.limits.minFree = .megabytes(100)
    plan.limits.count = 3
    var context = RecordingContext()
    context.freeSpace = { _ in 0 }
    let recording = try Recording(plan, context)
    recording.start()
    XCTAssertEqual(recording.wait().errors, [])
  }

  func testTheSystemKnowsWhatIsFree() {
    XCTAssertGreaterThan(FreeSpace.system(folder) ?? 0, 0)
    XCTAssertEqual(FreeSpace.system("\(folder)/new.csv") == nil, false, "by its folder")
    XCTAssertEqual(FreeSpace.system("\(folder)/new/") == nil, false)
    XCTAssertNil(FreeSpace.system("\(folder)/none/new.csv"))
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
