import Sluice
import SluiceReadings
import SluiceSystem
import SluiceTesting
import TestDisk
import XCTest

@testable import SluiceRecording

/// What is written and synced when somebody asks for it.
final class FlushTests: XCTestCase {
  private let level = StreamDescription(name: "level", channels: [StreamDescription.Channel(name: "x")])
  private let disk = ModelDisk(seed: 1)
  private let queues = VirtualQueues()
  private let answer = Locked<[RecordingSink.Flushed]?>(nil)

  private func sink(
    _ outputs: [RecordingOutput], streams: [StreamDescription]? = nil, sync: SyncPolicy = .standard,
    pauseMode: PauseMode = .hold
  ) throws -> RecordingSink {
    try RecordingSink(
      outputs, streams: streams ?? [level], pauseMode: pauseMode, ahead: 1_000,
      claims: OutputClaims(disk: Disk(files: disk, sync: sync)), waitsForDisk: true,
      makeQueue: { [queues] _ in queues.queue }
    ) { _ in }
  }

  private func send(_ times: Range<Int>, to sink: RecordingSink, stream: Int = 0) {
    for time in times {
      _ = sink.receive(Reading(time: Int64(time), stream: StreamID(UInt16(stream)), values: Values(Int64(time))))
    }
  }

  private func flush(_ sink: RecordingSink) throws -> [RecordingSink.Flushed] {
    answer.withLock { $0 = nil }
    sink.flush { [answer] flushed in answer.withLock { $0 = flushed } }
    queues.run(for: 0)
    return try XCTUnwrap(answer.withLock { $0 })
  }

  private func rows(_ path: String) -> Int { (disk.text(path) ?? "").split(separator: "\n").count - 1 }

  func testEverythingIsSyncedWhenTheAnswerComes() throws {
    for sync in [SyncPolicy.standard, .batch, .never] {
      let name = "\(sync).csv"
      let sink = try sink([.csv(name, layout: .long)], sync: sync)
      send(0..<10, to: sink)
      XCTAssertEqual(try flush(sink), [.written])
      XCTAssertEqual(rows(name), 10)
      XCTAssertEqual(sink.standing.shares[0].counts[0].synced, 10, name)
      // Nothing new is no fault.
      XCTAssertEqual(try flush(sink), [.written])
      send(10..<20, to: sink)
      XCTAssertEqual(try flush(sink), [.written])
      XCTAssertEqual(sink.standing.shares[0].counts[0].synced, 20, name)
    }
  }

  func testAnOpenRowIsWritten() throws {
    let channel = StreamDescription.Channel(name: "x")
    let streams = ["a", "b"].map { StreamDescription(name: $0, channels: [channel], device: .init(path: "/dev/d")) }
    let sink = try sink([.csv("wide.csv", layout: .wide)], streams: streams)
    send(0..<2, to: sink)
    send(1..<2, to: sink, stream: 1)
    send(2..<3, to: sink)
    XCTAssertEqual(try flush(sink), [.written])
    XCTAssertEqual(rows("wide.csv"), 3)
  }

  func testAPauseHoldsWhatItHolds() throws {
    let sink = try sink([.csv("a.csv", layout: .long)])
    send(0..<5, to: sink)
    sink.pause()
    send(5..<9, to: sink)
    XCTAssertEqual(try flush(sink), [.written])
    XCTAssertEqual(rows("a.csv"), 5)
    sink.resume()
    XCTAssertEqual(try flush(sink), [.written])
    XCTAssertEqual(rows("a.csv"), 9)
  }

  func testADiskThatIsAwaySaysSo() throws {
    let sink = try sink([.csv("a.csv", layout: .long), .csv("b.csv", layout: .long)])
    disk.fault = { call, path in call == "write" && path == "a.csv" ? .error(ENOSPC) : nil }
    send(0..<5, to: sink)
    XCTAssertEqual(try flush(sink), [.away, .written])
    XCTAssertEqual(rows("b.csv"), 5)
    disk.fault = { _, _ in nil }
    queues.run(for: 10_000_000_000)
    XCTAssertEqual(try flush(sink), [.written, .written])
    XCTAssertEqual(rows("a.csv"), 5)
  }

  func testASyncThatFailsIsNotSafeFromThenOn() throws {
    let sink = try sink([.csv("a.csv", layout: .long)], sync: .never)
    send(0..<5, to: sink)
    disk.fault = { call, _ in call == "sync" ? .error(EIO) : nil }
    guard case .failed(let error)? = try flush(sink).first else { return XCTFail("the sync has failed") }
    XCTAssertEqual(error.errno, EIO)
    disk.fault = { _, _ in nil }
    guard case .failed(let later)? = try flush(sink).first else { return XCTFail("a sync had failed") }
    XCTAssertEqual(later.cause, "an earlier sync has failed")
  }

  func testAnOutputThatHasEndedSaysSo() throws {
    let sink = try sink([.csv("a.csv", layout: .long), .csv("b.csv", layout: .long)])
    disk.fault = { call, path in call == "write" && path == "a.csv" ? .error(EINVAL) : nil }
    send(0..<5, to: sink)
    XCTAssertEqual(try flush(sink), [.ended, .written])
  }

  /// Readings that are behind a write that is tried again are written before the answer of a later flush.
  func testALongQueueIsWrittenFirst() throws {
    let sink = try sink([.csv("a.csv", layout: .long)])
    for begin in stride(from: 0, to: 20_000, by: 500) { send(begin..<begin + 500, to: sink) }
    XCTAssertEqual(try flush(sink), [.written])
    XCTAssertEqual(rows("a.csv"), 20_000)
    XCTAssertEqual(sink.standing.shares[0].counts[0].synced, 20_000)
  }
}
