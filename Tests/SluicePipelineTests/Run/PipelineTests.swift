import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluicePipeline

/// Live sources under the test's hand.
final class PipelineTests: XCTestCase {
  private lazy var path = temporaryFolder().file("out.csv")
  private let clock = EpochClock()

  private func source(_ name: String, _ subject: PassthroughSubject<(Int64, Int64), Never>) -> Source {
    Source(
      streams: [StreamDescription(name: name, channels: [StreamDescription.Channel(name: "x")])],
      publisher: { stream, _ in
        subject.map { Reading(time: $0.0, stream: stream, values: Values($0.1)) }
          .setFailureType(to: SluiceError.self).eraseToAnyPublisher()
      })
  }

  private func pipeline(
    _ sources: [Source], buffer: Int = 1_000, _ stages: [any RecordingStage] = [], pauseMode: PauseMode = .hold
  ) throws -> Pipeline {
    let pipeline = try Pipeline(
      .devices(sources), PipelineStages([BufferStage(size: buffer)] + stages),
      [.csv(path, layout: .long)], pauseMode: pauseMode, clock: clock)
    pipeline.start()
    return pipeline
  }

  /// Stream and value of each row.
  private func rows() -> [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { row in
      let cells = row.split(separator: ",")
      return "\(cells[1])\(cells[3])"
    }
  }

  private func waitForRows(_ expected: [String], line: UInt = #line) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while rows() != expected, Date() < deadline { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02)) }
    XCTAssertEqual(rows(), expected, line: line)
  }

  /// What the throttle holds of a line that falls silent is written when the clock has passed its interval.
  func testASilentLineIsWritten() throws {
    let line = PassthroughSubject<(Int64, Int64), Never>()
    let interval = try XCTUnwrap(TimeSpan("50ms"))
    let pipeline = try pipeline([source("a", line)], [ThrottleStage(interval: interval)])
    let now = clock.now
    for value in Int64(0)..<3 { line.send((now + value, value)) }
    waitForRows(["a0", "a2"])
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(pipeline.account(seconds: 1).streams.first?.suppressed, 1)
  }

  func testTheFirstOfAnIntervalIsHeldAsInCombine() throws {
    let line = PassthroughSubject<(Int64, Int64), Never>()
    let interval = try XCTUnwrap(TimeSpan("50ms"))
    let pipeline = try pipeline([source("a", line)], [ThrottleStage(interval: interval, latest: false)])
    let now = clock.now
    for value in Int64(0)..<3 { line.send((now + value, value)) }
    waitForRows(["a0", "a1"])
    pipeline.stop()
    pipeline.wait()
  }

  /// A group by time ends with the clock, too.
  func testAGroupOfASilentLineIsWritten() throws {
    let line = PassthroughSubject<(Int64, Int64), Never>()
    let limit = try XCTUnwrap(CollectLimit("50ms"))
    let pipeline = try pipeline([source("a", line)], [CollectStage(limit)])
    let now = clock.now
    for value in Int64(0)..<3 { line.send((now + value, value)) }
    waitForRows(["a0", "a1", "a2"])
    pipeline.stop()
    pipeline.wait()
  }

  /// What a device loses then would show with its next reading, which nobody waits for.
  func testAPauseToTheEndWithoutABufferIsALossOfAnUnknownNumber() throws {
    for (buffer, resumes) in [(0, false), (0, true), (10, false)] {
      unlink(path)
      let pipeline = try pipeline([source("a", PassthroughSubject())], buffer: buffer)
      pipeline.pause()
      if resumes { pipeline.resume() }
      pipeline.stop()
      pipeline.wait()
      let isBlind = buffer == 0 && !resumes
      XCTAssertEqual(pipeline.losses.map(\.isUncounted), isBlind ? [true] : [])
      XCTAssertEqual(pipeline.losses.map(\.streams), isBlind ? [["a"]] : [])
      XCTAssertEqual(
        pipeline.account(seconds: 1).text.contains("unknown losses in a pause at the end, without a buffer from "),
        isBlind)
    }
  }

  /// Each source comes in order, but one is read later than the other.
  func testSourcesAreMergedInTheOrderOfTheirTimes() throws {
    let (left, right) = (PassthroughSubject<(Int64, Int64), Never>(), PassthroughSubject<(Int64, Int64), Never>())
    let pipeline = try pipeline([source("l", left), source("r", right)])
    let now = clock.now
    for value in [1, 3, 5] as [Int64] { left.send((now + value, value)) }
    for value in [2, 4, 6] as [Int64] { right.send((now + value, value)) }
    waitForRows(["l1", "r2", "l3", "r4", "l5", "r6"])
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(pipeline.outcome.flagged[0].map(\.late.count), [0, 0])
  }

  func testWhatIsLateIsWrittenAndFlagged() throws {
    let (left, right) = (PassthroughSubject<(Int64, Int64), Never>(), PassthroughSubject<(Int64, Int64), Never>())
    let pipeline = try pipeline([source("l", left), source("r", right)])
    let now = clock.now
    left.send((now, 1))
    // The clock lets it go, though the other source has shown nothing.
    waitForRows(["l1"])
    right.send((now - 1, 2))
    waitForRows(["l1", "r2"])
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(pipeline.outcome.flagged[0].map(\.late.times), [[], [now - 1]])
  }

  /// The first reading after those that a full buffer dropped follows a gap.
  func testADropIsAGap() throws {
    let line = PassthroughSubject<(Int64, Int64), Never>()
    let pipeline = try pipeline([source("a", line)], buffer: 2)
    pipeline.pause()
    let now = clock.now
    for value in Int64(0)..<10 { line.send((now + value, value)) }
    XCTAssertEqual(rows(), [])
    pipeline.resume()
    // Two that the file had asked for, and the last two of the buffer.
    waitForRows(["a0", "a1", "a8", "a9"])
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(pipeline.account(seconds: 1).streams.first?.dropped, 6)
    XCTAssertEqual(pipeline.outcome.flagged[0].first?.gapBefore.times, [now + 8])
    XCTAssertEqual(pipeline.outcome.pauses.count, 1)
    XCTAssertNotNil(pipeline.outcome.pauses.first?.to)
  }

  func testADiscardIsAGap() throws {
    let line = PassthroughSubject<(Int64, Int64), Never>()
    let pipeline = try pipeline([source("a", line)], pauseMode: .discard)
    let now = clock.now
    line.send((now, 0))
    pipeline.pause()
    line.send((now + 1, 1))
    pipeline.resume()
    let deadline = Date(timeIntervalSinceNow: 60)
    var value: Int64 = 2
    while pipeline.account(seconds: 1).streams.first?.written != 2, Date() < deadline {
      line.send((now + value, value))
      value += 1
    }
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(pipeline.outcome.flagged[0].first?.gapBefore.count, 1)
  }
}
