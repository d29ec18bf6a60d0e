import SluiceReadings
import SluiceRecording
import XCTest

/// A sensor of motion: 13,514 rows of nine channels, with units in the header and times in seconds.
final class RecordedMotionTests: XCTestCase {
  override func setUpWithError() throws { try RecordedTraces.skipIfMissing() }

  private let path = RecordedTraces.path("imu-fusion.csv")

  /// The text of each value comes back unchanged.
  func testValuesAreAsTheyAreWritten() throws {
    let reader = try TraceReader(path: path, format: TraceFormat(timeColumn: "Time (s)", timeUnit: .seconds))
    XCTAssertEqual(reader.streams[0].channels.count, 9)
    XCTAssertEqual(reader.streams[0].channels[0].unit, "deg/s")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline).dropFirst()
    var count = 0
    for line in lines {
      let reading = try XCTUnwrap(try reader.next())
      let cells = line.split(separator: ",").map(String.init)
      XCTAssertEqual(reading.time, ExactDecimal(cells[0])?.whole(power: 9))
      // Exponents and a leading plus are written out; everything else is the same text.
      let plain = cells.dropFirst().map { $0.lowercased().contains("e") ? ExactDecimal($0)?.description ?? "" : $0 }
      XCTAssertEqual(reading.values.map(\.description), plain)
      count += 1
    }
    XCTAssertNil(try reader.next())
    XCTAssertEqual(count, 13_514)
  }

  func testItNeedsNoOption() throws {
    let trace = try TraceReader(path: path)
    XCTAssertEqual(
      trace.streams[0].channels.map(\.unit), Array(repeating: "deg/s", count: 3) + ["g", "g", "g", "uT", "uT", "uT"])
    var times: [Int64] = []
    while let reading = try trace.next() { times.append(reading.time) }
    XCTAssertEqual(times.count, 13_514)
    XCTAssertEqual(times.first, 0)
    XCTAssertEqual(times.dropFirst().first, 10_078_907)
    XCTAssertEqual((times.last ?? 0) / 100_000_000, 1_353)
  }
}
