import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import SluiceSystem
import TestFiles
import XCTest

@testable import SluicePipeline

final class MarkTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func plan(_ outputs: OutputPlan..., count: Int = 40) throws -> RecordingPlan {
    var plan = RecordingPlan(sources: [try SourceSpec("sim:meter@500,seed=1")], outputs: outputs)
    plan.limits.count = count
    return plan
  }

  private func marks(_ path: String) throws -> [Mark]? { try MetadataFile(beside: path).read()?.marks }

  /// The deadline is for a broken recording, not a measure.
  private func waitUntil(_ what: String, _ condition: () throws -> Bool) rethrows {
    let deadline = Date(timeIntervalSinceNow: 60)
    while try !condition() {
      guard Date() < deadline else { return XCTFail("\(what) has not happened") }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    }
  }

  func testMarksAreEventsAndInTheMetadataOfEveryOutput() throws {
    let recording = try Recording(plan(OutputPlan("\(folder)/a.csv"), OutputPlan("\(folder)/b.jsonl")))
    let events = Locked<[RecordingEvent]>([])
    let watching = recording.events.sink { event in events.withLock { $0.append(event) } }
    defer { watching.cancel() }
    try recording.mark("before the start")
    recording.start()
    try recording.mark("door \"open\"\n")
    recording.wait()
    let kept = try XCTUnwrap(try marks("\(folder)/a.csv"))
    XCTAssertEqual(kept.map(\.text), ["before the start", "door \"open\"\n"])
    XCTAssertEqual(try marks("\(folder)/b.jsonl"), kept)
    let told = events.withLock { $0 }.filter { if case .marked = $0.kind { true } else { false } }
    XCTAssertEqual(told.map { Mark(time: $0.time, text: "\($0.kind)") }.map(\.time), kept.map(\.time))
    XCTAssertEqual(told.map(\.kind), kept.map { .marked($0.text) })
  }

  func testAMarkIsInTheMetadataWhileTheRecordingRuns() throws {
    var plan = try plan(OutputPlan("\(folder)/a.csv"), OutputPlan("\(folder)/p.csv", rotation: Rotation(size: 4_000)))
    plan.limits.count = nil
    let recording = try Recording(plan)
    try recording.mark("early")
    recording.start()
    try recording.mark("door")
    try waitUntil("the write of the marks") { try marks("\(folder)/a.csv")?.map(\.text) == ["early", "door"] }
    XCTAssertEqual(try MetadataFile(beside: "\(folder)/a.csv").read()?.state, .unfinished)
    recording.stop()
    recording.wait()
    XCTAssertEqual(try marks("\(folder)/a.csv")?.map(\.text), ["early", "door"])
  }

  /// Who is told that a mark is kept can kill the recording then.
  func testAMarkIsAnsweredWhenItIsInTheMetadata() throws {
    var plan = try plan(OutputPlan("\(folder)/a.csv"))
    plan.limits.count = nil
    let recording = try Recording(plan)
    recording.start()
    for number in 0..<20 {
      let kept = Locked<(isWritten: Bool, marks: [String])?>(nil)
      try recording.mark("\(number)") { [folder] isWritten in
        let marks = try? MetadataFile(beside: "\(folder)/a.csv").read()?.marks
        kept.withLock { $0 = (isWritten, marks?.map(\.text) ?? []) }
      }
      waitUntil("the answer") { kept.withLock { $0 != nil } }
      let answer = try XCTUnwrap(kept.withLock { $0 })
      XCTAssertTrue(answer.isWritten)
      XCTAssertEqual(answer.marks, (0...number).map { "\($0)" })
    }
    recording.stop()
    recording.wait()
  }

  /// The parts of a recording have each mark once.
  func testEachMarkIsInOnePart() throws {
    let path = "\(folder)/p.csv"
    let recording = try Recording(plan(OutputPlan(path, rotation: Rotation(size: 200)), count: 60))
    recording.start()
    try recording.mark("a")
    try recording.mark("b")
    recording.wait()
    let reader = try TraceReader(path: path)
    XCTAssertEqual(reader.metadata?.marks?.map(\.text), ["a", "b"])
    XCTAssertGreaterThan(reader.inputs.count, 3)
  }

  func testRunsOfOneFileKeepTheirMarks() throws {
    for (run, existing) in [ExistingFile.refuse, .append].enumerated() {
      let recording = try Recording(plan(OutputPlan("\(folder)/a.csv", existing: existing)))
      try recording.mark("run \(run)")
      recording.start()
      recording.wait()
    }
    let reader = try TraceReader(path: "\(folder)/a.csv")
    XCTAssertEqual(reader.metadata?.marks?.map(\.text).sorted(), ["run 0", "run 1"])
  }

  func testAReplayKeepsTheMarksOfItsTrace() throws {
    let recording = try Recording(plan(OutputPlan("\(folder)/a.csv")))
    try recording.mark("door")
    recording.start()
    recording.wait()
    let replay = try Recording(
      RecordingPlan(replay: ReplayPlan("\(folder)/a.csv"), outputs: [OutputPlan("\(folder)/b.jsonl")]))
    XCTAssertThrowsError(try replay.mark("x")) { error in
      XCTAssertEqual(
        "\(error)",
        "cannot mark the recording: it is a replay, whose times are those of its trace; mark a recording")
    }
    replay.start()
    replay.wait()
    XCTAssertEqual(try marks("\(folder)/b.jsonl"), try marks("\(folder)/a.csv"))
  }

  func testMarksThatAreRefused() throws {
    let recording = try Recording(plan(OutputPlan("\(folder)/a.csv")))
    func refusal(_ text: String) -> String? {
      do {
        try recording.mark(text)
        return nil
      } catch {
        return "\(error)"
      }
    }
    XCTAssertEqual(refusal(""), "cannot mark the recording: the mark has no text; give it a text")
    XCTAssertNil(refusal(String(repeating: "x", count: 1_024)))
    XCTAssertEqual(
      refusal(String(repeating: "é", count: 513)),
      "cannot mark the recording: the text of the mark has 1,026 bytes; give it at most 1,024")
    for _ in 1..<Mark.limit { try recording.mark("x") }
    XCTAssertEqual(
      refusal("x"), "cannot mark the recording: it has 10,000 marks already, and keeps no more")
    recording.start()
    recording.wait()
    XCTAssertEqual(
      refusal("x"), "cannot mark the recording: it has ended; mark it while it runs")
  }
}
