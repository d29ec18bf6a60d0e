import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

/// A table as programs for sensors of motion write it: seconds from 0, units in the header, numbers in many forms, and
/// rows that are missing. (`make test-recorded` has a real one.)
final class MotionTableTests: XCTestCase {
  private lazy var folder = temporaryFolder()
  private static let header =
    "Time (s),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s),"
    + "Accelerometer X (g),Accelerometer Y (g),Accelerometer Z (g),"
    + "Magnetometer X (uT),Magnetometer Y (uT),Magnetometer Z (uT)"
  private static let forms = ["0", "-0.0625", "+1.5", "7.6e-05", "-1.25E+2", "12.300", "0.001953125"]

  private func table() throws -> (path: String, rows: [[String]]) {
    var rows: [[String]] = []
    var nanoseconds: Int64 = 0
    for number in 0..<2_000 {
      let fraction = String(nanoseconds % 1_000_000_000 + 1_000_000_000).dropFirst()
      rows.append(["\(nanoseconds / 1_000_000_000).\(fraction)"] + (0..<9).map { Self.forms[(number + $0 * 3) % 7] })
      nanoseconds += number % 500 == 499 ? 30_236_721 : 10_078_907
    }
    let path = folder.file("imu.csv")
    try ([Self.header] + rows.map { $0.joined(separator: ",") }).joined(separator: "\n")
      .write(toFile: path, atomically: true, encoding: .utf8)
    return (path, rows)
  }

  /// The text of each value comes back unchanged; exponents and a leading plus are written out.
  func testValuesAreAsTheyAreWritten() throws {
    let (path, rows) = try table()
    let reader = try TraceReader(path: path, format: TraceFormat(timeColumn: "Time (s)", timeUnit: .seconds))
    for row in rows {
      let reading = try XCTUnwrap(try reader.next())
      XCTAssertEqual(reading.time, ExactDecimal(row[0])?.whole(power: 9))
      let plain = row.dropFirst().map { $0.contains { "eE+".contains($0) } ? ExactDecimal($0)?.description ?? "" : $0 }
      XCTAssertEqual(reading.values.map(\.description), plain)
    }
    XCTAssertNil(try reader.next())
  }

  func testItNeedsNoOption() throws {
    let (path, rows) = try table()
    let trace = try TraceReader(path: path)
    XCTAssertEqual(
      trace.streams[0].channels.map(\.unit), Array(repeating: "deg/s", count: 3) + ["g", "g", "g", "uT", "uT", "uT"])
    var times: [Int64] = []
    while let reading = try trace.next() { times.append(reading.time) }
    XCTAssertEqual(times.count, rows.count)
    XCTAssertEqual(times.prefix(2), [0, 10_078_907])
    XCTAssertEqual(zip(times, times.dropFirst()).count { $1 - $0 > 20_000_000 }, 3)
  }
}
