import Foundation
import Sluice
import SluiceReadings
import TestDisk
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

/// An output whose disk takes nothing for a while.
final class AwayDiskTests: XCTestCase {
  private let disk = ModelDisk(seed: 1)
  private let queues = VirtualQueues()
  private let subject = PassthroughSubject<Reading, Never>()
  private let said = Locked<[String]>([])
  private var messages: AnyCancellable?
  private var sent: Int64 = 0

  private func pipeline(_ outputs: [RecordingOutput], buffer: Int, sync: SyncPolicy = .standard) throws -> Pipeline {
    let source = Source(
      streams: [StreamDescription(name: "s", channels: [StreamDescription.Channel(name: "x")])],
      publisher: { [subject] _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    let events = RecordingEvents()
    messages = events.publisher.sink { [said] event in
      if event.kind.level == .warning, let text = event.kind.text { said.withLock { $0.append(text) } }
    }
    let pipeline = try Pipeline(
      .devices([source]), [BufferStage(size: buffer)], outputs, disk: Disk(files: disk, sync: sync),
      makeQueue: { [queues] _ in queues.queue }, events: events)
    pipeline.start()
    return pipeline
  }

  /// A millisecond of time for each.
  private func send(_ count: Int) {
    for _ in 0..<count {
      sent += 1
      subject.send(Reading(time: sent * 1_000_000, stream: StreamID(0), values: Values(sent)))
      if sent % 100 == 0 { queues.run(for: 100_000_000) }
    }
  }

  private func rows(_ path: String) -> [Int64] {
    (disk.text(path) ?? "").split(separator: "\n").dropFirst().compactMap { row in
      row.split(separator: ",").last.flatMap { Int64($0) }
    }
  }

  private func end(_ pipeline: Pipeline) -> Account {
    pipeline.stop()
    queues.run(for: 60_000_000_000)
    pipeline.wait()
    return pipeline.account(seconds: 1)
  }

  /// It is said once, and then each minute; nothing is lost, none is written twice.
  func testNothingIsLost() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 1_000_000)
    send(1_000)
    disk.fault = { call, _ in call == "write" ? .error(ENOSPC) : nil }
    send(150_000)
    XCTAssertEqual(said.withLock { $0.count }, 3, "\(said.withLock { $0 })")
    XCTAssertTrue(said.withLock { $0[0] }.contains("no space left on device"), "\(said.withLock { $0 })")
    XCTAssertTrue(said.withLock { $0[1] }.contains(" s now"), "\(said.withLock { $0 })")
    disk.fault = { _, _ in nil }
    send(10_000)
    let account = end(pipeline)
    XCTAssertTrue(said.withLock { $0.last ?? "" }.contains("it has lost nothing"), "\(said.withLock { $0 })")
    XCTAssertEqual(rows("d/a.csv"), Array(1...sent))
    XCTAssertEqual(
      [account.received, account.written, account.dropped, account.unaccounted], [Int(sent), Int(sent), 0, 0])
    XCTAssertEqual(account.outputs[0].streams[0].synced, Int(sent))
    XCTAssertGreaterThan(account.peakHeld, 50_000)
    XCTAssertEqual(account.errors, [])
  }

  /// Space that comes in small pieces.
  func testADiskThatComesAndGoesIsToldOfOncePerMinute() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 1_000_000)
    disk.fault = { call, _ in call == "write" ? .shortError(ENOSPC) : nil }
    send(150_000)
    XCTAssertLessThanOrEqual(said.withLock { $0.filter { $0.contains("tried again") }.count }, 4)
    XCTAssertLessThanOrEqual(said.withLock { $0.filter { $0.contains("written again") }.count }, 4)
    disk.fault = { _, _ in nil }
    let account = end(pipeline)
    XCTAssertEqual(rows("d/a.csv"), Array(1...sent))
    XCTAssertEqual([account.written, account.dropped, account.unaccounted], [Int(sent), 0, 0])
  }

  /// It was said that nothing was lost: that it is away again is said too, once it lasts.
  func testASecondTimeWithinTheMinuteIsToldOf() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 1_000_000)
    for count in [1, 3] {
      disk.fault = { call, _ in call == "write" ? .error(ENOSPC) : nil }
      send(12_000)
      XCTAssertEqual(said.withLock { $0.count }, count, "\(said.withLock { $0 })")
      disk.fault = { _, _ in nil }
      send(12_000)
      XCTAssertEqual(said.withLock { $0.count }, count + 1, "\(said.withLock { $0 })")
    }
    _ = end(pipeline)
  }

  /// Beyond what may wait the buffer drops, and the account says when.
  func testTheBufferDecidesWhatIsDropped() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 1_000)
    disk.fault = { call, _ in call == "write" ? .error(EIO) : nil }
    send(100_000)
    disk.fault = { _, _ in nil }
    let account = end(pipeline)
    let rows = rows("d/a.csv")
    XCTAssertEqual(account.received, Int(sent))
    XCTAssertEqual(account.written, rows.count)
    XCTAssertEqual(account.dropped, Int(sent) - rows.count)
    XCTAssertGreaterThan(account.dropped, 10_000)
    let missing = Set(1...sent).subtracting(rows)
    XCTAssertEqual(account.streams[0].firstDropped, missing.min().map { $0 * 1_000_000 })
    XCTAssertEqual(account.streams[0].lastDropped, missing.max().map { $0 * 1_000_000 })
    XCTAssertEqual(rows, rows.sorted())
    XCTAssertTrue(account.text.contains("dropped (buffer full) from 1970-01-01T00:00:"), account.text)
  }

  /// The others get everything meanwhile; what one drops is its own.
  func testTheOthersGoOn() throws {
    let pipeline = try pipeline(
      [.csv("d/a.csv", layout: .wide), .csv("d/b.csv", layout: .wide)], buffer: 1_000)
    disk.fault = { call, path in call == "write" && path == "d/a.csv" ? .error(EROFS) : nil }
    send(100_000)
    disk.fault = { _, _ in nil }
    queues.run(for: 60_000_000_000)
    send(10_000)
    let account = end(pipeline)
    XCTAssertEqual(rows("d/b.csv"), Array(1...sent))
    let rows = rows("d/a.csv")
    let dropped = account.outputs[0].streams[0].dropped
    XCTAssertGreaterThan(dropped, 10_000)
    XCTAssertEqual(rows.count + dropped, Int(sent))
    XCTAssertEqual(account.outputs[0].streams[0].written, rows.count)
    XCTAssertEqual(account.outputs[1].streams[0].dropped, 0)
    let missing = Set(1...sent).subtracting(rows)
    XCTAssertEqual(account.outputs[0].firstDropped, missing.min().map { $0 * 1_000_000 })
    XCTAssertEqual(account.outputs[0].lastDropped, missing.max().map { $0 * 1_000_000 })
    XCTAssertEqual([account.dropped, account.unaccounted, account.lost], [0, 0, dropped])
    XCTAssertTrue(rows.suffix(10_000).elementsEqual(sent - 9_999...sent), "it takes all again")
  }

  /// Two on one full disk: the one that was away first takes readings again, so that the buffer keeps them.
  func testWhoDropsForTheSakeOfOthersStopsOnceTheyAreAway() throws {
    let pipeline = try pipeline(
      [.csv("d/a.csv", layout: .wide), .csv("d/b.csv", layout: .wide)], buffer: 1_000_000)
    disk.fault = { call, path in call == "write" && path == "d/a.csv" ? .error(ENOSPC) : nil }
    send(100_000)
    disk.fault = { call, _ in call == "write" ? .error(ENOSPC) : nil }
    send(1_000)
    let before = pipeline.account(seconds: 1).outputs[0].streams[0].dropped
    send(200_000)
    disk.fault = { _, _ in nil }
    let account = end(pipeline)
    XCTAssertGreaterThan(before, 10_000)
    XCTAssertLessThan(account.outputs[0].streams[0].dropped - before, 1_000)
    XCTAssertEqual(rows("d/b.csv"), Array(1...sent))
    XCTAssertEqual(rows("d/a.csv").count + account.outputs[0].streams[0].dropped, Int(sent))
    XCTAssertEqual([account.dropped, account.unaccounted], [0, 0])
  }

  /// Each outage is told of with its own drops.
  func testDropsOfTheBufferAreToldWhenTheDiskIsBack() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 100)
    disk.fault = { call, _ in call == "write" ? .error(ENOSPC) : nil }
    send(100_000)
    disk.fault = { _, _ in nil }
    queues.run(for: 120_000_000_000)
    let dropped = pipeline.account(seconds: 1).dropped
    XCTAssertTrue(
      said.withLock { $0.last ?? "" }.hasSuffix("; \(grouped(dropped)) readings were dropped"),
      "\(said.withLock { $0 })")
    send(100)
    disk.fault = { call, _ in call == "write" ? .error(ENOSPC) : nil }
    send(100)
    queues.run(for: 1_000_000_000)
    disk.fault = { _, _ in nil }
    _ = end(pipeline)
    XCTAssertTrue(said.withLock { $0.last ?? "" }.hasSuffix("it has lost nothing"), "\(said.withLock { $0 })")
  }

  /// After a failed sync nothing more counts as synced: the kernel takes what it lost for written.
  func testAFailedSyncIsAnError() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 1_000)
    send(1_000)
    queues.run(for: 2_000_000_000)
    disk.fault = { call, _ in call == "sync" ? .error(EIO) : nil }
    send(1_000)
    queues.run(for: 2_000_000_000)
    disk.fault = { _, _ in nil }
    send(1_000)
    let account = end(pipeline)
    XCTAssertEqual(rows("d/a.csv"), Array(1...sent))
    XCTAssertEqual(account.outputs[0].streams[0].synced, 1_000)
    XCTAssertEqual(account.errors.count, 1, "\(account.errors)")
    XCTAssertTrue(account.errors[0].contains("cannot sync d/a.csv: input/output error"), "\(account.errors)")
  }

  /// A disk that stays away: what waits for it is left after the grace, and counted.
  func testADiskThatStaysAwayIsGivenUp() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 1_000)
    send(500)
    queues.run(for: 1_000_000_000)
    disk.fault = { call, _ in call == "write" ? .error(ENOSPC) : nil }
    send(300)
    queues.run(for: 1_000_000_000)
    pipeline.stopAtOnce()
    queues.run(for: 60_000_000_000)
    pipeline.wait()
    let account = pipeline.account(seconds: 1)
    XCTAssertEqual(rows("d/a.csv"), Array(1...500))
    XCTAssertEqual([account.received, account.written, account.unwritten, account.unaccounted], [800, 500, 300, 0])
    XCTAssertEqual(account.errors.count, 1, "\(account.errors)")
  }

  func testErrorsOfCloseAreErrors() throws {
    let pipeline = try pipeline([.csv("d/a.csv", layout: .wide)], buffer: 1_000)
    send(10)
    queues.run(for: 1_000_000_000)
    disk.fault = { call, _ in call == "close" ? .error(EDQUOT) : nil }
    let account = end(pipeline)
    XCTAssertEqual(account.errors.count, 1, "\(account.errors)")
    XCTAssertTrue(account.errors[0].contains("disk quota exceeded"), "\(account.errors)")
  }
}
