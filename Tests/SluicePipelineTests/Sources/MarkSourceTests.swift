import Sluice
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluicePipeline

/// Marks as readings.
final class MarkSourceTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func plan(_ path: String) throws -> RecordingPlan {
    RecordingPlan(
      sources: [try SourceSpec("marks:number")], stages: [.buffer()], outputs: [OutputPlan(folder.file(path))])
  }

  private func rows(_ name: String) -> [String] {
    (folder.text(name) ?? "").split(separator: "\n").dropFirst().map(String.init)
  }

  func testEachMarkHasARowWithItsTimeAndItsNumber() throws {
    let recording = try Recording(plan("a.csv"))
    try recording.mark("before the start")
    recording.start()
    for number in 2...200 { try recording.mark("mark \(number)") }
    // Those of the last moment are there, too.
    recording.stop()
    let account = recording.wait()
    XCTAssertEqual(account.received, 200)
    XCTAssertEqual(account.unaccounted, 0)
    XCTAssertEqual(account.lostHere, 0)
    let marks = try XCTUnwrap(MetadataFile(beside: folder.file("a.csv")).read()?.marks)
    XCTAssertEqual(rows("a.csv"), marks.enumerated().map { "\($1.time),\($0 + 1)" })
    XCTAssertEqual(marks.map(\.time), marks.map(\.time).sorted())
  }

  func testTheyAreThereAfterAReplay() throws {
    let recording = try Recording(plan("a.csv"))
    recording.start()
    for text in ["door", "window"] { try recording.mark(text) }
    recording.stop()
    recording.wait()
    var replay = RecordingPlan(
      replay: ReplayPlan(folder.file("a.csv")), outputs: [OutputPlan(folder.file("b.csv"))])
    replay.sync = .never
    try Recording(replay).run()
    XCTAssertEqual(rows("b.csv"), rows("a.csv"))
    XCTAssertEqual(rows("b.csv").count, 2)
    XCTAssertEqual(try MetadataFile(beside: folder.file("b.csv")).read()?.marks?.map(\.text), ["door", "window"])
  }

  /// A pause holds their readings, and not the marks.
  func testInAPause() throws {
    let recording = try Recording(plan("a.csv"))
    recording.start()
    recording.pause()
    for number in 1...1_000 { try recording.mark("\(number)") }
    recording.resume()
    recording.stop()
    XCTAssertEqual(recording.wait().written, 1_000)
  }

  func testManyThreadsMarkInOneOrder() throws {
    let recording = try Recording(plan("a.csv"))
    recording.start()
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<50 { try? recording.mark("m") }
    }
    recording.stop()
    recording.wait()
    let marks = try XCTUnwrap(MetadataFile(beside: folder.file("a.csv")).read()?.marks)
    XCTAssertEqual(marks.count, 400)
    XCTAssertEqual(Set(rows("a.csv")), Set(marks.enumerated().map { "\($1.time),\($0 + 1)" }))
  }

  func testAnotherWordIsRefused() {
    XCTAssertNil(MarkSource("text"))
    XCTAssertThrowsError(try SourceSpec("marks:"))
  }
}

extension Recording {
  fileprivate func run() {
    start()
    wait()
  }
}
