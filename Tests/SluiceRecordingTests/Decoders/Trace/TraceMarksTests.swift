import SluiceReadings
import XCTest

@testable import SluiceRecording

/// Flags of rows that have flags themselves, beside the times that the metadata lists.
final class TraceMarksTests: XCTestCase {
  /// - Parameters:
  ///   - rows: The time of each row, and its flag.
  ///   - suppressed: The readings that a stage has left out; nil for metadata without an account.
  private func flags(
    _ rows: [(time: Int64, flag: String?)], gaps: [Int64] = [], levels: [Int64] = [], late: [Int64] = [],
    suppressed: Int? = 1, used: Int = 0, made: Int = 0
  ) throws -> [[Reading.Flags]] {
    let text = rows.map { row in
      let flag = row.flag.map { ",\"flags\":[\"\($0)\"]" } ?? ""
      return "{\"time_ns\":\(row.time),\"stream\":\"a\",\"values\":{\"x\":1}\(flag)}\n"
    }
    func list(_ name: String, _ times: [Int64]) -> String {
      "\"sluice:\(name)\": [{\"sluice:stream\": \"a\", \"sluice:count\": \(times.count), \"sluice:times_ns\": \(times)}]"
    }
    let ledger = suppressed.map {
      """
      "sluice:ledger": [{"sluice:stream": "a", "sluice:received": \(rows.count + $0), "sluice:written": \(rows.count),
        "sluice:dropped": 0, "sluice:suppressed": \($0), "sluice:used": \(used), "sluice:made": \(made), "sluice:discarded": 0, "sluice:unwritten": 0}],
      """
    }
    let metadata = """
      {"sluice:format": "jsonl", "sluice:state": "finished",
       "sluice:streams": [{"sluice:name": "a", "sluice:channels": [{"sluice:name": "x"}]}], \(ledger ?? "")
       \(list("gap_before", gaps)), \(list("initial_level", levels)), \(list("late", late))}
      """
    // A block of one row, and one of all.
    return try [1, rows.count].map { block in
      let trace = try TraceReader(Array(text.joined().utf8), name: "t.jsonl", metadata: Array(metadata.utf8))
      XCTAssertNotNil(trace.metadata)
      var all: [Reading] = []
      var readings = Array(repeating: Reading.empty, count: block)
      while case let count = try trace.next(into: &readings), count > 0 { all += readings[..<count] }
      return all.map(\.flags)
    }
  }

  private func expect(
    _ expected: [Reading.Flags], _ flags: [[Reading.Flags]], _ what: String = "", line: UInt = #line
  ) {
    XCTAssertEqual(flags, [expected, expected], what, line: line)
  }

  func testAListedTimeIsThatOfTheRowWithTheFlag() throws {
    expect(
      [[], .gapBefore, []], try flags([(10, nil), (10, "gap_before"), (20, nil)], gaps: [10]),
      "the second row of a time")
    expect([.gapBefore, [], []], try flags([(10, "gap_before"), (10, nil), (20, nil)], gaps: [10]))
    expect([[], .initialLevel], try flags([(10, nil), (10, "initial_level")], levels: [10]))
    expect([[], .late], try flags([(10, nil), (10, "late")], late: [10]))
    expect([[], .uncertainTime], try flags([(10, nil), (10, "uncertain_time")]))
    expect([[], .uncertainLevel], try flags([(10, nil), (10, "uncertain_level")]))
  }

  /// A stage has left out the listed reading, so the first row after it follows the gap.
  func testAListedTimeWithoutARowGoesToTheNextRow() throws {
    expect([[], .gapBefore, []], try flags([(10, nil), (20, nil), (30, nil)], gaps: [15]))
    expect([[], .gapBefore, []], try flags([(10, nil), (20, nil), (30, nil)], gaps: [15], suppressed: nil))
  }

  /// Rows whose times go back: the row of the listed time comes later.
  func testNothingIsMovedWhereNothingWasLeftOut() throws {
    expect(
      [[], .gapBefore, []], try flags([(100, nil), (50, "gap_before"), (200, nil)], gaps: [50], suppressed: 0))
    expect([[], []], try flags([(10, nil), (20, nil)], gaps: [15], suppressed: 0))
    // The list has the readings that a stage has made, not those that it has used.
    expect([[], .gapBefore], try flags([(100, nil), (50, "gap_before")], gaps: [50], suppressed: 0, used: 3))
    // A stage before it has left out readings, and all that were made are in the file.
    expect([[], .gapBefore], try flags([(100, nil), (50, "gap_before")], gaps: [50], suppressed: 4, used: 3, made: 2))
    expect([.gapBefore, []], try flags([(100, nil), (200, nil)], gaps: [50], suppressed: 4, used: 3, made: 3))
    // One stage has used what another one has made.
    expect([[], .gapBefore], try flags([(100, nil), (50, "gap_before")], gaps: [50], suppressed: 0, used: 6, made: 5))
  }

  /// Levels and late readings of CSV, whose times go back, as in a second run after the clock was set back.
  func testTheTimesOfLevelsMayGoBack() throws {
    let metadata = """
      {"sluice:format": "csv", "sluice:state": "finished",
       "sluice:streams": [{"sluice:name": "a", "sluice:channels": [{"sluice:name": "x"}]}],
       "sluice:initial_level": [{"sluice:stream": "a", "sluice:count": 3, "sluice:times_ns": [20, 5, 5]}],
       "sluice:late": [{"sluice:stream": "a", "sluice:count": 2, "sluice:times_ns": [7, 7]}],
       "sluice:uncertain_time": [{"sluice:stream": "a", "sluice:count": 2, "sluice:times_ns": [30, 7]}],
       "sluice:uncertain_level": [{"sluice:stream": "a", "sluice:count": 1, "sluice:times_ns": [7]}]}
      """
    let trace = try TraceReader(
      Array("time_ns,a\n20,1\n30,0\n5,1\n7,0\n7,1\n5,0\n5,1\n".utf8), name: "t.csv", metadata: Array(metadata.utf8))
    var readings = Array(repeating: Reading.empty, count: 16)
    let count = try trace.next(into: &readings)
    XCTAssertEqual(
      readings[..<count].map(\.flags),
      [
        .initialLevel, .uncertainTime, .initialLevel, [.late, .uncertainTime, .uncertainLevel], .late, .initialLevel,
        [],
      ])
  }

  /// `--quadrature` leaves a stream without channels, and without rows.
  func testStreamsWithoutChannelsAreNotCounted() throws {
    let metadata = """
      {"sluice:format": "csv", "sluice:state": "finished",
       "sluice:streams": [{"sluice:name": "b", "sluice:channels": []},
         {"sluice:name": "a", "sluice:channels": [{"sluice:name": "x"}]},
         {"sluice:name": "c", "sluice:channels": [{"sluice:name": "x"}]}],
       "sluice:gap_before": [{"sluice:stream": "a", "sluice:count": 1, "sluice:times_ns": [2]}]}
      """
    let trace = try TraceReader(
      Array("time_ns,stream,channel,value\n1,c,x,1\n2,c,x,1\n2,a,x,1\n".utf8), name: "t.csv",
      metadata: Array(metadata.utf8))
    var flags: [Reading.Flags] = []
    while let reading = try trace.next() { flags.append(reading.flags) }
    XCTAssertEqual(flags, [[], [], .gapBefore])
  }
}
