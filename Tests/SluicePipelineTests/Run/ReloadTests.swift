import Dispatch
import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import SluiceSystem
import TestFiles
import XCTest

@testable import SluicePipeline

/// A plan that changes while its recording runs.
final class ReloadTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  /// Marks are readings whose number the test knows. With a second source, the time passes for stages.
  private func plan(_ stages: [StagePlan] = [.buffer()], outputs: [OutputPlan]) throws -> RecordingPlan {
    RecordingPlan(
      sources: [try SourceSpec("m=marks:number"), try SourceSpec("t=timer:1h")], stages: stages, outputs: outputs)
  }

  private func output(
    _ name: String, _ stages: [StagePlan] = [], rotation: Rotation? = nil, existing: ExistingFile = .refuse
  ) -> OutputPlan {
    var output = OutputPlan(folder.file(name), layout: .long, existing: existing, rotation: rotation)
    output.stages = stages
    return output
  }

  private func recording(_ plan: RecordingPlan, isChangeable: Bool = true) throws -> Recording {
    var context = RecordingContext()
    context.isChangeable = isChangeable
    let recording = try Recording(plan, context)
    recording.start()
    return recording
  }

  private var marked = 0
  private func mark(_ recording: Recording, _ count: Int) throws {
    for _ in 0..<count {
      marked += 1
      try recording.mark("\(marked)")
    }
  }

  /// Waits until what was marked so far is on its way to the outputs. The merge keeps it for some time.
  private func settle(_ recording: Recording) {
    let done = DispatchSemaphore(value: 0)
    recording.flush { _ in done.signal() }
    XCTAssertEqual(done.wait(timeout: .now() + 60), .success)
  }

  @discardableResult private func end(_ recording: Recording) -> Account {
    recording.stop()
    let account = recording.wait()
    XCTAssertEqual(account.unaccounted, 0, account.text)
    XCTAssertEqual(account.errors, [])
    return account
  }

  /// The numbers of the marks in a file.
  private func numbers(_ name: String) -> [Int] {
    (folder.text(name) ?? "").split(separator: "\n").filter { $0.contains(",m,") }
      .compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
  }

  private func document(_ name: String) throws -> [String: Any] {
    try XCTUnwrap(
      JSONSerialization.jsonObject(with: Data((folder.text("\(name)-metadata.json") ?? "").utf8)) as? [String: Any])
  }

  private func written(_ name: String) throws -> [Int] {
    let ledger = try XCTUnwrap(document(name)["sluice:ledger"] as? [[String: Any]])
    return ledger.compactMap { $0["sluice:written"] as? Int }
  }

  // MARK: Stages

  func testAThresholdChanges() throws {
    let old = try plan([.buffer(), .where(Expression("number > 5"))], outputs: [output("a.csv")])
    let recording = try recording(old)
    try mark(recording, 10)
    settle(recording)
    let reload = try recording.reload(
      plan([.buffer(), .where(Expression("number > 12"))], outputs: [output("a.csv")]))
    XCTAssertEqual(
      reload.changed,
      [
        #"the stages of all readings: {"stage": "where", "condition": "number > 12"} instead of {"stage": "where", "#
          + #""condition": "number > 5"}"#
      ])
    XCTAssertEqual(reload.kept, [])
    try mark(recording, 10)
    let account = end(recording)
    XCTAssertEqual(numbers("a.csv"), [6, 7, 8, 9, 10, 13, 14, 15, 16, 17, 18, 19, 20])
    XCTAssertEqual(account.suppressed, 7)
    let pipeline = try XCTUnwrap(document("a.csv")["sluice:pipeline"] as? [String: Any])
    let changes = try XCTUnwrap(pipeline["sluice:plan_changes"] as? [[String: Any]])
    XCTAssertEqual(changes.count, 1)
    XCTAssertEqual(changes[0]["sluice:changed"] as? [String], reload.changed)
    XCTAssertTrue((pipeline["sluice:plan"] as? String ?? "").contains("number > 12"))
  }

  func testNothingChangesWithTheSamePlan() throws {
    let plan = try plan(outputs: [output("a.csv")])
    let recording = try recording(plan)
    XCTAssertEqual(try recording.reload(plan), Recording.Reload())
    end(recording)
  }

  /// The readings of a group that is not full are written before those of the new stages.
  func testWhatAStageHoldsIsWrittenFirst() throws {
    let recording = try recording(plan([.buffer(), .collect(100)], outputs: [output("a.csv")]))
    try mark(recording, 10)
    settle(recording)
    XCTAssertEqual(numbers("a.csv"), [])
    let reload = try recording.reload(plan([.buffer()], outputs: [output("a.csv")]))
    XCTAssertEqual(reload.changed.count, 1)
    settle(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...10))
    try mark(recording, 5)
    end(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...15))
  }

  /// In a pause nothing reaches the outputs, so the former stages stay.
  func testInAPause() throws {
    let recording = try recording(plan([.buffer(), .every(1), .collect(3)], outputs: [output("a.csv")]))
    recording.pause()
    try mark(recording, 2_000)
    let reload = try recording.reload(plan([.buffer(), .collect(4)], outputs: [output("a.csv")]))
    XCTAssertEqual(reload.changed.count, 1)
    try mark(recording, 10)
    recording.resume()
    try mark(recording, 10)
    end(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...2_020))
  }

  func testTheStagesOfASourceAndOfAnOutput() throws {
    var old = try plan(outputs: [output("a.csv"), output("b.csv", [.every(2)])])
    old.input = .sources([
      SourcePlan(try SourceSpec("m=marks:number"), stages: [.where(try Expression("number > 0"))]),
      SourcePlan(try SourceSpec("t=timer:1h")),
    ])
    let recording = try recording(old)
    try mark(recording, 10)
    settle(recording)
    var new = old
    new.outputs[1].stages = [.every(5)]
    new.input = .sources([
      SourcePlan(try SourceSpec("m=marks:number"), stages: [.where(try Expression("number > 15"))]),
      SourcePlan(try SourceSpec("t=timer:1h")),
    ])
    XCTAssertEqual(try recording.reload(new).changed.count, 2)
    try mark(recording, 10)
    let account = end(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...10) + Array(16...20))
    XCTAssertEqual(numbers("b.csv"), [1, 3, 5, 7, 9, 16], "the new stages count from their first")
    XCTAssertEqual(account.outputs.map(\.written), [15, 6])
    XCTAssertEqual(account.outputs[1].suppressed, 9)
  }

  func testStagesWithOtherStreamsStay() throws {
    let old = try plan([.buffer()], outputs: [output("a.csv")])
    let recording = try recording(old)
    for stages: [StagePlan] in [
      [.buffer(), .scale(Scale(channel: "m.number", gain: .one, unit: "m"))], [.buffer(), .select(["m"])],
    ] {
      let reload = try recording.reload(plan(stages, outputs: old.outputs))
      XCTAssertEqual(
        reload.kept,
        [
          "the stages of all readings stay: other streams or channels would come out of them, and the outputs have rows "
            + "of these"
        ])
    }
    end(recording)
  }

  // MARK: Outputs

  func testANewOutput() throws {
    let recording = try recording(plan(outputs: [output("a.csv")]))
    try mark(recording, 10)
    settle(recording)
    let reload = try recording.reload(
      plan(outputs: [output("a.csv"), output("b.csv"), output("c.csv", [.every(2)])]))
    XCTAssertEqual(
      reload.changed, ["b.csv", "c.csv"].map { "\(folder.file($0)) is written from now on" })
    try mark(recording, 10)
    let account = end(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...20))
    XCTAssertEqual(numbers("b.csv"), Array(11...20))
    XCTAssertEqual(numbers("c.csv"), [11, 13, 15, 17, 19])
    XCTAssertEqual(account.received, 20, "the recording has received what it has received")
    XCTAssertEqual(account.outputs.map(\.written), [20, 10, 5])
    XCTAssertEqual(account.outputs[2].suppressed, 5)
    // The metadata beside it is of what reached it, and it has the marks since then.
    XCTAssertEqual(try written("b.csv"), [10, 0])
    let metadata = try XCTUnwrap(MetadataFile(beside: folder.file("b.csv")).read())
    XCTAssertEqual(metadata.ledger?.map(\.received), [10, 0])
    XCTAssertEqual(metadata.ledger?.map(\.unaccounted), [0, 0])
    XCTAssertEqual(metadata.state, .finished)
    XCTAssertEqual(metadata.marks?.map(\.text), (11...20).map { "\($0)" })
  }

  /// The plan of the recording is the changed one, so that a second reload adds nothing twice.
  func testASecondReloadGoesOnFromTheFirst() throws {
    let recording = try recording(plan(outputs: [output("a.csv")]))
    let new = try plan(outputs: [output("a.csv"), output("b.csv", [.every(2)])])
    XCTAssertEqual(try recording.reload(new).changed.count, 1)
    XCTAssertEqual(try recording.reload(new), Recording.Reload())
    var other = new
    other.outputs[1].stages = [.every(3)]
    XCTAssertEqual(try recording.reload(other).changed.count, 1)
    try mark(recording, 6)
    end(recording)
    XCTAssertEqual(numbers("b.csv"), [1, 4])
    XCTAssertEqual(recording.plan.outputs.map(\.path), other.outputs.map(\.path))
  }

  /// The numbers of the windows in a file.
  private func windows(_ name: String) throws -> [Int64] {
    let trace = try TraceReader(path: folder.file(name))
    let channels = trace.streams[0].channels.map(\.name)
    let window = try XCTUnwrap(channels.firstIndex(of: "window"))
    var readings = [Reading](repeating: .empty, count: 64)
    var windows: [Int64] = []
    while case let count = try trace.next(into: &readings), count > 0 {
      windows += readings[..<count].map { $0.values[window].significand }
    }
    return windows
  }

  func testWindowsGoOnInANewOutputThatHasSome() throws {
    let stages = [StagePlan.while(try Expression("number == 2 or number == 4"))]
    let first = try recording(plan(outputs: [output("b.csv", stages)]))
    try mark(first, 10)
    end(first)
    XCTAssertEqual(try windows("b.csv"), [1, 2])

    let second = try recording(plan(outputs: [output("a.csv")]))
    _ = try second.reload(plan(outputs: [output("a.csv"), output("b.csv", stages, existing: .append)]))
    try mark(second, 10)
    end(second)
    XCTAssertEqual(try windows("b.csv"), [1, 2, 3, 4])
  }

  func testANewOutputInParts() throws {
    let recording = try recording(plan(outputs: [output("a.csv")]))
    try mark(recording, 10)
    settle(recording)
    _ = try recording.reload(plan(outputs: [output("a.csv"), output("p.csv", rotation: Rotation(size: 200))]))
    try mark(recording, 30)
    end(recording)
    let parts = folder.files.filter { $0.hasPrefix("p.") && $0.hasSuffix(".csv") }
    XCTAssertGreaterThan(parts.count, 2)
    XCTAssertEqual(parts.flatMap { numbers($0) }, Array(11...40))
    // The parts together have the account of the output.
    XCTAssertEqual(try parts.map { try written($0)[0] }.reduce(0, +), 30)
    let first = try XCTUnwrap(MetadataFile(beside: folder.file(parts[0])).read())
    XCTAssertEqual(first.marks?.first?.text, "11")
  }

  func testARotationChanges() throws {
    let recording = try recording(plan(outputs: [output("p.csv", rotation: Rotation(size: 1_000_000))]))
    try mark(recording, 20)
    settle(recording)
    let reload = try recording.reload(
      plan(outputs: [output("p.csv", rotation: Rotation(size: 100, keep: Retention(parts: 2)))]))
    XCTAssertEqual(reload.changed.count, 1)
    try mark(recording, 20)
    let account = end(recording)
    let parts = folder.files.filter { $0.hasSuffix(".csv") }
    XCTAssertEqual(parts.count, 2, "the others are removed")
    XCTAssertGreaterThan(account.outputs[0].removed?.parts ?? 0, 2)
    XCTAssertEqual(numbers(parts[1]).last, 40)
    XCTAssertEqual(account.outputs[0].written, 40)
  }

  /// If a new output cannot be opened, nothing changes at all.
  func testAnOutputThatCannotBeOpenedChangesNothing() throws {
    let there = folder.file("there.csv", "precious\n")
    let recording = try recording(plan([.buffer(), .every(1)], outputs: [output("a.csv")]))
    let new = try plan(
      [.buffer(), .every(5)],
      outputs: [output("a.csv"), output("b/"), output("there.csv")])
    XCTAssertThrowsError(try recording.reload(new)) { error in
      XCTAssertEqual((error as? SluiceError)?.object, there)
    }
    try mark(recording, 10)
    end(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...10))
    XCTAssertEqual(folder.text("there.csv"), "precious\n")
    XCTAssertFalse(folder.files.contains("b"))
  }

  func testAFileThatIsWrittenAlreadyIsRefused() throws {
    let recording = try recording(plan(outputs: [output("a.csv")]))
    XCTAssertEqual(symlink(folder.path, folder.file("link")), 0)
    XCTAssertThrowsError(
      try recording.reload(plan(outputs: [output("a.csv"), output("link/a.csv", existing: .append)])))
    end(recording)
  }

  func testAStageThatDoesNotFitChangesNothing() throws {
    let recording = try recording(plan(outputs: [output("a.csv")]))
    XCTAssertThrowsError(
      try recording.reload(plan([.buffer(), .where(Expression("nothing > 1"))], outputs: [output("a.csv")])))
    try mark(recording, 3)
    end(recording)
    XCTAssertEqual(numbers("a.csv"), [1, 2, 3])
  }

  /// Such an output would get what it does not ask for.
  func testAmongBuffersANewOutputNeedsOne() throws {
    var buffered = output("a.csv")
    buffered.buffer = OutputPlan.Buffer(1_000)
    let recording = try recording(plan([], outputs: [buffered]))
    XCTAssertThrowsError(try recording.reload(plan([], outputs: [buffered, output("b.csv")]))) { error in
      XCTAssertEqual((error as? SluiceError)?.cause, "every other output has a buffer of its own, and it has none")
    }
    var other = output("b.csv")
    other.buffer = OutputPlan.Buffer(1_000)
    XCTAssertEqual(try recording.reload(plan([], outputs: [buffered, other])).changed.count, 1)
    try mark(recording, 50)
    end(recording)
    XCTAssertEqual(numbers("b.csv"), Array(1...50))
  }

  func testANewOutputInAPause() throws {
    let recording = try recording(plan(outputs: [output("a.csv")]))
    recording.pause()
    try mark(recording, 5)
    XCTAssertEqual(try recording.reload(plan(outputs: [output("a.csv"), output("b.csv")])).changed.count, 1)
    try mark(recording, 500)
    recording.resume()
    end(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...505))
    let later = numbers("b.csv")
    XCTAssertEqual(later, Array((later.first ?? 0)...505), "from somewhere on, and then all")
  }

  // MARK: Who may not

  func testWithoutAPlanThatMayChange() throws {
    let plan = try plan(outputs: [output("a.csv")])
    let recording = try recording(plan, isChangeable: false)
    XCTAssertThrowsError(try recording.reload(plan))
    end(recording)
    let ended = try self.recording(self.plan(outputs: [output("b.csv")]))
    end(ended)
    XCTAssertThrowsError(try ended.reload(ended.plan)) { error in
      XCTAssertEqual((error as? SluiceError)?.cause, "the recording does not run")
    }
  }

  func testAReloadIsAnEvent() throws {
    let recording = try recording(plan([.buffer(), .every(1)], outputs: [output("a.csv")]))
    let events = Locked<[RecordingEvent.Kind]>([])
    let watching = recording.events.sink { event in events.withLock { $0.append(event.kind) } }
    let reload = try recording.reload(plan([.buffer(), .every(2)], outputs: [output("a.csv")]))
    XCTAssertEqual(events.withLock { $0 }, [.planChanged(reload.changed)])
    watching.cancel()
    end(recording)
  }

  // MARK: Any changes

  /// Whatever changes while marks come: no mark is lost, none is written twice, and each file has them in order.
  func testNoReadingIsLostAndNoneIsThereTwice() throws {
    var generator = TestGenerator()
    func stages() -> [StagePlan] {
      let count: [Int] = [1, 3, 10]
      // None of these leaves a reading out.
      let any: [[StagePlan]] = [
        [], [.collect(count.randomElement(using: &generator) ?? 1)], [.every(1)],
        [.where(try! Expression("number > 0"))], [.collect(7, orFor: .milliseconds(20)), .every(1)],
      ]
      return any.randomElement(using: &generator) ?? []
    }
    var paths = ["a.csv", "b.csv"]
    func any() throws -> RecordingPlan {
      try plan(
        stages() + [.buffer()] + stages(),
        outputs: paths.map { path in
          output(path, path == "a.csv" ? [] : [.every(1)] + stages())
        })
    }
    let recording = try recording(any())
    var first: [String: Int] = [:]
    for round in 0..<60 {
      try mark(recording, Int.random(in: 0...30, using: &generator))
      if round % 12 == 6 {
        paths.append("c\(round).csv")
        first["c\(round).csv"] = marked + 1
      }
      if round % 9 == 0 { recording.pause() }
      _ = try recording.reload(any())
      if round % 9 == 0 { recording.resume() }
    }
    try mark(recording, 10)
    let account = end(recording)
    XCTAssertEqual(numbers("a.csv"), Array(1...marked), generator.note)
    XCTAssertEqual(numbers("b.csv"), Array(1...marked), generator.note)
    for (path, mark) in first {
      let found = numbers(path)
      // What waited in front of the outputs when it came is in it, too.
      XCTAssertLessThanOrEqual(found.first ?? .max, mark, "\(path), \(generator.note)")
      XCTAssertEqual(found, Array((found.first ?? 0)...marked), "\(path), \(generator.note)")
    }
    XCTAssertEqual(account.received, marked)
    XCTAssertEqual(account.written, marked)
    for output in account.outputs { XCTAssertEqual(output.unwritten + output.dropped, 0, generator.note) }
  }
}
