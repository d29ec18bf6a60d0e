import Dispatch
import Foundation
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// The long layout, read once where it cannot be read twice.
final class LongTraceTests: XCTestCase {
  private let text = """
    time_ns,stream,channel,value
    1,gpio:3,level,1
    2,imu,x,5
    3,imu,x,6
    3,imu,y,7
    4,"a,b",value,8
    5,imu,x,9

    """

  private func readings(_ trace: TraceReader) throws -> [Reading] {
    var all: [Reading] = []
    while let reading = try trace.next() { all.append(reading) }
    return all
  }

  /// A FIFO into which a thread writes.
  private func fifo(_ text: String, in folder: TemporaryFolder) -> String {
    let path = folder.file("pipe")
    mkfifo(path, 0o600)
    DispatchQueue.global().async {
      let descriptor = open(path, O_WRONLY)
      _ = Array(text.utf8).withUnsafeBytes { writeBytes(descriptor, $0) }
      close(descriptor)
    }
    return path
  }

  func testAPipeIsReadInOnePass() throws {
    let folder = TemporaryFolder()
    let trace = try TraceReader(path: fifo(text, in: folder))
    XCTAssertTrue(trace.isGrowing)
    XCTAssertEqual(trace.streams, [])
    let all = try readings(trace)
    XCTAssertEqual(all.map(\.time), [1, 2, 3, 4, 5])
    XCTAssertEqual(all.map(\.stream.index), [0, 1, 1, 2, 1])
    XCTAssertEqual(all.map { $0.values.map(\.description) }, [["1"], ["5"], ["6", "7"], ["8"], ["9", ""]])
    XCTAssertEqual(trace.streams.map(\.name), ["gpio:3", "imu", "a,b"])
    XCTAssertEqual(trace.streams[1].channels.map(\.name), ["x", "y"])
    XCTAssertFalse(trace.isGrowing)
  }

  func testStreamsGrowWithTheReadings() throws {
    let folder = TemporaryFolder()
    let trace = try TraceReader(path: fifo(text, in: folder))
    for _ in 0..<2 { _ = try trace.next() }
    XCTAssertGreaterThanOrEqual(trace.streams.count, 2, "those of the readings, and of the rows read with them")
    XCTAssertTrue(trace.isGrowing || trace.streams.count == 3)
    _ = try readings(trace)
  }

  func testAFileIsSurveyed() throws {
    let folder = TemporaryFolder()
    let trace = try TraceReader(path: folder.file("t.csv", text))
    XCTAssertFalse(trace.isGrowing)
    XCTAssertEqual(trace.streams.map(\.name), ["gpio:3", "imu", "a,b"])
    XCTAssertEqual(try readings(trace).map(\.values.count), [1, 2, 2, 1, 2])
  }

  func testTooManyStreamsOfAPipe() throws {
    let folder = TemporaryFolder()
    let rows = (0...TraceReader.limit).map { "\($0),s\($0),x,1\n" }.joined()
    let many = "time_ns,stream,channel,value\n" + rows
    let trace = try TraceReader(path: fifo(many, in: folder))
    var count = 0
    let refused = error { while try trace.next() != nil { count += 1 } }
    XCTAssertEqual(count, TraceReader.limit, "what stands before the error is good")
    XCTAssertEqual(refused?.cause, "line 1026, column 2: there are more than 1024 streams")
    XCTAssertEqual(refused?.remedy, "give the trace as a file, which may have more of them")
    XCTAssertEqual(try TraceReader(path: folder.file("t.csv", many)).streams.count, TraceReader.limit + 1)
  }

  func testTooManyChannels() throws {
    let folder = TemporaryFolder()
    let many = "time_ns,stream,channel,value\n" + (0...64).map { "1,a,c\($0),1\n" }.joined()
    let refused = error { _ = try readings(try TraceReader(path: fifo(many, in: folder))) }
    XCTAssertEqual(refused?.cause, "line 66, column 3: stream a has more than 64 channels")
  }

  /// As a process substitution and a redirection give it.
  func testADescriptorOfAPipe() throws {
    var ends: [Int32] = [0, 0]
    XCTAssertEqual(pipe(&ends), 0)
    defer { close(ends[0]) }
    XCTAssertNil(Array(text.utf8).withUnsafeBytes { writeBytes(ends[1], $0) })
    close(ends[1])
    let trace = try TraceReader(path: "/dev/fd/\(ends[0])")
    XCTAssertEqual(try readings(trace).map(\.time), [1, 2, 3, 4, 5])
  }

  // MARK: With metadata

  private func described(_ members: String, _ text: String) throws -> TraceReader {
    let columns =
      "{\"columns\": [{\"titles\": \"time_ns\"}, {\"titles\": \"stream\"}, {\"titles\": \"channel\"}, {\"titles\": \"value\"}]}"
    let metadata = """
      {"tableSchema": \(columns), "sluice:values": "raw", "sluice:streams": [
        {"sluice:name": "imu", "sluice:channels": [
          {"sluice:name": "y", "sluice:scale": 0.5}, {"sluice:name": "x"}]}]\(members)}
      """
    return try TraceReader(Array(text.utf8), name: "t.csv", metadata: Array(metadata.utf8))
  }

  func testMetadataNamesTheStreams() throws {
    let trace = try described("", "time_ns,stream,channel,value\n1,imu,x,5\n2,imu,y,6\n")
    XCTAssertFalse(trace.isGrowing)
    XCTAssertEqual(trace.streams[0].channels.map(\.scale.description), ["0.5", "1"])
    XCTAssertEqual(try readings(trace).map { $0.values.map(\.description) }, [["", "5"], ["6", ""]])
  }

  func testWhatMetadataDoesNotNameIsRefused() throws {
    for (row, cause) in [
      ("2,adc,x,1", "line 3, column 2: stream adc is not in t.csv-metadata.json"),
      ("2,imu,z,1", "line 3, column 3: channel z of imu is not in t.csv-metadata.json"),
    ] {
      let trace = try described("", "time_ns,stream,channel,value\n1,imu,x,5\n\(row)\n")
      let refused = error { _ = try readings(trace) }
      XCTAssertEqual(refused?.cause, cause)
      XCTAssertEqual(refused?.remedy, "repair it, or move it away to read the trace without it")
    }
  }

  /// Rows of a recording that was gone on with are described by metadata of their own.
  func testStreamsOfEarlierRecordingsAreLookedFor() throws {
    let trace = try described(
      ", \"sluice:earlier_runs\": 1", "time_ns,stream,channel,value\n1,adc,z,5\n2,imu,y,6\n")
    XCTAssertEqual(trace.streams.map(\.name), ["imu", "adc"])
    XCTAssertEqual(try readings(trace).map(\.stream.index), [1, 0])
  }
}
