import Sluice
import SluiceReadings
import XCTest

@testable import SluiceRecording

/// Traces whose last row has no end.
final class TornTraceTests: XCTestCase {
  private let warnings = Locked<[String]>([])

  /// - Parameter state: What the metadata says, if there is any.
  private func times(_ text: String, state: String? = nil) throws -> [Int64] {
    let titles = text.prefix { !$0.isNewline }.split(separator: ",").map { "{\"titles\": \"\($0)\"}" }.joined(
      separator: ", ")
    let metadata = state.map { "{\"tableSchema\": {\"columns\": [\(titles)]}, \"sluice:state\": \"\($0)\"}" }
    let warnings = warnings
    let trace = try TraceReader(Array(text.utf8), name: "t.csv", metadata: metadata.map { Array($0.utf8) }) {
      sentence in
      warnings.withLock { $0.append(sentence) }
    }
    var times: [Int64] = []
    while let reading = try trace.next() { times.append(reading.time) }
    XCTAssertNil(try trace.next())
    return times
  }

  private var said: [String] { warnings.withLock { $0 } }
  private let taken = "t.csv: its last row has no line end and is taken as it stands"
  private let leftOut = "t.csv: its last row has no line end and is left out, because the recording was cut off there"

  func testItIsTakenAndSaid() throws {
    XCTAssertEqual(try times("time_ns,x\n1,2\n2,12"), [1, 2])
    XCTAssertEqual(said, [taken])
    XCTAssertEqual(try times("time_ns,x\n1,2\n2,12", state: "finished"), [1, 2])
    XCTAssertEqual(said, [taken, taken])
  }

  func testItIsLeftOutOfWhatIsUnfinished() throws {
    XCTAssertEqual(try times("time_ns,x\n1,2\n2,12", state: "unfinished"), [1])
    XCTAssertEqual(said, [leftOut])
    XCTAssertEqual(try times("time_ns,x\n1,2\n2,\"1", state: "unfinished"), [1])
    XCTAssertEqual(said, [leftOut, leftOut])
  }

  func testOfTheLongLayout() throws {
    let text = "time_ns,stream,channel,value\n1,a,x,1\n2,a,x,1"
    XCTAssertEqual(try times(text), [1, 2])
    XCTAssertEqual(said, [taken], "once, though the file is read twice")
    XCTAssertEqual(try times(text + ",", state: "unfinished"), [1])
    XCTAssertEqual(said, [taken, leftOut])
  }

  func testWhatIsWholeIsNotSpokenOf() throws {
    for state in [nil, "finished", "unfinished"] {
      for text in ["time_ns,x\n1,2\n", "time_ns,x\n1,2\r\n\n", "time_ns,x", "time_ns,x\r\n", "time_ns,x\n1,2\n\r"] {
        XCTAssertEqual(try times(text, state: state), text.contains("1") ? [1] : [], text)
      }
    }
    XCTAssertEqual(said, [])
  }

  /// What a file has where its length reached the disk before a power cut, and its rows did not.
  func testNULsAreLeftOut() throws {
    let expected = "t.csv: what it ends in, NUL bytes, is left out, because the recording was cut off there"
    for (index, count) in [1, 5_000, 17 << 20].enumerated() {
      let nuls = String(repeating: "\0", count: count)
      XCTAssertEqual(try times("time_ns,x\n1,2\n\(nuls)", state: "unfinished"), [1])
      XCTAssertEqual(try times("time_ns,x\n1,2\n2,1\(nuls)", state: "unfinished"), [1])
      XCTAssertEqual(said, Array(repeating: expected, count: 2 * index + 2))
    }
    XCTAssertEqual(error { _ = try times("time_ns,x\n1,2\n\0\0") }?.code, .malformed)
    XCTAssertEqual(
      error { _ = try times("time_ns,x\n2,1\0\0\0\n3,4\n", state: "unfinished") }?.code, .malformed, "not at the end")
  }

  /// A reading of the long layout has a row per channel.
  func testAReadingWhoseLastRowsAreMissingIsLeftOut() throws {
    let rows = ["1,imu,x,1", "1,imu,y,2", "2,imu,x,3", "2,imu,y,4"]
    let text = "time_ns,stream,channel,value\n" + rows.map { $0 + "\n" }.joined()
    for state in ["unfinished", "finished"] {
      let metadata = """
        {"sluice:format": "csv", "sluice:state": "\(state)", "sluice:streams": [
          {"sluice:name": "imu", "sluice:channels": [{"sluice:name": "x"}, {"sluice:name": "y"}]}]}
        """
      let row = rows[3].utf8.count + 1
      for count in text.utf8.count - row...text.utf8.count {
        // A torn row of a finished recording is an error.
        if state == "finished", ![text.utf8.count, text.utf8.count - row].contains(count) { continue }
        let warnings = warnings
        let trace = try TraceReader(Array(text.utf8.prefix(count)), name: "t.csv", metadata: Array(metadata.utf8)) {
          sentence in warnings.withLock { $0.append(sentence) }
        }
        var last: Reading?
        while let reading = try trace.next() { last = reading }
        let isWhole = count == text.utf8.count
        XCTAssertEqual(last?.time, isWhole || state == "finished" ? 2 : 1, "\(state) \(count)")
        if state == "unfinished" { XCTAssertFalse(last?.values.contains { $0.isMissing } ?? true, "\(count)") }
      }
    }
    XCTAssertTrue(
      said.contains(
        "t.csv: its last reading has 1 of its 2 rows and is left out, because the recording was cut off there"))
  }
}
