import Dispatch
import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceRecording

final class SeveralOutputsTests: XCTestCase {
  private let level = StreamDescription(name: "level", channels: [StreamDescription.Channel(name: "x")])

  /// A format whose store does what the test says.
  private struct TestFormat: RecordingFormat {
    static let name = "test"
    static let extensions = ["test"]
    let state: TestStore.State

    init(_ state: TestStore.State) { self.state = state }
    init(_ options: FormatOptions) { fatalError("made by the test alone") }

    func store(_ file: ClaimedFile, _ streams: EncoderStreams) -> any RecordStore { TestStore(file, state) }
  }

  private final class TestStore: RecordStore, @unchecked Sendable {
    // The lock of the sink protects `readings`.

    struct State: Sendable {
      let written = Locked<[Reading]>([])
      /// How many are written before an error; nil for all.
      var failsAfter: Int?
      /// Waited for before each write.
      var gate: DispatchSemaphore?
      var failsToClose = false
      /// How many are gathered; nil for all.
      var takes: Int?
    }

    let file: ClaimedFile
    private let state: State
    private var readings: [Reading] = []
    private var taken = 0

    init(_ file: ClaimedFile, _ state: State) {
      self.file = file
      self.state = state
    }

    func check() {}
    func begin(_ found: (OutputEvent) -> Void) {}
    func append(_ readings: UnsafeBufferPointer<Reading>) -> Int {
      let count = min(readings.count, (state.takes ?? .max) - taken)
      self.readings += readings[..<count]
      taken += count
      return count
    }
    var isFull: Bool { readings.count >= 100 }
    var isEmpty: Bool { readings.isEmpty }
    func batch() -> (any RecordBatch)? {
      guard !readings.isEmpty else { return nil }
      defer { readings = [] }
      return Batch(readings, state)
    }
    func describe(_ streams: [StreamDescription]) {}
    func close() throws(SluiceError) {
      try file.close()
      if state.failsToClose { throw SluiceError("write", file.path, errno: EIO) }
    }

    final class Batch: RecordBatch {
      let rows: [Reading]
      let state: State
      var written = 0
      /// As much as makes the sink wait.
      var byteCount: Int { rows.count * 20_000 }

      init(_ readings: [Reading], _ state: State) {
        rows = readings
        self.state = state
      }

      func write() throws(SluiceError) {
        state.gate?.wait()
        let left = state.failsAfter.map { max(0, $0 - state.written.withLock { $0.count }) } ?? .max
        written = min(left, rows.count)
        state.written.withLock { $0 += rows[..<written] }
        if written < rows.count { throw SluiceError("write", "test", errno: ENOSPC) }
      }

      func count(into counts: inout [Int]) { counts = [(counts.first ?? 0) + rows.count] }
      var unwritten: [Int: Int] { written < rows.count ? [0: rows.count - written] : [:] }
    }
  }

  private func output(_ path: String, _ state: TestStore.State) -> RecordingOutput {
    RecordingOutput(path: path, format: TestFormat(state))
  }

  /// A store that takes nothing would keep the sink busy for ever, and deaf to a stop.
  func testAStoreThatTakesNothingEndsItsOutput() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    var stuck = TestStore.State()
    stuck.takes = 130
    let good = TestStore.State()
    let sink = try RecordingSink([output(folder.file("a"), stuck), output(folder.file("b"), good)], streams: [level]) {
      XCTAssertTrue($0?.cause.contains("takes no more") ?? false, "\($0.map(String.init(describing:)) ?? "")")
      done.fulfill()
    }
    (1...300 as ClosedRange<Int64>).map { reading($0, 0, [$0]) }.publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(good.written.withLock { $0.count }, 300)
    let counts = sink.standing.shares.map { $0.counts[0] }
    XCTAssertEqual(counts.map { $0.written + $0.unwritten }, [300, 300])
    XCTAssertEqual(counts.map(\.written), [stuck.written.withLock { $0.count }, 300])
  }

  /// What one output cannot write any more, the others do.
  func testOneThatFailsEndsAlone() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    let failures = Locked<[SluiceError]>([])
    var failing = TestStore.State()
    failing.failsAfter = 250
    let good = TestStore.State()
    let sink = try RecordingSink(
      [
        output(folder.file("a"), failing), output(folder.file("b"), good),
        .csv(folder.file("c.csv"), layout: .wide),
      ], streams: [level], ahead: 64, claims: OutputClaims(),
      outputChanged: { _, event in if case .failed(let error) = event { failures.withLock { $0.append(error) } } }
    ) { error in
      XCTAssertEqual(error?.errno, ENOSPC)
      done.fulfill()
    }
    (0..<1_000).map { reading(Int64($0), 0, [Int64($0)]) }.publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(failures.withLock { $0 }.map(\.errno), [ENOSPC])
    XCTAssertEqual(failing.written.withLock { $0.count }, 250)
    XCTAssertEqual(good.written.withLock { $0.map(\.time) }, Array(0..<1_000))
    XCTAssertEqual(folder.text("c.csv")?.split(separator: "\n").count, 1_001)
    XCTAssertEqual(
      sink.standing.shares.map { $0.counts[0] },
      [
        OutputCount(written: 250, unwritten: 750, synced: 250), OutputCount(written: 1_000, synced: 1_000),
        OutputCount(written: 1_000, synced: 1_000),
      ])
    XCTAssertEqual(sink.written, [1_000])
  }

  /// With the last one the recording ends.
  func testWhenAllHaveFailedUpstreamIsCancelled() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    var states = [TestStore.State(), TestStore.State()]
    states[0].failsAfter = 10
    states[1].failsAfter = 150
    let sink = try RecordingSink(
      [output(folder.file("a"), states[0]), output(folder.file("b"), states[1])], streams: [level], ahead: 64
    ) { error in
      XCTAssertEqual(error?.errno, ENOSPC)
      done.fulfill()
    }
    let subject = PassthroughSubject<Reading, Never>()
    let cancelled = expectation(description: "cancelled")
    subject.handleEvents(receiveCancel: { cancelled.fulfill() }).subscribe(sink)
    for number in 0..<1_000 { subject.send(reading(Int64(number), 0, [1])) }
    wait(for: [done, cancelled], timeout: 60)
    XCTAssertEqual(states.map { $0.written.withLock { $0.count } }, [10, 150])
    XCTAssertEqual(sink.standing.shares.map { $0.counts[0].written }, [10, 150])
  }

  /// The slowest sets the demand: none of them drops what another takes.
  func testTheSlowestSetsTheDemand() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    var slow = TestStore.State()
    let gate = DispatchSemaphore(value: 0)
    slow.gate = gate
    let outputs: [RecordingOutput] = [.csv(folder.file("a.csv"), layout: .wide), output(folder.file("b"), slow)]
    let sink = try RecordingSink(outputs, streams: [level]) { (error: SluiceError?) -> Void in
      XCTAssertNil(error)
      done.fulfill()
    }
    let upstream = TestPublisher<Reading, Never>()
    upstream.subscribe(sink)
    var sent = 0
    while sent < 1_000, upstream.send(reading(Int64(sent), 0, [1])) != .none { sent += 1 }
    sent += 1
    XCTAssertLessThan(sent, 1_000, "it asks for no more while the slow one is behind")
    let asked = expectation(description: "asked")
    upstream.onRequest = { _ in asked.fulfill() }
    for _ in 0..<100 { gate.signal() }
    wait(for: [asked], timeout: 60)
    upstream.onRequest = nil
    for number in sent..<sent + 10 { upstream.send(reading(Int64(number), 0, [1])) }
    upstream.send(completion: .finished)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(slow.written.withLock { $0.map(\.time) }, Array(0..<Int64(sent + 10)))
    XCTAssertEqual(folder.text("a.csv")?.split(separator: "\n").count, sent + 11)
  }

  /// The tick may have handed over a batch, and not have woken the queue yet, when the last reading comes.
  func testWhatWasHandedOverIsWrittenBeforeItIsClosed() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    let state = TestStore.State()
    let sink = try RecordingSink([output(folder.file("a"), state)], streams: [level], ahead: 64) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    sink.state.withLock { locked in
      (0..<50).map { reading(Int64($0), 0, [1]) }.withUnsafeBufferPointer {
        XCTAssertEqual(sink.append($0, of: 0, to: sink.outputs[0], &locked), 50)
      }
      XCTAssertTrue(sink.wakes(&locked))
    }
    Empty<Reading, Never>().subscribe(sink)
    sink.wake()
    wait(for: [done], timeout: 60)
    XCTAssertEqual(state.written.withLock { $0.count }, 50)
  }

  // MARK: Abandoning

  /// One is stuck; the other gets all, however much waits for the first.
  func testAnOutputThatIsStuckIsLeftBehind() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    let failures = Locked<[SluiceError]>([])
    var stuck = TestStore.State()
    let gate = DispatchSemaphore(value: 0)
    stuck.gate = gate
    let good = TestStore.State()
    let sink = try RecordingSink(
      [output(folder.file("a"), stuck), output(folder.file("b"), good)], streams: [level], ahead: 64,
      claims: OutputClaims(),
      outputChanged: { _, event in if case .failed(let error) = event { failures.withLock { $0.append(error) } } }
    ) { error in
      XCTAssertEqual(error?.cause, "a")
      done.fulfill()
    }
    // More than waits for a disk at any time.
    (0..<1_000).map { reading(Int64($0), 0, [Int64($0)]) }.publisher.subscribe(sink)
    XCTAssertTrue(good.written.withLock { $0.count } < 1_000)
    sink.drain()
    waitUntil("the other's end") { sink.state.withLock { _ in sink.outputs[1].machine.isClosed } }
    XCTAssertEqual(sink.left { 1_000 }.count, 0)
    let error = { (name: String) in
      SluiceError(.failed, "finish", name, because: URL(fileURLWithPath: name).lastPathComponent)
    }
    sink.abandon(error)
    wait(for: [done], timeout: 60)
    sink.abandon(error)
    XCTAssertEqual(sink.left { 1_000 }.map(\.count), [1_000])
    XCTAssertEqual(sink.left { 1_005 }.map(\.output), [0], "five that did not reach it")
    XCTAssertEqual(sink.left { 1_005 }.map(\.count), [1_005])
    let counts = [OutputCount(written: 0, unwritten: 1_000), OutputCount(written: 1_000, synced: 1_000)]
    XCTAssertEqual(sink.standing.shares.map { $0.counts[0] }, counts)
    XCTAssertEqual(sink.abandoned, [true, false])
    XCTAssertEqual(good.written.withLock { $0.count }, 1_000)
    // What its write still does counts for nothing.
    for _ in 0..<100 { gate.signal() }
    let isThrough = expectation(description: "its queue is through")
    sink.outputs[0].queue.perform { isThrough.fulfill() }
    wait(for: [isThrough], timeout: 60)
    XCTAssertTrue((1...100).contains(stuck.written.withLock { $0.count }), "the one batch that was being written")
    XCTAssertEqual(sink.standing.shares.map { $0.counts[0] }, counts)
    XCTAssertEqual(failures.withLock { $0 }, [])
  }

  func testWhatIsFinishedIsNotAbandoned() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    let sink = try RecordingSink([output(folder.file("a"), TestStore.State())], streams: [level]) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    [reading(1, 0, [1])].publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    sink.abandon { SluiceError(.failed, "finish", $0, because: "") }
    XCTAssertEqual(sink.standing.shares[0].counts, [OutputCount(written: 1, synced: 1)])
    XCTAssertNil(sink.standing.shares[0].failure)
  }

  private func waitUntil(_ what: String, _ condition: () -> Bool) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while !condition() {
      guard Date() < deadline else { return XCTFail("\(what) has not happened") }
      RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.01))
    }
  }

  /// What close(2) says is an error as any other.
  func testAnErrorOfCloseIsReported() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    var state = TestStore.State()
    state.failsToClose = true
    let sink = try RecordingSink([output(folder.file("a"), state)], streams: [level]) { error in
      XCTAssertEqual(error?.errno, EIO)
      done.fulfill()
    }
    [reading(1, 0, [1])].publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
  }

  func testTheSameReadingsInEveryFormat() throws {
    let folder = TemporaryFolder()
    let done = expectation(description: "done")
    let paths = ["a.csv", "b.jsonl"].map { folder.file($0) }
    let sink = try RecordingSink(
      [.csv(paths[0], layout: .long), RecordingOutput(path: paths[1], format: JSONLinesFormat())],
      streams: [level, StreamDescription(name: "imu", channels: ["x", "y"].map { .init(name: $0) })]
    ) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    let readings = (0..<Int64(1_000)).map { (number: Int64) -> Reading in
      number % 3 == 0 ? reading(number, 0, [number]) : reading(number, 1, [number, -number])
    }
    readings.publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    for path in paths {
      let trace = try TraceReader(path: path)
      var back: [Reading] = []
      while let reading = try trace.next() { back.append(reading) }
      XCTAssertEqual(back, readings, path)
    }
  }
}
