import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import TestFiles
import XCTest

@testable import SluicePipeline

/// Stages that only one of several sources has.
final class SourceStagesTests: XCTestCase {
  private typealias Sent = PassthroughSubject<(stream: Int, time: Int64, value: Int64), Never>

  private lazy var path = temporaryFolder().file("out.csv")
  private let clock = EpochClock()

  private func source(_ names: [String], _ subject: Sent) -> Source {
    Source(
      streams: names.map { StreamDescription(name: $0, channels: [.init(name: "x", format: "level")]) },
      publisher: { first, _ in
        subject.map { reading in
          Reading(
            time: reading.time, stream: StreamID(first.index + UInt16(reading.stream)), values: Values(reading.value))
        }
        .setFailureType(to: SluiceError.self).eraseToAnyPublisher()
      })
  }

  private func pipeline(_ sources: [Source], _ stages: PipelineStages) throws -> Pipeline {
    let pipeline = try Pipeline(.devices(sources), stages, [.csv(path, layout: .long)], clock: clock)
    pipeline.start()
    return pipeline
  }

  /// Stream and last value of each row.
  private func rows() throws -> [String] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map { row in
      let cells = row.split(separator: ",")
      return "\(cells[1])\(cells[3])"
    }
  }

  private func counts(_ pipeline: Pipeline) -> [[Int]] {
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(account.unaccounted, 0)
    return account.streams.map { [$0.received, $0.suppressed, $0.used, $0.made, $0.written, $0.late] }
  }

  func testAStageActsOnItsSourceAlone() throws {
    let (left, right) = (Sent(), Sent())
    let pipeline = try pipeline(
      [source(["l"], left), source(["r"], right)],
      PipelineStages([BufferStage(size: 1_000)], ofSources: [.init(1..<2, [EveryStage(3)])]))
    let now = clock.now
    for value in Int64(0)..<6 {
      left.send((0, now + 2 * value, value))
      right.send((0, now + 2 * value + 1, value))
    }
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(try rows(), ["l0", "r0", "l1", "l2", "l3", "r3", "l4", "l5"])
    XCTAssertEqual(counts(pipeline), [[6, 0, 0, 0, 6, 0], [6, 4, 0, 0, 2, 0]])
    XCTAssertEqual(pipeline.account(seconds: 1).leftOutBy, ["every"])
  }

  /// What a throttle has held back is older than what has been written, and not late.
  func testWhatAStageHeldIsNotLate() throws {
    let (left, right) = (Sent(), Sent())
    let pipeline = try pipeline(
      [source(["l"], left), source(["r"], right)],
      PipelineStages(
        [BufferStage(size: 1_000)], ofSources: [.init(0..<1, [ThrottleStage(interval: .milliseconds(50))])]))
    let now = clock.now
    for value in Int64(0)..<3 {
      left.send((0, now + value, value))
      right.send((0, now + value, value))
    }
    // A silent source: the clock ends the interval.
    let deadline = Date(timeIntervalSinceNow: 60)
    while try rows().count < 5, Date() < deadline {
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
    }
    XCTAssertEqual(Set(try rows()), ["l0", "l2", "r0", "r1", "r2"])
    right.send((0, now - 1, 9))
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(counts(pipeline), [[3, 1, 0, 0, 2, 0], [4, 0, 0, 0, 4, 1]])
  }

  /// A decoder of two lines of a source whose streams are not the first ones, before a stage of all.
  func testAStageOfSeveralStreamsSeesThoseOfItsSource() throws {
    let (other, lines) = (Sent(), Sent())
    let pipeline = try pipeline(
      [source(["other"], other), source(["a", "b"], lines)],
      PipelineStages(
        [BufferStage(size: 1_000), DedupeStage()],
        ofSources: [.init(1..<2, [QuadratureStage("a", "b", stream: "wheel")])]))
    XCTAssertEqual(pipeline.streams.map(\.name), ["other", "wheel", "b"])
    let now = clock.now
    for (step, edge) in [(0, 1), (1, 1), (0, 0), (1, 0)].enumerated() {
      lines.send((edge.0, now + Int64(step), Int64(edge.1)))
    }
    other.send((0, now, 1))
    pipeline.stop()
    pipeline.wait()
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(account.unaccounted, 0)
    XCTAssertEqual(account.streams.map(\.received), [1, 2, 2])
    XCTAssertEqual(account.streams.map(\.made), [0, 3, 0])
    XCTAssertEqual(account.streams.map(\.written), [1, 3, 0])
    XCTAssertEqual(account.madeBy, ["quadrature"])
  }

  func testStagesMayNotGiveTwoStreamsOneName() throws {
    XCTAssertThrowsError(
      try pipeline(
        [source(["wheel"], Sent()), source(["a", "b"], Sent())],
        PipelineStages([], ofSources: [.init(1..<2, [QuadratureStage("a", "b", stream: "wheel")])]))
    ) { error in
      XCTAssertEqual("\(error)".contains("two streams called \"wheel\""), true, "\(error)")
    }
  }

  /// The names of another source are not known to a stage.
  func testAStageDoesNotSeeOtherSources() throws {
    XCTAssertThrowsError(
      try pipeline(
        [source(["l"], Sent()), source(["r"], Sent())],
        PipelineStages([], ofSources: [.init(0..<1, [SelectStage(["r"])])])))
  }
}
