import Foundation
import SluiceSystem
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class FolderTraceTests: XCTestCase {
  private lazy var folder = temporaryFolder()

  private func rows(_ trace: TraceReader, block: Int = 512) throws -> [String] {
    var rows: [String] = []
    var readings = Array(repeating: Reading.empty, count: block)
    while case let count = try trace.next(into: &readings), count > 0 {
      rows += readings[..<count].map {
        "\($0.time) \($0.stream.index) \($0.values.map(\.description).joined(separator: "|"))"
      }
    }
    return rows
  }

  private func metadata(_ titles: [String], _ members: String) -> String {
    let columns = titles.map { "{\"titles\": \"\($0)\"}" }.joined(separator: ", ")
    return "{\"tableSchema\": {\"columns\": [\(columns)]}, \(members)}"
  }

  func testItsFilesAreMergedByTime() throws {
    _ = folder.file("b.csv", "time_ns,x,y\n2,1,2\n3,3,4\n9,5,6\n")
    _ = folder.file("a.csv", "time_ns,v\n3,7\n4,8\n4,9\n")
    _ = folder.file("c.csv", "time_ns,stream,channel,value\n1,p,u,1\n3,q,u,2\n")
    _ = folder.file("empty.csv", "time_ns,v\n")
    _ = folder.file("notes.txt", "not a trace")
    _ = folder.file("._a.csv", "not a trace")
    XCTAssertEqual(mkdir(folder.file("d.csv"), 0o700), 0)
    XCTAssertEqual(mkfifo(folder.file("e.csv"), 0o600), 0)
    for block in [1, 2, 3, 512] {
      let trace = try TraceReader(path: folder.path)
      XCTAssertEqual(trace.streams.map(\.name), ["a", "b", "p", "q", "empty"])
      XCTAssertFalse(trace.isGrowing)
      XCTAssertFalse(trace.mayWait)
      XCTAssertNil(trace.metadata)
      XCTAssertEqual(
        try rows(trace, block: block),
        ["1 2 1", "2 1 1|2", "3 0 7", "3 1 3|4", "3 3 2", "4 0 8", "4 0 9", "9 1 5|6"])
    }
    XCTAssertEqual(try TraceReader(path: folder.path + "/").streams.count, 5)
  }

  func testManyFiles() throws {
    for file in 0..<64 {
      let rows = (0..<1_000).map { "\($0 * 64 + file),\($0)\n" }.joined()
      _ = folder.file("f\(file + 100).csv", "time_ns,x\n" + rows)
    }
    let trace = try TraceReader(path: folder.path)
    var readings = Array(repeating: Reading.empty, count: 500)
    var time: Int64 = 0
    while case let count = try trace.next(into: &readings), count > 0 {
      for reading in readings[..<count] {
        XCTAssertEqual(reading.time, time)
        XCTAssertEqual(Int64(reading.stream.index), time % 64)
        time += 1
      }
    }
    XCTAssertEqual(time, 64_000)
  }

  /// As they were read, where a file is not in order itself.
  func testTimesMayGoBackwards() throws {
    _ = folder.file("a.csv", "time_ns,x\n5,1\n1,2\n7,3\n")
    _ = folder.file("b.csv", "time_ns,x\n4,1\n6,2\n")
    XCTAssertEqual(try rows(TraceReader(path: folder.path)).map { $0.prefix(1) }, ["4", "5", "1", "6", "7"])
  }

  func testAStreamOfTwoFilesIsRefused() {
    _ = folder.file("a.csv", "time_ns,stream,channel,value\n1,b,u,1\n")
    _ = folder.file("b.csv", "time_ns,x\n1,1\n")
    XCTAssertEqual(
      error { _ = try TraceReader(path: folder.path) }?.description,
      "cannot read \(folder.path)/b.csv: it has a stream \"b\", and so has \(folder.path)/a.csv; "
        + "leave one of the files out, or replay them one at a time")
  }

  func testAFolderWithoutTraces() {
    XCTAssertEqual(
      error { _ = try TraceReader(path: folder.path) }?.description,
      "cannot read \(folder.path): it is a folder without a trace; give a file, or the folder of a recording")
  }

  func testAnErrorComesBehindWhatIsCertain() throws {
    _ = folder.file("a.csv", "time_ns,x\n1,1\n4,oops\n")
    _ = folder.file("b.csv", "time_ns,x\n2,1\n3,2\n")
    let trace = try TraceReader(path: folder.path)
    var readings = Array(repeating: Reading.empty, count: 10)
    XCTAssertEqual(try trace.next(into: &readings), 1, "what comes next is not known")
    for _ in 0..<2 {
      XCTAssertEqual(error { _ = try trace.next(into: &readings) }?.object, "\(folder.path)/a.csv")
    }
  }

  // MARK: Metadata

  private func described(_ name: String, _ members: String) {
    _ = folder.file("\(name).csv", "time_ns,x\n1,1\n")
    _ = folder.file(
      "\(name).csv-metadata.json",
      metadata(
        ["time_ns", "x"],
        "\"sluice:streams\": [{\"sluice:name\": \"\(name)\", \"sluice:channels\": [{\"sluice:name\": \"x\"}]}], \(members)"
      ))
  }

  func testItsMetadataIsThatOfAllFiles() throws {
    let shared = "{\"sluice:streams\": [\"a\", \"b\"], \"sluice:reason\": \"lost\", \"sluice:count\": 7}"
    described(
      "a",
      """
      "sluice:state": "finished", "sluice:values": "raw", "sluice:losses": [\(shared)], "sluice:losses_shown": "all",
      "sluice:ledger": [{"sluice:stream": "a", "sluice:received": 5, "sluice:dropped": 2}],
      "sluice:gap_before": [{"sluice:stream": "a", "sluice:count": 1, "sluice:times_ns": [1]}]
      """)
    described(
      "b",
      """
      "sluice:state": "finished", "sluice:values": "raw", "sluice:losses": [\(shared)], "sluice:losses_shown": "some",
      "sluice:ledger": [{"sluice:stream": "b", "sluice:received": 5, "sluice:dropped": 2}],
      "sluice:gap_before": [{"sluice:stream": "b", "sluice:count": 1, "sluice:times_ns": [1]}]
      """)
    let trace = try TraceReader(path: folder.path)
    let metadata = try XCTUnwrap(trace.metadata)
    XCTAssertEqual(metadata.missed, 11, "7 lost of both, and 2 dropped of each")
    XCTAssertEqual(metadata.lossesShown, .some(.some))
    XCTAssertEqual(metadata.state, .finished)
    XCTAssertEqual(metadata.values, .raw)
    XCTAssertEqual(metadata.streams, trace.streams)
    var flags: [Reading.Flags] = []
    while let reading = try trace.next() { flags.append(reading.flags) }
    XCTAssertEqual(flags, [.gapBefore, .gapBefore])
  }

  func testOneThatIsUnfinishedMakesItSo() throws {
    described("a", "\"sluice:state\": \"unfinished\", \"sluice:losses_shown\": \"all\"")
    described("b", "\"sluice:state\": \"finished\", \"sluice:losses_shown\": \"all\"")
    XCTAssertEqual(try TraceReader(path: folder.path).metadata?.state, .unfinished)
    XCTAssertEqual(try TraceReader(path: folder.path).metadata?.lossesShown, .all)
  }

  func testOfAFileWithoutMetadataNothingIsKnown() throws {
    described("a", "\"sluice:state\": \"finished\", \"sluice:losses_shown\": \"all\"")
    _ = folder.file("b.csv", "time_ns,x\n1,1\n")
    let metadata = try XCTUnwrap(try TraceReader(path: folder.path).metadata)
    XCTAssertNil(metadata.state)
    XCTAssertNil(metadata.lossesShown)
  }

  // MARK: What it is read from

  func testItsInputsAreAllFilesThatAreRead() throws {
    described("a", "\"sluice:state\": \"finished\"")
    _ = folder.file("b.csv", "time_ns,x\n1,1\n")
    let inputs = try TraceReader(path: folder.path).inputs
    XCTAssertEqual(
      inputs.map(\.path), ["a.csv", "a.csv-metadata.json", "b.csv"].map { "\(folder.path)/\($0)" })
    for input in inputs { XCTAssertEqual(input.identity, FileIdentity(path: input.path)) }
    XCTAssertEqual(Set(inputs.map(\.identity)).count, 3)
    // By any name.
    XCTAssertEqual(symlink("b.csv", folder.file("link")), 0)
    XCTAssertEqual(try TraceReader(path: folder.file("link")).inputs.map(\.identity), [inputs[2].identity])
  }
}
