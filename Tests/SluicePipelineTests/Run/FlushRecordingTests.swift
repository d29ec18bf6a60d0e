import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluicePipeline

final class FlushRecordingTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func report(_ recording: Recording) -> Recording.FlushReport? {
    let done = DispatchSemaphore(value: 0)
    let report = Locked(Recording.FlushReport?.none)
    recording.flush { answer in
      report.withLock { $0 = answer }
      done.signal()
    }
    XCTAssertEqual(done.wait(timeout: .now() + 60), .success)
    return report.withLock { $0 }
  }

  private func rows(_ name: String) -> [String] { (folder.text(name) ?? "").split(separator: "\n").map(String.init) }

  /// Marks are readings whose number the test knows.
  private func recording(_ stages: [StagePlan], sources: String...) throws -> Recording {
    try Recording(
      RecordingPlan(
        sources: try sources.map { try SourceSpec($0) } + [SourceSpec("marks:number")], stages: stages,
        outputs: [OutputPlan("\(folder)/a.csv", layout: .long)]))
  }

  func testWhatWasReceivedIsThere() throws {
    let recording = try recording([.buffer()], sources: "timer:1ms")
    recording.start()
    for number in 1...8 {
      try recording.mark("\(number)")
      let report = try XCTUnwrap(report(recording))
      XCTAssertEqual(report.held, 0)
      XCTAssertEqual(report.outputs.map(\.flushed), [.written])
      XCTAssertEqual(rows("a.csv").filter { $0.contains(",marks,") }.count, number)
    }
    recording.stop()
    let account = recording.wait()
    XCTAssertEqual(account.unaccounted, 0)
  }

  func testAPauseAndAStageKeepWhatTheyKeep() throws {
    let recording = try recording([.buffer(), .collect(10, orFor: .seconds(3_600))])
    recording.start()
    for number in 1...13 { try recording.mark("\(number)") }
    XCTAssertEqual(report(recording)?.held, 3, "a group is not full")
    XCTAssertEqual(rows("a.csv").count, 11)
    recording.pause()
    for number in 14...25 { try recording.mark("\(number)") }
    XCTAssertEqual(report(recording)?.held, 15)
    XCTAssertEqual(rows("a.csv").count, 11)
    recording.resume()
    recording.stop()
    XCTAssertEqual(recording.wait().written, 25)
  }
}
