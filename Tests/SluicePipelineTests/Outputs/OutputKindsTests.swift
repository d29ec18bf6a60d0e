import Sluice
import SluiceReadings
import TestDisk
import XCTest

@_spi(Preview) @testable import SluicePipeline
@_spi(Preview) @testable import SluiceRecording

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

  func testAnAddressIsAFolderOrAFile() {
    for (address, folder) in [("a.csv", nil), ("a/", "a/"), ("/", "/"), ("-", nil), ("/dev/null", nil)] {
      XCTAssertEqual(OutputKinds.kind(of: address).folder, folder)
      XCTAssertEqual(OutputKinds.kind(of: address).address, address)
    }
  }
}
