import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class RunRowsTests: XCTestCase {
  private func run(_ began: Int64?, _ written: [String: Int]? = nil) -> TraceMetadata.Run {
    .init(clocks: .init(began: began, offset: 0), rows: written?.reduce(into: [:]) { $0[ExactName($1.key)] = $1.value })
  }

  /// - Parameter rows: Stream and time.
  private func runs(_ runs: [TraceMetadata.Run], _ rows: [(Int, Int64)]) -> [Int] {
    var counted = RunRows(runs)
    counted.describe(["a", "b"].map { StreamDescription(name: $0, channels: []) })
    return rows.map { counted.run(of: $0.0, at: $0.1) }
  }

  func testFinishedRunsAreCounted() {
    // The clock was set back between them, and forward again.
    XCTAssertEqual(
      runs(
        [run(10, ["a": 2, "b": 1]), run(5, ["a": 1]), run(40, ["a": 0, "b": 2])],
        [(0, 10), (1, 30), (0, 50), (0, 6), (1, 41), (1, 42)]), [0, 0, 0, 1, 2, 2])
  }

  func testAnUnfinishedRunEndsWhereTheNextBegins() {
    XCTAssertEqual(runs([run(10), run(20)], [(0, 10), (0, 19), (0, 20), (0, 21)]), [0, 0, 1, 1])
    // Set back by more than the run was long.
    XCTAssertEqual(runs([run(100), run(20)], [(0, 100), (0, 110), (0, 21), (0, 105)]), [0, 0, 1, 1])
    // Set back into the run.
    XCTAssertEqual(runs([run(100), run(100)], [(0, 101), (0, 110), (0, 100)]).suffix(1), [1])
  }

  func testARowTakesAllStreamsToItsRun() {
    XCTAssertEqual(runs([run(10), run(20)], [(0, 10), (1, 20), (0, 15)]), [0, 1, 1])
    XCTAssertEqual(
      runs([run(10, ["a": 1, "b": 1]), run(5, ["a": 1])], [(0, 10), (0, 6), (1, 7)]), [0, 1, 1], "a row is missing")
  }

  func testRunsOfWhichNothingIsKnown() {
    XCTAssertEqual(runs([.init(), run(20)], [(0, 10), (0, 20)]), [0, 1])
    // A replay, whose times are not those at which it was made.
    let replay = TraceMetadata.Run(clocks: .init(began: 900, offset: nil), rows: [ExactName("a"): 1])
    XCTAssertEqual(runs([run(10), replay, run(20)], [(0, 10), (0, 1_000)]), [0, 2])
    XCTAssertEqual(runs([run(10), .init(), run(20)], [(0, 10), (0, 12), (0, 25)]), [0, 0, 2])
    XCTAssertEqual(runs([run(10, ["a": 1]), replay, run(20)], [(0, 10), (0, 3), (0, 21)]), [0, 1, 2])
  }

  func testRunsWithoutRows() {
    XCTAssertEqual(runs([run(10, [:]), run(20, [:]), run(5, ["a": 1])], [(0, 6), (0, 7)]), [2, 2])
    XCTAssertEqual(runs([run(10), run(20, [:]), run(30)], [(0, 12), (0, 22), (0, 31)]), [0, 0, 2])
  }

  // MARK: In a trace

  private func document(_ name: String, _ clocks: String, _ rest: String = "") -> String {
    """
    {"tableSchema": {"columns": [{"titles": "time_ns"}, {"titles": "a"}]}, "sluice:state": "finished",
     "sluice:values": "scaled", "sluice:losses_shown": "all",
     "sluice:streams": [{"sluice:name": "\(name)", "sluice:channels": [{"sluice:name": "x"}]}],
     "sluice:clocks": {\(clocks)}\(rest)}
    """
  }

  private let set = """
    "sluice:began_ns": 90, "sluice:ended_ns": 999, "sluice:monotonic_to_epoch_ns": 10, "sluice:synchronised": false,
    "sluice:changes": [
      {"sluice:at_ns": 105, "sluice:cause": "suspend", "sluice:monotonic_to_epoch_ns": 12, "sluice:suspended_ns": 2},
      {"sluice:at_ns": 106, "sluice:cause": "eclipse", "sluice:monotonic_to_epoch_ns": 7},
      {"sluice:at_ns": 107, "sluice:cause": "set", "sluice:monotonic_to_epoch_ns": 1012}]
    """

  private func read(_ reader: TraceReader) throws -> [Reading] {
    var readings: [Reading] = []
    while let reading = try reader.next() { readings.append(reading) }
    return readings
  }

  /// They are listed by the times of the rows.
  func testMarksLossesAndPausesFollow() throws {
    let metadata = document(
      "a", set,
      """
      , "sluice:ledger": [{"sluice:stream": "a", "sluice:written": 3}],
      "sluice:gap_before": [{"sluice:stream": "a", "sluice:count": 1, "sluice:times_ns": [104]}],
      "sluice:losses": [{"sluice:reason": "lost", "sluice:count": 2, "sluice:first_ns": 104, "sluice:last_ns": 110}],
      "sluice:pauses": [{"sluice:from_ns": 100, "sluice:to_ns": 110}, {"sluice:from_ns": 110}]
      """)
    let text = Array("time_ns,a\n100,1\n104,2\n110,3\n".utf8)
    let recorded = try TraceReader(text, name: "a.csv", metadata: Array(metadata.utf8))
    XCTAssertEqual(try read(recorded).map(\.time), [100, 104, 110])
    XCTAssertEqual(recorded.metadata?.losses?.first?.first, 104)
    let corrected = try TraceReader(text, name: "a.csv", metadata: Array(metadata.utf8), times: .corrected)
    let readings = try read(corrected)
    XCTAssertEqual(readings.map(\.time), [1_100, 1_104, 1_112])
    XCTAssertEqual(readings.map(\.flags), [[], .gapBefore, []])
    XCTAssertEqual(corrected.metadata?.losses?.map(\.first), [1_104])
    XCTAssertEqual(corrected.metadata?.losses?.map(\.last), [1_112])
    XCTAssertEqual(corrected.metadata?.pauses, [.init(from: 1_100, to: 1_112), .init(from: 1_112, to: nil)])
    XCTAssertEqual(corrected.metadata?.runs.map(\.written), [["a": 3]])
  }

  func testEachRunHasItsOwn() throws {
    let folder = TemporaryFolder()
    let path = folder.file("a.csv", "time_ns,a\n100,1\n104,2\n40,3\n104,4\n")
    _ = folder.file(
      "a.csv-runs.jsonl",
      document("a", set, ", \"sluice:ledger\": [{\"sluice:stream\": \"a\", \"sluice:written\": 2}]")
        .replacingOccurrences(of: "\n", with: " ") + "\n")
    _ = folder.file(
      "a.csv-metadata.json",
      document(
        "a", "\"sluice:began_ns\": 40, \"sluice:monotonic_to_epoch_ns\": 0, \"sluice:synchronised\": true",
        ", \"sluice:earlier_runs\": 1"))
    let reader = try TraceReader(path: path, times: .corrected)
    XCTAssertEqual(try read(reader).map(\.time), [1_100, 1_104, 40, 104])
    XCTAssertNil(reader.metadata?.notCorrected("a.csv"))
    XCTAssertEqual(try read(TraceReader(path: path)).map(\.time), [100, 104, 40, 104])
  }

  /// The files of a folder are merged by the right times.
  func testAFolder() throws {
    let folder = TemporaryFolder()
    _ = folder.file("a.csv", "time_ns,a\n100,1\n104,2\n")
    _ = folder.file("a.csv-metadata.json", document("a", set))
    _ = folder.file("b.csv", "time_ns,a\n1101,3\n")
    _ = folder.file(
      "b.csv-metadata.json",
      document("b", "\"sluice:monotonic_to_epoch_ns\": 0, \"sluice:synchronised\": true"))
    let reader = try TraceReader(path: folder.path, times: .corrected)
    XCTAssertEqual(try read(reader).map(\.time), [1_100, 1_101, 1_104])
    XCTAssertEqual(reader.metadata?.runs.count, 2)
  }

  func testRowsThatNothingDescribes() throws {
    let metadata = document("a", set, ", \"sluice:undescribed_rows\": true")
    let reader = try TraceReader(
      Array("time_ns,a\n50,1\n100,2\n".utf8), name: "a.csv", metadata: Array(metadata.utf8), times: .corrected)
    XCTAssertEqual(try read(reader).map(\.time), [50, 1_100])
  }
}
