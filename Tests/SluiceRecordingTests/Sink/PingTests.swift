import Sluice
import SluiceReadings
import SluiceTesting
import TestDisk
import XCTest

@testable import SluiceRecording

/// Whether everything that writes still runs: what the watchdog of a service asks.
final class PingTests: XCTestCase {
  private let level = StreamDescription(name: "level", channels: [StreamDescription.Channel(name: "x")])
  private let disk = ModelDisk(seed: 1)
  private let queues = VirtualQueues()
  private let server = ModelServer()
  private let answers = Locked(0)

  /// The queue of an output, which stands still as it does in a write that hangs.
  private final class StuckQueue: WorkQueue {
    let waiting = Locked<[@Sendable () -> Void]>([])
    let isStuck = Locked(true)
    let queue: VirtualQueues.Queue

    init(_ queue: VirtualQueues.Queue) { self.queue = queue }

    var now: Int64 { queue.now }
    func perform(_ work: @escaping @Sendable () -> Void) { add(work, after: 0) }
    func perform(after nanoseconds: Int64, _ work: @escaping @Sendable () -> Void) { add(work, after: nanoseconds) }

    private func add(_ work: @escaping @Sendable () -> Void, after nanoseconds: Int64) {
      if isStuck.withLock({ $0 }) { return waiting.withLock { $0.append(work) } }
      queue.perform(after: nanoseconds, work)
    }

    func goOn() {
      isStuck.withLock { $0 = false }
      let works = waiting.withLock { waiting in
        defer { waiting = [] }
        return waiting
      }
      for work in works { queue.perform(work) }
    }
  }

  private func sink(
    _ outputs: [RecordingOutput], _ makeQueue: (String) -> any WorkQueue
  ) throws -> RecordingSink {
    try RecordingSink(
      outputs, streams: [level], claims: OutputClaims(disk: Disk(files: disk)), waitsForDisk: true,
      makeQueue: makeQueue
    ) { _ in }
  }

  private func ping(_ sink: RecordingSink) { sink.ping { [answers] in answers.withLock { $0 += 1 } } }

  private var answered: Int { answers.withLock { $0 } }

  func testSilentSourcesAnswer() throws {
    let sink = try sink([.csv("a.csv", layout: .long)]) { [queues] _ in queues.queue }
    for count in 1...3 {
      ping(sink)
      queues.run(for: 1_000_000)
      XCTAssertEqual(answered, count)
    }
  }

  func testAWriterThatHangsDoesNotAnswer() throws {
    let stuck = StuckQueue(queues.queue)
    let sink = try sink([.csv("a.csv", layout: .long), .csv("b.csv", layout: .long)]) { [queues] name in
      if name == "sluice.output" { stuck } else { queues.queue }
    }
    ping(sink)
    queues.run(for: 60_000_000_000)
    XCTAssertEqual(answered, 0)
    stuck.goOn()
    queues.run(for: 1_000_000)
    XCTAssertEqual(answered, 1)
  }

  /// It is known, it is tried again, and a restart would not bring it back.
  func testAnOutputThatIsAwayAnswers() throws {
    let sink = try sink([
      RecordingOutput(ServerOutput(server, capacity: 10_000), format: JSONLinesFormat()), .csv("b.csv", layout: .long),
    ]) { [queues] _ in queues.queue }
    let subject = PassthroughSubject<Reading, Never>()
    subject.subscribe(sink)
    server.set(.away)
    subject.send(reading(1, 0, [1]))
    queues.run(for: 10_000_000_000)
    XCTAssertTrue(sink.outputs[0].machine.isAway)
    ping(sink)
    queues.run(for: 1_000_000)
    XCTAssertEqual(answered, 1)
  }

  func testAnEndedSinkAnswers() throws {
    let sink = try sink([.csv("a.csv", layout: .long)]) { [queues] _ in queues.queue }
    Empty<Reading, Never>().subscribe(sink)
    queues.run(for: 1_000_000_000)
    ping(sink)
    queues.run(for: 1_000_000)
    XCTAssertEqual(answered, 1)
  }
}
