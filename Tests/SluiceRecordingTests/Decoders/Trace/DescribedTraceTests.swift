import Sluice
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Traces with metadata beside them.
final class DescribedTraceTests: XCTestCase {
  private let warnings = Locked<[String]>([])

  /// - Parameter members: Those of the metadata beside its columns.
  private func trace(_ text: String, titles: [String]? = nil, _ members: String) throws -> TraceReader {
    let titles = titles ?? text.prefix { $0 != "\n" }.split(separator: ",").map(String.init)
    let columns = titles.map { "{\"titles\": \"\($0)\"}" }.joined(separator: ", ")
    let metadata = "{\"tableSchema\": {\"columns\": [\(columns)]}, \(members)}"
    let warnings = warnings
    return try TraceReader(Array(text.utf8), name: "t.csv", metadata: Array(metadata.utf8)) { sentence in
      warnings.withLock { $0.append(sentence) }
    }
  }

  private func readings(_ trace: TraceReader, block: Int = 7) throws -> [Reading] {
    var all: [Reading] = []
    var readings = Array(repeating: Reading.empty, count: block)
    while case let count = try trace.next(into: &readings), count > 0 { all += readings[..<count] }
    return all
  }

  private func written(_ trace: TraceReader) throws -> String {
    let layout: CSVLayout = trace.streams.count == 1 ? .wide : .long
    let encoder = CSVEncoder(layout: layout, EncoderStreams(trace.streams))
    return encoder.text(try readings(trace))
  }

  private let imu = """
    "sluice:streams": [{"sluice:name": "imu", "sluice:channels": [
      {"sluice:name": "x", "sluice:unit": "mV", "sluice:scale": 0.001333, "sluice:offset": 7}]}]
    """

  func testRawValuesAreScaledWhenTheyAreWritten() throws {
    let trace = try trace("time_ns,x\n1,7\n", "\"sluice:values\": \"raw\", \(imu)")
    XCTAssertEqual(trace.streams.map(\.name), ["imu"])
    XCTAssertEqual(trace.streams[0].channels[0].unit, "mV")
    XCTAssertFalse(trace.streams[0].isScaled)
    XCTAssertFalse(trace.streams[0].hasForeignColumns)
    XCTAssertEqual(trace.metadata?.values, .raw)
    XCTAssertEqual(try written(trace), "1,0.018662\n")
  }

  func testScaledValuesAreWrittenAsTheyAre() throws {
    let trace = try trace("time_ns,x\n1,0.018662\n", "\"sluice:values\": \"scaled\", \(imu)")
    XCTAssertTrue(trace.streams[0].isScaled)
    XCTAssertEqual(trace.streams[0].channels[0].scale.description, "0.001333")
    XCTAssertEqual(try written(trace), "1,0.018662\n")
  }

  func testMetadataOfOtherColumnsIsNotUsed() throws {
    let trace = try trace("time_ns,y\n1,7\n", titles: ["time_ns", "x"], "\"sluice:values\": \"raw\", \(imu)")
    XCTAssertNil(trace.metadata)
    XCTAssertEqual(trace.streams.map(\.name), ["t"])
    XCTAssertTrue(trace.streams[0].hasForeignColumns)
    XCTAssertEqual(
      warnings.withLock { $0 }, ["t.csv-metadata.json: its columns are not those of t.csv, which is read without it"])
  }

  func testMetadataOfOtherChannelsIsNotUsed() throws {
    let trace = try trace("time_ns,x,y\n1,7,8\n", imu)
    XCTAssertNil(trace.metadata)
    XCTAssertEqual(try readings(trace), [reading(1, 0, [7, 8])])
    XCTAssertEqual(
      warnings.withLock { $0 },
      ["t.csv-metadata.json: its channels are not the columns of t.csv, which is read without it"])
  }

  /// A table of somebody else may be described without a word of ours.
  func testMetadataWithoutStreams() throws {
    let trace = try trace("time_ns,x (V)\n1,7\n", "\"dc:title\": \"mine\"")
    XCTAssertNotNil(trace.metadata)
    XCTAssertEqual(trace.streams[0].channels[0].unit, "V")
    XCTAssertEqual(warnings.withLock { $0 }, [])
  }

  /// The titles say nothing of which stream a column belongs to.
  func testColumnsFollowTheStreams() throws {
    let trace = try trace(
      "time_ns,a.b,c,d\n1,5,,6\n2,,7,\n",
      """
      "sluice:streams": [{"sluice:name": "one", "sluice:channels": [{"sluice:name": "p"}]},
        {"sluice:name": "two", "sluice:channels": [{"sluice:name": "q"}, {"sluice:name": "r"}]}]
      """)
    XCTAssertEqual(trace.streams.map(\.name), ["one", "two"])
    let all = try readings(trace)
    XCTAssertEqual(all.map(\.stream.index), [0, 1, 1])
    XCTAssertEqual(all.map { $0.values.map(\.description) }, [["5"], ["", "6"], ["7", ""]])
  }

  // MARK: Flags

  private func flags(_ rows: String, gaps: String, levels: String = "", block: Int) throws -> [Reading.Flags] {
    let trace = try trace(
      "time_ns,x\n" + rows,
      """
      \(imu), "sluice:gap_before": [{"sluice:stream": "imu", "sluice:count": 1, "sluice:times_ns": [\(gaps)]}],
      "sluice:initial_level": [{"sluice:stream": "imu", "sluice:count": 1, "sluice:times_ns": [\(levels)]}]
      """)
    return try readings(trace, block: block).map(\.flags)
  }

  func testFlagsComeBack() throws {
    for block in [1, 2, 100] {
      XCTAssertEqual(
        try flags("10,1\n20,1\n30,1\n40,\"1\"\n", gaps: "30, 11, 12", levels: "10, 35, 40", block: block),
        [.initialLevel, .gapBefore, .gapBefore, .initialLevel])
      XCTAssertEqual(

        try flags("10,1\n20,1\n", gaps: "-5, 20, 99", levels: "9", block: block), [.gapBefore, .gapBefore])
      XCTAssertEqual(try flags("10,1\n20,1\n", gaps: "", block: block), [[], []])
    }
  }

  func testFlagsAreThoseOfTheirStream() throws {
    let trace = try trace(
      "time_ns,stream,channel,value\n1,a,x,1\n1,b,x,1\n2,b,x,1\n2,a,x,1\n",
      """
      "sluice:streams": [{"sluice:name": "b", "sluice:channels": [{"sluice:name": "x"}]},
        {"sluice:name": "a", "sluice:channels": [{"sluice:name": "x"}]}],
      "sluice:gap_before": [{"sluice:stream": "a", "sluice:count": 1, "sluice:times_ns": [2]},
        {"sluice:stream": "gone", "sluice:count": 1, "sluice:times_ns": [1]}],
      "sluice:initial_level": [{"sluice:stream": "b", "sluice:count": 1, "sluice:times_ns": [1]}]
      """)
    XCTAssertEqual(trace.streams.map(\.name), ["b", "a"], "as they are numbered in the recording")
    let all = try readings(trace)
    XCTAssertEqual(all.map(\.stream.index), [1, 0, 0, 1])
    XCTAssertEqual(all.map(\.flags), [[], .initialLevel, [], .gapBefore])
  }

  // MARK: Files

  func testTheFileBesideIsRead() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", "time_ns,x\n1,7\n")
    XCTAssertNil(try TraceReader(path: path).metadata)
    _ = folder.file(
      "t.csv-metadata.json",
      "{\"tableSchema\": {\"columns\": [{\"titles\": \"time_ns\"}, {\"titles\": \"x\"}]}, \(imu)}")
    let trace = try TraceReader(path: path)
    XCTAssertEqual(trace.metadata?.path, path + "-metadata.json")
    XCTAssertEqual(trace.streams.map(\.name), ["imu"])
    _ = folder.file("t.csv-metadata.json", "{")
    XCTAssertEqual(error { _ = try TraceReader(path: path) }?.object, path + "-metadata.json")
  }

  /// Each recording into a file has its own account of what it missed.
  func testEarlierRecordingsAreReadAsWell() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", "time_ns,x\n1,7\n2,8\n3,9\n")
    func describe(_ name: String, _ members: String) {
      _ = folder.file(
        name, "{\"tableSchema\": {\"columns\": [{\"titles\": \"time_ns\"}, {\"titles\": \"x\"}]}, \(imu), \(members)}")
    }
    let lost = "\"sluice:losses\": [{\"sluice:reason\": \"lost\", \"sluice:count\": 5}]"
    let gap = "\"sluice:gap_before\": [{\"sluice:stream\": \"imu\", \"sluice:count\": 1, \"sluice:times_ns\""
    func run(_ began: Int, _ members: String) -> String {
      let text = "{\"sluice:format\":\"csv\",\"sluice:clocks\":{\"sluice:began_ns\":\(began)},\(imu),\(members)}"
      return text.split(separator: "\n").joined() + "\n"
    }
    let killed = run(1, "\"sluice:state\": \"unfinished\", \(lost), \(gap): [2]}]")
    // The third run died before it had replaced the document of the second, and its line was torn by the power cut.
    let second = "\"sluice:clocks\": {\"sluice:began_ns\": 2}, \"sluice:state\": \"finished\""
    _ = folder.file("t.csv-runs.jsonl", killed + "nonsense\n" + run(2, "\(lost), \(gap): [3]}]") + "{\"sluice")
    describe("t.csv-metadata.json", "\(second), \"sluice:earlier_runs\": 4, \(gap): [3]}]")
    let warnings = warnings
    let trace = try TraceReader(path: path) { sentence in warnings.withLock { $0.append(sentence) } }
    XCTAssertEqual(trace.metadata?.missed, 5)
    XCTAssertEqual(trace.metadata?.state, .finished)
    XCTAssertNil(trace.metadata?.lossesShown)
    XCTAssertEqual(trace.streams.map(\.name), ["imu"])
    XCTAssertEqual(trace.inputs.count, 3)
    XCTAssertEqual(try readings(trace).map(\.flags), [[], .gapBefore, .gapBefore])
    XCTAssertEqual(
      warnings.withLock { $0 },
      [
        "\(path)-runs.jsonl: line 2: it is not JSON (line 1, column 1 should have a value)",
        "\(path)-runs.jsonl: its last line has no end and is left out, because the recording was cut off there",
        "\(path)-runs.jsonl: it has 2 of 4 earlier runs: nothing is known about the rows of the others",
      ])
  }
}
