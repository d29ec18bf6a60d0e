import Foundation
import Sluice
import SluiceReadings
import SluiceRecording
import SluiceStages
import TestFiles
import XCTest

@testable import SluicePipeline

/// Stages and a buffer that only one of several outputs has.
final class OutputStagesTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  /// A replay of readings of one stream, a millisecond apart. Some follow a gap.
  private func replay(_ count: Int, gaps: [Int] = []) -> PipelineInput {
    let readings = (0..<count).map { index in
      Reading(
        time: Int64(index) * 1_000_000, stream: StreamID(0), values: Values(Int64(index)),
        flags: gaps.contains(index) ? .gapBefore : [])
    }
    return .trace(
      Replay(
        streams: [StreamDescription(name: "a", channels: [.init(name: "x")])], trace: ReplayedTrace(hasMetadata: true)
      ) { readings.publisher.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
  }

  private func outputs(_ count: Int) -> [RecordingOutput] {
    (0..<count).map { .csv(folder.file("\($0).csv"), layout: .wide) }
  }

  private func rows(_ output: Int) throws -> [Int] {
    try String(contentsOfFile: folder.file("\(output).csv"), encoding: .utf8).split(separator: "\n").dropFirst()
      .compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
  }

  func testAStageActsOnItsOutputAlone() throws {
    let pipeline = try Pipeline(
      replay(100, gaps: [33]), PipelineStages([EveryStage(2)], ofOutputs: [[], [EveryStage(10)], []]), outputs(3))
    pipeline.start()
    pipeline.wait()
    XCTAssertEqual(try rows(0), Array(stride(from: 0, to: 100, by: 2)))
    XCTAssertEqual(try rows(1), Array(stride(from: 0, to: 100, by: 20)))
    XCTAssertEqual(try rows(2), try rows(0))
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(
      account.streams.map { [$0.received, $0.suppressed, $0.written, $0.unaccounted] }, [[100, 50, 50, 0]])
    XCTAssertEqual(account.outputs.map(\.written), [50, 5, 50])
    XCTAssertEqual(account.lost, 0)
    XCTAssertEqual(
      (0..<3).map { pipeline.streamAccounts(of: $0)[0] }.map {
        [$0.received, $0.suppressed, $0.written, $0.unaccounted]
      },
      [[100, 50, 50, 0], [100, 95, 5, 0], [100, 50, 50, 0]])
    XCTAssertEqual(pipeline.outcome.flagged.map { $0[0].gapBefore.times }, Array(repeating: [33_000_000], count: 3))
  }

  /// Each output has the streams that its stages make.
  func testTheStreamsOfAnOutputAreItsOwn() throws {
    let pipeline = try Pipeline(
      replay(100, gaps: [33]), PipelineStages([], ofOutputs: [[], [ReduceStage(interval: .milliseconds(10))]]),
      outputs(2))
    pipeline.start()
    pipeline.wait()
    XCTAssertEqual(pipeline.outcome.streams.map { $0[0].channels.map(\.name) }[0], ["x"])
    XCTAssertEqual(pipeline.outcome.streams[1][0].channels.map(\.name), ["x_min", "x_mean", "x_max", "x_count"])
    let accounts = (0..<2).map { pipeline.streamAccounts(of: $0)[0] }
    XCTAssertEqual(
      accounts.map { [$0.received, $0.used, $0.made, $0.written] }, [[100, 0, 0, 100], [100, 100, 10, 10]])
    XCTAssertEqual(accounts.map(\.unaccounted), [0, 0])
    // The flags are those of the readings that the stage has made.
    XCTAssertEqual(pipeline.outcome.flagged.map { $0[0].gapBefore.times }, [[33_000_000], [40_000_000]])
    XCTAssertEqual(pipeline.account(seconds: 1).streams[0].written, 100)
    XCTAssertEqual(pipeline.account(seconds: 1).madeBy, ["reduce"])
  }

  /// The only output, and outputs that all have stages.
  func testAllOutputsMayHaveStages() throws {
    for stages in [[[EveryStage(10)]], [[EveryStage(10)], [EveryStage(5)]]] {
      folder = temporaryFolder()
      let pipeline = try Pipeline(replay(100), PipelineStages([], ofOutputs: stages), outputs(stages.count))
      pipeline.start()
      pipeline.wait()
      XCTAssertEqual(try stages.indices.map { try rows($0).count }, [10, 20].prefix(stages.count).map { $0 })
      let account = pipeline.account(seconds: 1)
      let most = stages.count == 1 ? 10 : 20
      XCTAssertEqual(
        account.streams.map { [$0.received, $0.suppressed, $0.written, $0.unaccounted] }, [[100, 100 - most, most, 0]])
    }
  }

  /// A pipe that nobody reads: its own buffer drops, and the other output gets everything.
  func testASlowOutputWithABufferHoldsNobody() throws {
    let pipe = folder.file("pipe")
    XCTAssertEqual(mkfifo(pipe, 0o600), 0)
    // Open for both, so that opening it does not wait. It stays open: the write that is stuck would end the process.
    XCTAssertGreaterThanOrEqual(open(pipe, O_RDWR), 0)
    let subject = PassthroughSubject<Reading, Never>()
    let source = Source(
      streams: [StreamDescription(name: "a", channels: [.init(name: "x")])],
      publisher: { _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    let pipeline = try Pipeline(
      .devices([source]),
      PipelineStages([BufferStage(size: 100_000)], ofOutputs: [[], [BufferStage(size: 10)]]),
      [.csv(folder.file("0.csv"), layout: .wide), .csv(pipe, layout: .wide)], grace: .milliseconds(100))
    pipeline.start()
    let count = 120_000
    for index in 0..<count {
      subject.send(Reading(time: Int64(index), stream: StreamID(0), values: Values(1_000_000_000 + Int64(index))))
    }
    // The pipe and the memory in front of it are full long before.
    let deadline = Date(timeIntervalSinceNow: 60)
    while pipeline.account(seconds: 1).outputs[0].written < count, Date() < deadline {
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.02))
    }
    XCTAssertEqual(pipeline.dropped, 0)
    pipeline.stop()
    pipeline.wait()
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(
      account.streams.map { [$0.received, $0.dropped, $0.written, $0.unaccounted] }, [[count, 0, count, 0]])
    XCTAssertGreaterThan(account.outputs[1].dropped, 10_000)
    XCTAssertEqual(account.outputs[1].written + account.outputs[1].dropped + account.outputs[1].unwritten, count)
    let own = pipeline.streamAccounts(of: 1)[0]
    XCTAssertEqual(own.dropped, account.outputs[1].dropped)
    XCTAssertEqual(own.unaccounted, 0)
    XCTAssertGreaterThan(account.lost, 10_000)
    // The gaps are those of this output alone.
    XCTAssertEqual(pipeline.outcome.flagged[0][0].gapBefore.count, 0)
    XCTAssertEqual(try rows(0).count, count)
    XCTAssertTrue(account.text.contains("its buffer was full"), account.text)
  }

  /// What an output that has ended does not get any more is not written.
  func testAnOutputWhoseReaderHasGoneMissesTheRest() throws {
    signal(SIGPIPE, SIG_IGN)
    let pipe = folder.file("pipe")
    XCTAssertEqual(mkfifo(pipe, 0o600), 0)
    let reader = open(pipe, O_RDONLY | O_NONBLOCK)
    let pipeline = try Pipeline(
      replay(10_000), PipelineStages([], ofOutputs: [[], [EveryStage(1)]]),
      [.csv(folder.file("0.csv"), layout: .wide), .csv(pipe, layout: .wide)])
    close(reader)
    pipeline.start()
    pipeline.wait()
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(try rows(0).count, 10_000)
    XCTAssertEqual(account.outputs.map { $0.written + $0.unwritten }, [10_000, 10_000])
    XCTAssertNotNil(account.outputs[1].ended)
    XCTAssertEqual(account.streams.map { [$0.written, $0.unwritten, $0.unaccounted] }, [[10_000, 0, 0]])
    XCTAssertEqual(account.errors, [])
  }

  func testAPauseAndAStopAreForAll() throws {
    let subject = PassthroughSubject<Reading, Never>()
    let source = Source(
      streams: [StreamDescription(name: "a", channels: [.init(name: "x")])],
      publisher: { _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    let pipeline = try Pipeline(
      .devices([source]), PipelineStages([BufferStage(size: 1_000)], ofOutputs: [[], [EveryStage(2)]]), outputs(2))
    pipeline.start()
    pipeline.pause()
    for index in 0..<600 {
      subject.send(Reading(time: Int64(index), stream: StreamID(0), values: Values(Int64(index))))
    }
    XCTAssertEqual(try rows(0), [])
    pipeline.resume()
    pipeline.stop()
    pipeline.wait()
    XCTAssertEqual(try [0, 1].map { try rows($0).count }, [600, 300])
    XCTAssertEqual(pipeline.account(seconds: 1).unaccounted, 0)
  }
}
