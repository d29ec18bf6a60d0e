import SluiceReadings
import SluiceRecording
import SluiceStages
import XCTest

@testable import SluicePipeline

/// What a recording that runs can take over of another plan.
final class PlanDifferenceTests: XCTestCase {
  private typealias Place = PlanDifference.Place

  private func plan(
    _ stages: [StagePlan] = [.buffer()], outputs: [OutputPlan] = [OutputPlan("a.csv")]
  ) throws -> RecordingPlan {
    RecordingPlan(
      input: .sources([
        try SourcePlan("imu=sim:imu@100,every=2"), SourcePlan(try SourceSpec("timer:10ms")),
      ]), stages: stages, outputs: outputs)
  }

  private func difference(
    _ old: RecordingPlan, _ new: RecordingPlan, exchangeable: Set<Place>? = nil, hasMarks: Bool = true,
    reason: String? = nil
  ) throws -> PlanDifference {
    var places = PlanDifference.Places(
      exchangeable: exchangeable ?? Set([.source(0), .shared] + old.outputs.map { .output($0.path) }),
      hasMarks: hasMarks)
    places.reason = { _, _, _ throws(SluiceError) in reason }
    return try PlanDifference(from: old, to: new, places)
  }

  private func output(_ path: String, _ stages: [StagePlan] = [], rotation: Rotation? = nil) -> OutputPlan {
    var output = OutputPlan(path, rotation: rotation)
    output.stages = stages
    return output
  }

  /// What was taken over is in the plan, so that a second reading finds nothing more to take over.
  private func check(_ difference: PlanDifference, _ old: RecordingPlan, _ new: RecordingPlan, line: UInt = #line)
    throws
  {
    let again = try self.difference(
      difference.plan, new,
      exchangeable: Set([.source(0), .shared] + difference.plan.outputs.map { .output($0.path) }))
    XCTAssertTrue(again.exchanges.isEmpty && again.rotations.isEmpty && again.newOutputs.isEmpty, line: line)
    XCTAssertEqual(again.kept, difference.kept, line: line)
    if difference.kept.isEmpty { XCTAssertEqual(difference.plan, new, line: line) }
  }

  func testAnotherName() throws {
    let old = try plan()
    var new = old
    new.name = "cellar"
    let difference = try self.difference(old, new)
    XCTAssertEqual(difference.kept, ["\"name\" counts at a start only"])
  }

  func testTheSamePlanIsNoDifference() throws {
    let difference = try difference(plan(), plan())
    XCTAssertTrue(difference.isEmpty)
    XCTAssertEqual(difference.plan, try plan())
  }

  // MARK: Stages

  func testThresholds() throws {
    let old = try plan([.buffer(), .throttle(for: .seconds(1)), .every(2)])
    let new = try plan([.buffer(), .throttle(for: .seconds(2)), .every(2)])
    let difference = try difference(old, new)
    XCTAssertEqual(difference.exchanges.map(\.place), [.shared])
    XCTAssertEqual(difference.exchanges.map(\.region), [1], "behind the buffer")
    XCTAssertEqual(
      difference.exchanges.map(\.sentence),
      [
        #"the stages of all readings: {"stage": "throttle", "interval": "2s"}, {"stage": "every", "count": 2} instead of "#
          + #"{"stage": "throttle", "interval": "1s"}, {"stage": "every", "count": 2}"#
      ])
    XCTAssertEqual(difference.kept, [])
    try check(difference, old, new)
  }

  func testStagesComeAndGo() throws {
    let old = try plan([.buffer(), .every(2)])
    for stages: [StagePlan] in [
      [.buffer()], [.every(3), .buffer(), .every(2)], [.buffer(), .throttle(for: .seconds(1))],
    ] {
      let difference = try difference(old, plan(stages))
      XCTAssertEqual(difference.exchanges.count, 1)
      XCTAssertEqual(difference.plan.stages, stages)
      try check(difference, old, plan(stages))
    }
  }

  func testABufferStays() throws {
    let old = try plan([.buffer(100), .every(2)])
    for stages: [StagePlan] in [[.buffer(200), .every(2)], [.every(2)], [.every(2), .buffer(100), .buffer(100)]] {
      let difference = try difference(old, plan(stages))
      XCTAssertEqual(
        difference.kept,
        [
          "the stages of all readings stay: a buffer, and a stage with a total or with windows, cannot be changed, added or "
            + "taken away while they run"
        ])
      XCTAssertEqual(difference.plan, old)
      XCTAssertTrue(difference.exchanges.isEmpty)
    }
  }

  /// A total would begin anew. What stands before and behind it can change.
  func testAStageWithATotalStays() throws {
    let old = try plan([.buffer(), .pulses(.one), .throttle(for: .seconds(1))])
    let new = try plan([.buffer(), .pulses(.one), .throttle(for: .seconds(2))])
    let thresholds = try difference(old, new)
    XCTAssertEqual(thresholds.exchanges.map(\.region), [2])
    XCTAssertEqual(thresholds.kept, [])
    let other = try difference(old, plan([.buffer(), .pulses(.zero.advanced), .throttle(for: .seconds(1))]))
    XCTAssertEqual(other.kept.count, 1)
    XCTAssertEqual(other.plan, old)
  }

  func testAStageThatMakesReadingsChangesOnly() throws {
    let old = try plan([.buffer(), .reduce(.seconds(60))])
    let other = try difference(old, plan([.buffer(), .reduce(.seconds(10))]))
    XCTAssertEqual(other.exchanges.count, 1)
    for stages: [StagePlan] in [[.buffer()], [.buffer(), .reduce(.seconds(60)), .resample(.seconds(1))]] {
      let difference = try difference(old, plan(stages))
      XCTAssertEqual(
        difference.kept,
        [
          "the stages of all readings stay: a stage that makes readings can be changed while they run, but not added, "
            + "taken away or moved"
        ])
      XCTAssertEqual(difference.plan, old)
    }
  }

  func testWithoutMarksOfTimeNoStageThatNeedsThem() throws {
    let old = try plan([.buffer()])
    let new = try plan([.buffer(), .throttle(for: .seconds(1))])
    XCTAssertEqual(
      try difference(old, new, hasMarks: false).kept,
      [
        "the stages of all readings stay: throttle needs the time to pass also without readings, which no stage needed at "
          + "the start"
      ])
    XCTAssertEqual(try difference(old, plan([.buffer(), .every(2)]), hasMarks: false).kept, [])
    let output = try difference(
      old, plan(outputs: [OutputPlan("a.csv"), self.output("b.csv", [.throttle(for: .seconds(1))])]), hasMarks: false)
    XCTAssertEqual(output.newOutputs, [])
    XCTAssertEqual(output.kept.count, 1)
    XCTAssertEqual(output.plan, old)
  }

  func testStagesThatDoNotFitStay() throws {
    let old = try plan([.buffer(), .every(2)])
    let difference = try difference(old, plan([.buffer(), .every(3)]), reason: "other streams")
    XCTAssertEqual(difference.kept, ["the stages of all readings stay: other streams"])
    XCTAssertEqual(difference.plan, old)
  }

  func testOneRegionChangesAndAnotherStays() throws {
    let old = try plan([.every(2), .buffer(), .every(2)])
    let new = try plan([.every(3), .buffer(), .reduce(.seconds(1))])
    let difference = try difference(old, new)
    XCTAssertEqual(difference.exchanges.map(\.region), [0])
    XCTAssertEqual(difference.kept.count, 1)
    XCTAssertEqual(difference.plan.stages, [.every(3), .buffer(), .every(2)])
  }

  // MARK: Sources

  func testTheStagesOfASource() throws {
    let old = try plan()
    var new = old
    new.input = .sources([try SourcePlan("imu=sim:imu@100,every=5"), SourcePlan(try SourceSpec("timer:10ms"))])
    let difference = try difference(old, new)
    XCTAssertEqual(difference.exchanges.map(\.place), [.source(0)])
    XCTAssertEqual(
      difference.exchanges.map(\.sentence),
      [#"the stages of imu: {"stage": "every", "count": 5} instead of {"stage": "every", "count": 2}"#])
    try check(difference, old, new)
  }

  func testASourceThatHadNoStagesGetsNone() throws {
    let old = try plan()
    var new = old
    new.input = .sources([
      try SourcePlan("imu=sim:imu@100,every=2"), SourcePlan(try SourceSpec("timer:10ms"), stages: [.every(2)]),
    ])
    let difference = try difference(old, new)
    XCTAssertEqual(
      difference.kept, ["the stages of timer:10ms stay: a source that had none at the start gets none"])
    XCTAssertEqual(difference.plan, old)
  }

  func testOtherSourcesStay() throws {
    let old = try plan()
    for sources in [["imu=sim:imu@200,every=2", "timer:10ms"], ["imu=sim:imu@100,every=2"], ["a=timer:1s"]] {
      var new = old
      new.input = .sources(try sources.map { try SourcePlan($0) })
      let difference = try difference(old, new)
      XCTAssertEqual(difference.kept, ["the sources and their settings stay: they are opened at a start"])
      XCTAssertEqual(difference.plan, old)
    }
    let replay = try difference(
      old, RecordingPlan(replay: ReplayPlan("a.csv"), stages: old.stages, outputs: old.outputs))
    XCTAssertEqual(replay.kept, ["a recording does not become a replay"])
  }

  // MARK: Outputs

  func testTheStagesOfAnOutput() throws {
    let old = try plan(outputs: [OutputPlan("a.csv"), output("slow.csv", [.every(10)])])
    let new = try plan(outputs: [output("slow.csv", [.every(20)]), OutputPlan("a.csv")])
    let difference = try difference(old, new)
    XCTAssertEqual(difference.exchanges.map(\.place), [.output("slow.csv")])
    XCTAssertEqual(difference.kept, [], "another order is no difference")
    XCTAssertEqual(difference.plan.outputs.map(\.path), ["a.csv", "slow.csv"])
    XCTAssertEqual(difference.plan.outputs[1].stages, [.every(20)])
  }

  func testAnOutputThatSharesItsReadingsGetsNoStages() throws {
    let old = try plan(outputs: [OutputPlan("a.csv"), OutputPlan("b.csv")])
    let new = try plan(outputs: [OutputPlan("a.csv"), output("b.csv", [.every(2)])])
    let difference = try difference(old, new, exchangeable: [.shared])
    XCTAssertEqual(
      difference.kept,
      ["the stages of b.csv stay: an output that had none at the start gets its readings together with others"])
    XCTAssertEqual(difference.plan, old)
  }

  func testRotation() throws {
    let old = try plan(outputs: [output("a.csv", rotation: Rotation(size: 1_000_000, keep: Retention(parts: 3)))])
    let new = try plan(outputs: [output("a.csv", rotation: Rotation(period: .seconds(3_600)))])
    let difference = try difference(old, new)
    XCTAssertEqual(difference.rotations.map(\.path), ["a.csv"])
    XCTAssertEqual(
      difference.rotations.map(\.sentence),
      ["the rotation of a.csv: 3600s instead of 1000000B, keep 3parts"])
    try check(difference, old, new)
  }

  func testAFileIsNotCutLater() throws {
    let file = try plan(outputs: [OutputPlan("a.csv")])
    let parts = try plan(outputs: [output("a.csv", rotation: Rotation(size: 1_000_000))])
    XCTAssertEqual(try difference(file, parts).kept, ["a.csv stays one file, as it began"])
    XCTAssertEqual(try difference(parts, file).kept, ["a.csv stays cut into parts, as it began"])
    XCTAssertEqual(try difference(file, parts).plan, file)
  }

  func testNewOutputs() throws {
    let old = try plan()
    let new = try plan(outputs: [output("b.csv", [.every(2)]), OutputPlan("a.csv"), OutputPlan("c.jsonl")])
    let difference = try difference(old, new)
    XCTAssertEqual(difference.newOutputs.map(\.path), ["b.csv", "c.jsonl"])
    // Those that are there keep their places.
    XCTAssertEqual(difference.plan.outputs.map(\.path), ["a.csv", "b.csv", "c.jsonl"])
  }

  func testWhatAnOutputKeeps() throws {
    let old = try plan(outputs: [OutputPlan("a.csv"), OutputPlan("b.csv")])
    XCTAssertEqual(
      try difference(old, plan()).kept, ["b.csv goes on: an output cannot be taken away while it is written"])
    var new = old
    new.outputs[0].decimals = 2
    new.outputs[1].buffer = OutputPlan.Buffer(10)
    XCTAssertEqual(
      try difference(old, new).kept,
      [
        "the format of a.csv, and how it writes times and values, stay: it has rows already",
        "the buffer of b.csv stays: it may hold readings",
      ])
    XCTAssertEqual(try difference(old, new).plan, old)
    // What was there before it began does not matter any more.
    new = old
    new.outputs[0].existing = .append
    XCTAssertTrue(try difference(old, new).isEmpty)
  }

  // MARK: The rest

  func testWhatCountsAtAStartOnly() throws {
    let old = try plan()
    var new = old
    new.limits.duration = .seconds(1)
    XCTAssertEqual(try difference(old, new).kept, ["\"limits\" counts at a start only"])
    (new.pauseMode, new.startPaused, new.sync) = (.discard, true, .batch)
    new.notes = [RecordingPlan.Note(key: "site", value: "cellar")]
    XCTAssertEqual(
      try difference(old, new).kept,
      ["\"limits\", \"sync\", \"pause-mode\" and 2 more count at a start only"])
    XCTAssertEqual(try difference(old, new).plan, old)
  }
}

extension ExactDecimal {
  /// Another one.
  fileprivate var advanced: ExactDecimal { ExactDecimal(significand: 5) }
}
