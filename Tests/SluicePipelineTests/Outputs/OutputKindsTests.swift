import Sluice
import SluiceReadings
import TestDisk
import XCTest

@testable import SluicePipeline
@testable import SluiceRecording

/// An output that is no file, in a recording with one that is.
final class OutputKindsTests: XCTestCase {
  private let disk = ModelDisk(seed: 1)
  private let queues = VirtualQueues()
  private let server = ModelServer()
  private let subject = PassthroughSubject<Reading, Never>()
  private var sent: Int64 = 0

  private func pipeline() throws -> Pipeline {
    let source = Source(
      streams: [StreamDescription(name: "s", channels: [StreamDescription.Channel(name: "x")])],
      publisher: { [subject] _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    let outputs = [
      RecordingOutput(ServerOutput(server), format: JSONLinesFormat()), .csv("d/a.csv", layout: .wide),
    ]
    let pipeline = try Pipeline(
      .devices([source]), PipelineStages([BufferStage(size: 1_000)]), outputs, disk: Disk(files: disk),
      makeQueue: { [queues] _ in queues.queue })
    pipeline.start()
    return pipeline
  }

  private func send(_ count: Int) {
    for _ in 0..<count {
      sent += 1
      subject.send(Reading(time: sent * 1_000_000, stream: StreamID(0), values: Values(sent)))
      if sent % 100 == 0 { queues.run(for: 1_000_000_000) }
    }
  }

  private func end(_ pipeline: Pipeline) -> Account {
    pipeline.stop()
    queues.run(for: 60_000_000_000)
    pipeline.wait()
    return pipeline.account(seconds: 1)
  }

  private func counts(_ account: Account) -> [[Int]] {
    account.outputs.map { output in
      let stream = output.streams[0]
      return [stream.written, stream.synced, stream.dropped, stream.unwritten]
    }
  }

  func testTheAccountSaysWhatTheServerHasAcknowledged() throws {
    let pipeline = try pipeline()
    send(300)
    server.keep(120)
    XCTAssertEqual(counts(pipeline.account(seconds: 1))[0], [300, 120, 0, 0])
    server.set(.away)
    send(1_000)
    server.set(.takes)
    send(200)
    let account = end(pipeline)
    let dropped = account.outputs[0].streams[0].dropped
    XCTAssertGreaterThan(dropped, 500)
    XCTAssertEqual(counts(account), [[1_500 - dropped, 1_500 - dropped, dropped, 0], [1_500, 1_500, 0, 0]])
    XCTAssertEqual([account.received, account.unaccounted, account.lost], [1_500, 0, dropped])
    XCTAssertEqual(account.errors, [])
    XCTAssertEqual(account.outputs[0].output, "model://server")
    XCTAssertNotNil(account.outputs[0].firstDropped)
  }

  func testTheAccountSaysWhatTheServerHasRefused() throws {
    let pipeline = try pipeline()
    send(300)
    server.keep(120)
    server.set(.refuses)
    send(100)
    let account = end(pipeline)
    XCTAssertEqual(counts(account), [[300, 120, 0, 100], [400, 400, 0, 0]])
    XCTAssertEqual(account.unaccounted, 0)
    XCTAssertEqual(account.errors.count, 1, "\(account.errors)")
    XCTAssertTrue(account.errors[0].hasPrefix("cannot write model://server: permission denied"), "\(account.errors)")
    XCTAssertEqual(account.outputs[0].error, account.errors[0])
    XCTAssertEqual(pipeline.removeFilesWithoutRows(), [])
  }

  /// No disk is looked at, and no metadata is written beside it.
  func testAServerHasNoFiles() throws {
    let output = RecordingOutput(ServerOutput(server), format: JSONLinesFormat())
    XCTAssertFalse(FreeSpace(.bytes(1), [output]) { _ in 0 }.isNeeded)
    XCTAssertEqual(try OutputFiles([output], [[]], inputs: [:]).files.count, 0)
  }

  /// What an earlier run has left is sent while the outputs are opened, and the server may answer at once.
  func testAServerMaySayThatItIsAwayWhileItIsOpened() throws {
    let events = Locked<[RecordingEvent.Kind]>([])
    let told = RecordingEvents()
    let watch = told.publisher.sink { event in events.withLock { $0.append(event.kind) } }
    defer { watch.cancel() }
    let source = Source(
      streams: [StreamDescription(name: "s", channels: [StreamDescription.Channel(name: "x")])],
      publisher: { [subject] _, _ in subject.setFailureType(to: SluiceError.self).eraseToAnyPublisher() })
    let output = RecordingOutput(EarlyOutput(ServerOutput(server)), format: JSONLinesFormat())
    let pipeline = try Pipeline(
      .devices([source]), PipelineStages([BufferStage(size: 1_000)]), [.csv("d/a.csv", layout: .wide), output],
      disk: Disk(files: disk), makeQueue: { [queues] _ in queues.queue }, isChangeable: true, events: told)
    pipeline.start()
    XCTAssertEqual(events.withLock { $0.count }, 2, "\(events.withLock { $0 })")
    // An output that comes while it runs is not known yet: what it says is told when it is.
    let later = RecordingOutput(EarlyOutput(ServerOutput(ModelServer())), format: JSONLinesFormat())
    let prepared = try pipeline.prepared([], output: 2)
    let branches = try pipeline.open(
      [(later, prepared)], inputs: [:], parts: NoPartObserver(), disk: Disk(files: disk), isInterrupted: { false })
    XCTAssertEqual(events.withLock { $0.count }, 2)
    XCTAssertTrue(pipeline.add([later], branches))
    XCTAssertEqual(events.withLock { $0.count }, 4)
    send(100)
    XCTAssertEqual(end(pipeline).unaccounted, 0)
  }

  func testAnAddressIsAFolderOrAFile() {
    for (address, folder) in [("a.csv", nil), ("a/", "a/"), ("/", "/"), ("-", nil), ("/dev/null", nil)] {
      XCTAssertEqual(OutputKinds.kind(of: address).folder, folder)
      XCTAssertEqual(OutputKinds.kind(of: address).address, address)
    }
  }
}

/// A server that goes away and comes back before its output is open.
private struct EarlyOutput: OutputKind {
  let server: ServerOutput
  var address: String { server.address }
  var capacity: Int { server.capacity }
  var retryPauses: ClosedRange<Int64> { server.retryPauses }

  init?(_ address: String) { nil }
  init(_ server: ServerOutput) { self.server = server }

  func claim(
    _ output: RecordingOutput, number: Int, for streams: [StreamDescription], _ claims: inout OutputClaims
  ) throws(SluiceError) -> [ClaimedStore] {
    claims.servers.changed(number, .away(SluiceError("write", address, errno: ECONNRESET), nanoseconds: 0))
    claims.servers.changed(number, .back(nanoseconds: 1))
    return server.claim(output, number: number, for: streams, &claims)
  }
}
