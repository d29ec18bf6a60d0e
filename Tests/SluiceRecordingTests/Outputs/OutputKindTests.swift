import Sluice
import SluiceReadings
import SluiceTesting
import TestDisk
import XCTest

@testable import SluiceRecording

/// An output that is no file: its server answers late, goes away, and refuses.
final class OutputKindTests: XCTestCase {
  private let level = StreamDescription(name: "level", channels: [StreamDescription.Channel(name: "x")])
  private let disk = ModelDisk(seed: 1)
  private let queues = VirtualQueues()
  private let server = ModelServer()
  private let events = Locked<[String]>([])
  private var sent: Int64 = 0

  private func output(capacity: Int = 100) -> RecordingOutput {
    RecordingOutput(
      ServerOutput(server, capacity: capacity * ServerStore.byteCount), format: JSONLinesFormat())
  }

  private func sink(_ outputs: [RecordingOutput]) throws -> RecordingSink {
    let ended = Locked<SluiceError??>(nil)
    self.ended = ended
    return try RecordingSink(
      outputs, streams: [level], ahead: 10, claims: OutputClaims(disk: Disk(files: disk)),
      outputChanged: { [events] number, event in
        let text =
          switch event {
          case .away(let error, let time): "away \(error.errno ?? 0) \(time / 1_000_000_000)"
          case .back(let time): "back \(time / 1_000_000_000)"
          case .failed(let error): "failed \(error.errno ?? 0)"
          default: "\(event)"
          }
        events.withLock { $0.append("\(number) \(text)") }
      }, waitsForDisk: true, makeQueue: { [queues] _ in queues.queue }
    ) { error in ended.withLock { $0 = .some(error) } }
  }

  private var ended = Locked<SluiceError??>(nil)

  private func send(_ count: Int, to subject: PassthroughSubject<Reading, Never>) {
    for _ in 0..<count {
      sent += 1
      subject.send(reading(sent, 0, [sent]))
    }
    queues.run(for: 1_000_000_000)
  }

  private func counts(_ sink: RecordingSink, _ number: Int = 0) -> [Int] {
    let counts = sink.standing.shares[number].counts[0]
    return [counts.written, counts.synced, counts.dropped, counts.unwritten]
  }

  func testReadingsAreSafeWhenTheServerHasAnswered() throws {
    let sink = try sink([output()])
    XCTAssertEqual(server.calls, ["lock", "wait", "begin"])
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    send(25, to: subject)
    XCTAssertEqual(server.received.count, 25)
    XCTAssertEqual(counts(sink), [25, 0, 0, 0])
    server.keep(4)
    XCTAssertEqual(counts(sink), [25, 4, 0, 0])
    server.keep(11)
    XCTAssertEqual(counts(sink), [25, 15, 0, 0])
    subject.send(completion: .finished)
    queues.run(for: 1_000_000_000)
    XCTAssertEqual(counts(sink), [25, 25, 0, 0])
    XCTAssertEqual(server.kept.map(\.time), Array(1...25))
    XCTAssertEqual(ended.withLock { $0 }, .some(nil))
    XCTAssertEqual(events.withLock { $0 }, [])
  }

  /// What was under way is sent again, and each reading is kept once.
  func testAConnectionComesBack() throws {
    let sink = try sink([output()])
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    send(20, to: subject)
    server.keep(5)
    server.set(.away)
    send(20, to: subject)
    XCTAssertEqual(counts(sink), [40, 5, 0, 0])
    XCTAssertEqual(events.withLock { $0 }, ["0 away \(ECONNRESET) 0"])
    server.set(.takesOnly(18))
    queues.run(for: 3_000_000_000)
    server.set(.takes)
    queues.run(for: 3_000_000_000)
    XCTAssertEqual(server.received.map(\.time), Array(6...40))
    server.keep(30)
    XCTAssertEqual(counts(sink), [40, 35, 0, 0])
    subject.send(completion: .finished)
    queues.run(for: 1_000_000_000)
    XCTAssertEqual(server.kept.map(\.time), Array(1...40))
    XCTAssertEqual(counts(sink), [40, 40, 0, 0])
    XCTAssertEqual(events.withLock { $0.count }, 2, "\(events.withLock { $0 })")
    XCTAssertTrue(events.withLock { $0[1].hasPrefix("0 back") }, "\(events.withLock { $0 })")
  }

  /// The pauses are those of the kind: one second, then two.
  func testItIsTriedAgainAsItsKindSays() throws {
    let sink = try sink([output()])
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    queues.run(for: 1_000_000_000)
    server.set(.away)
    sent += 1
    subject.send(reading(sent, 0, [sent]))
    queues.run(for: 2_900_000_000)
    server.set(.takes)
    queues.run(for: 50_000_000)
    XCTAssertEqual(server.received.count, 0, "tried after one second, and two seconds later")
    queues.run(for: 60_000_000)
    XCTAssertEqual(server.received.count, 1)
    XCTAssertEqual(events.withLock { $0 }, ["0 away \(ECONNRESET) 0", "0 back 3"])
  }

  /// It holds as much as its kind says, and upstream waits.
  func testItsCapacitySetsTheDemand() throws {
    let sink = try sink([output(capacity: 30)])
    let upstream = TestPublisher<Reading, Never>()
    upstream.subscribe(sink)
    server.set(.away)
    var taken = 0
    while taken < 100, upstream.send(reading(Int64(taken), 0, [1])) != .none {
      taken += 1
      queues.run(for: 100_000_000)
    }
    XCTAssertTrue((30...45).contains(taken), "\(taken)")
    XCTAssertEqual(upstream.requests, [.max(10)])
    server.set(.takes)
    queues.run(for: 10_000_000_000)
    XCTAssertEqual(upstream.requests.count, 2)
    XCTAssertEqual(counts(sink), [taken + 1, 0, 0, 0])
  }

  /// A file beside it gets everything.
  func testItDropsWhileAnotherOutputCanWrite() throws {
    let sink = try sink([output(), .csv("d/a.csv", layout: .wide)])
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    send(50, to: subject)
    server.keep(50)
    server.set(.away)
    for _ in 0..<10 { send(50, to: subject) }
    server.set(.takes)
    queues.run(for: 10_000_000_000)
    send(50, to: subject)
    subject.send(completion: .finished)
    queues.run(for: 10_000_000_000)
    let counts = counts(sink)
    XCTAssertGreaterThan(counts[2], 300)
    XCTAssertEqual(counts[0] + counts[2], 600)
    XCTAssertEqual([counts[1], counts[3]], [counts[0], 0])
    XCTAssertEqual(server.kept.count, counts[0])
    XCTAssertEqual(Array(server.kept.suffix(50).map(\.time)), Array(551...600))
    XCTAssertEqual(self.counts(sink, 1), [600, 600, 0, 0])
  }

  /// Its unwritten readings are counted, and what was not acknowledged is not safe.
  func testAServerRefusesForGood() throws {
    let sink = try sink([output(), .csv("d/a.csv", layout: .wide)])
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    send(50, to: subject)
    server.keep(20)
    server.set(.refuses)
    send(50, to: subject)
    XCTAssertEqual(counts(sink), [50, 20, 0, 50])
    XCTAssertEqual(events.withLock { $0 }, ["0 failed \(EACCES)"])
    server.keep(10)
    XCTAssertEqual(counts(sink), [50, 30, 0, 50], "it had them already")
    subject.send(completion: .finished)
    queues.run(for: 1_000_000_000)
    XCTAssertEqual(counts(sink), [50, 30, 0, 50])
    XCTAssertEqual(counts(sink, 1), [100, 100, 0, 0])
    XCTAssertEqual(ended.withLock { $0 }??.errno, EACCES)
  }

  func testNothingIsAcknowledgedAfterItWasAbandoned() throws {
    let sink = try sink([output()])
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    send(20, to: subject)
    server.keep(5)
    server.set(.away)
    send(10, to: subject)
    sink.abandon { SluiceError(.failed, "finish", $0, because: "") }
    server.set(.takes)
    server.keep(5)
    XCTAssertEqual(counts(sink), [20, 5, 0, 10])
    XCTAssertEqual(sink.abandoned, [true])
  }

  // MARK: The beginning

  /// A connection begins before files are changed.
  func testAServerThatIsNotThereLeavesTheFilesAlone() throws {
    server.set(.away)
    let earlier = try sink([.csv("d/a.csv", layout: .wide)])
    earlier.receive(completion: .finished)
    queues.run(for: 1_000_000_000)
    let text = disk.text("d/a.csv")
    let error = error {
      _ = try sink([
        .csv("d/a.csv", layout: .wide, existing: .overwrite), .csv("d/b.csv", layout: .wide), output(),
      ])
    }
    XCTAssertEqual(error?.errno, ECONNRESET)
    XCTAssertEqual(server.calls, ["lock", "wait", "begin", "discard"])
    XCTAssertEqual(disk.text("d/a.csv"), text)
    XCTAssertNil(disk.text("d/b.csv"))
  }

  func testAServerIsDiscardedIfAFileCannotBeOpened() throws {
    _ = try sink([.csv("d/a.csv", layout: .wide)])
    let error = error { _ = try sink([output(), .csv("d/a.csv", layout: .wide)]) }
    XCTAssertEqual(error?.code, .alreadyExists)
    XCTAssertEqual(server.calls, ["discard"])
  }

  func testAFailedRecordingLeavesNoFilesOfIt() throws {
    let sink = try sink([output()])
    sink.receive(completion: .finished)
    queues.run(for: 1_000_000_000)
    XCTAssertEqual(sink.removeFilesWithoutRows() + sink.removeFiles { _ in true }, [])
    XCTAssertEqual(try output().files(for: [level]).map(\.path), [])
  }
}
