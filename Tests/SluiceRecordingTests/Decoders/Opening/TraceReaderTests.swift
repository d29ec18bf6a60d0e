import Foundation
import Sluice
import SluiceTesting
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class TraceReaderTests: XCTestCase {
  private func readings(_ path: String, _ format: TraceFormat = TraceFormat()) throws -> [Reading] {
    let trace = try TraceReader(path: path, format: format)
    var readings: [Reading] = []
    while let reading = try trace.next() { readings.append(reading) }
    return readings
  }

  private func failure(_ text: String, _ format: TraceFormat = TraceFormat()) -> SluiceError? {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", text)
    return error { _ = try readings(path, format) }
  }

  func testWide() throws {
    let folder = TemporaryFolder()
    let path = folder.file("walk.csv", "\u{feff}a (m/s),time_ns,\"b, c\"\r\n1.50,10,\"2\"\r\n\r\n,20,nan\r\n-3,15,1e2")
    let trace = try TraceReader(path: path)
    XCTAssertEqual(trace.streams.map(\.name), ["walk"])
    XCTAssertEqual(trace.streams[0].channels.map(\.name), ["a (m/s)", "b, c"])
    XCTAssertEqual(trace.streams[0].channels.map(\.unit), ["m/s", nil])
    let all = try readings(path)
    XCTAssertEqual(all.map(\.time), [10, 20, 15])
    XCTAssertEqual(all.map { $0.values.map(\.description) }, [["1.50", "2"], ["", ""], ["-3", "100"]])
  }

  func testLong() throws {
    let folder = TemporaryFolder()
    let text = """
      time_ns,stream,channel,value
      1,gpio:3,level,1
      2,imu,x,5
      2,imu,y,6
      2,imu,x,7
      3,gpio:3,level,0
      4,imu,y,8

      """
    let path = folder.file("t.csv", text)
    let trace = try TraceReader(path: path)
    XCTAssertEqual(trace.streams.map(\.name), ["gpio:3", "imu"])
    XCTAssertEqual(trace.streams[1].channels.map(\.name), ["x", "y"])
    XCTAssertEqual(
      try readings(path),
      [
        reading(1, 0, [1]), reading(2, 1, [5, 6]),
        {
          var missing = reading(2, 1, [7, 0]); missing.values[1] = .missing; return missing
        }(),
        reading(3, 0, [0]),
        {
          var missing = reading(4, 1, [0, 8]); missing.values[0] = .missing; return missing
        }(),
      ])
  }

  func testTimesAreExactOrRounded() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv", "t,x\n0.010078907,1\n1e-3,2\n-2,3\n")
    XCTAssertEqual(
      try readings(path, TraceFormat(timeColumn: "t", timeUnit: .seconds)).map(\.time),
      [10_078_907, 1_000_000, -2_000_000_000])
    let fine = folder.file("fine.csv", "t,x\n0.0000000006,1\n")
    XCTAssertEqual(try readings(fine, TraceFormat(timeColumn: "t", timeUnit: .seconds)).map(\.time), [1])
    XCTAssertEqual(failure("t,x\n10000000000,1\n", TraceFormat(timeColumn: "t", timeUnit: .seconds))?.code, .malformed)
  }

  func testTheFirstBadCellIsNamed() {
    XCTAssertTrue(failure("time_ns,x\n1,2\n2,abc\n")?.description.contains("line 3, column 2: \"abc\"") == true)
    XCTAssertTrue(failure("time_ns,x\n1,2\n2\n")?.description.contains("line 3, column 2: the row has 1 cell") == true)
    XCTAssertTrue(failure("time_ns,x\n,2\n")?.description.contains("line 2, column 1") == true)
    XCTAssertTrue(failure("time_ns,x\n1,\"2\n")?.description.contains("does not end") == true)
    XCTAssertTrue(failure("")?.description.contains("empty") == true)
    XCTAssertTrue(failure("a,b\n1,2\n")?.description.contains("\"a\", \"b\"") == true)
    XCTAssertTrue(failure("time_ns,stream,channel,value\n1,a,b\n")?.description.contains("line 2") == true)
    XCTAssertEqual(failure("time_ns," + (0..<65).map(String.init).joined(separator: ",") + "\n")?.code, .unsupported)
    XCTAssertEqual(error { _ = try TraceReader(path: "/nonexistent/t.csv") }?.code, .notFound)
    XCTAssertEqual(error { _ = try readings("/proc/self/fdinfo") }?.code, .notFound)
  }

  func testLongRowsAndManyChunks() throws {
    let folder = TemporaryFolder()
    let rows = (0..<40_000).map { "\($0),\($0 * 3),\"\($0)\"\n" }.joined()
    let path = folder.file("t.csv", "time_ns,x,y\n" + rows)
    let all = try readings(path)
    XCTAssertEqual(all.count, 40_000)
    XCTAssertTrue(all.enumerated().allSatisfy { $1.time == $0 && $1.values == [Int64($0 * 3), Int64($0)] })
  }

  func testNoFileTraps() throws {
    let folder = TemporaryFolder()
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("0123456789,,,\"\n\r.-e x".utf8) + [0, 0xff]
    for round in 0..<500 {
      let bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in alphabet.randomElement(using: &generator)!
      }
      let header = round % 2 == 0 ? "time_ns,x\n" : "time_ns,stream,channel,value\n"
      let path = folder.file("fuzz.csv")
      _ = FileManager.default.createFile(atPath: path, contents: Data(header.utf8) + Data(bytes))
      _ = error { _ = try readings(path) }
    }
  }

  func testTheTimeHasOneColumn() {
    let seconds = TraceFormat(timeColumn: "t", timeUnit: .seconds)
    XCTAssertTrue(failure("time_ns,x,time_ns\n1,2,3\n")?.cause.contains("two columns \"time_ns\"") == true)
    XCTAssertTrue(failure("t,x,t\n1,2,3\n", seconds)?.cause.contains("two columns \"t\"") == true)
    XCTAssertTrue(failure("time_ns,t\n1,2\n", seconds)?.cause.contains("\"time_ns\" beside") == true)
  }

  func testLinesThatEndWithACarriageReturn() throws {
    XCTAssertNil(failure("x,time_ns\r1,2\r"))
    XCTAssertTrue(failure("x,y\r,time_ns\n1,2,3\n")?.cause.contains("carriage return") == true)
    let folder = TemporaryFolder()
    XCTAssertEqual(try readings(folder.file("t.csv", "\"a\rb\",time_ns\r\n1,2\r\n")).map(\.time), [2])
  }

  func testNumbersAreRoundedTo64Bits() throws {
    let rows = ["9223372036854775807", "9223372036854775808", "-1138687895422480280.447103723", "5"]
    let said = " a number has more digits than fit in 64 bits; such numbers are rounded"
    for (text, place) in [
      ("time_ns,x\n" + rows.map { "1,\($0)\n" }.joined(), "line 3:"),
      (rows.map { "{\"time_ns\":1,\"stream\":\"s\",\"values\":{\"x\":\($0)}}\n" }.joined(), "line 2:"),
      (rows.map { "{\"time\":1,\"x\":\($0)}\n" }.joined(), "line 2:"),
    ] {
      let read = Replayed(
        text, TraceFormat(timeColumn: text.contains("time_ns") ? nil : "time", timeUnit: .nanoseconds))
      XCTAssertEqual(
        read.rows, ["1 9223372036854775807", "1 9223372036854775810", "1 -1138687895422480280", "1 5"], text)
      XCTAssertEqual(read.said.filter { $0.contains("number") }, ["t.csv: \(place)\(said)"], text)
    }
  }
}
