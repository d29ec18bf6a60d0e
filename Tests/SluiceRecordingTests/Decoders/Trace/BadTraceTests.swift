import Foundation
import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Rows that cannot be read: the first ends the trace with its place, or all are left out and counted.
final class BadTraceTests: XCTestCase {
  /// It is no fault of a row, and no program that writes the file has to be waited for.
  func testAFileOfTooManyStreamsIsRefused() throws {
    let folder = TemporaryFolder()
    let streams = 0...16_384
    let texts = [
      "time_ns,stream,channel,value\n" + streams.map { "1,s\($0),x,1\n" }.joined(),
      streams.map { "{\"time_ns\":1,\"stream\":\"s\($0)\",\"values\":{\"x\":1}}\n" }.joined(),
      streams.map { "event:  RISING EDGE offset: \($0) timestamp: [       1.500000000]\n" }.joined(),
    ]
    for (text, place) in zip(texts, ["line 16386, column 2", "line 16385", "line 16385"]) {
      let path = folder.file("t.csv", text)
      for skipsBad in [false, true] {
        let failure = error { _ = try TraceReader(path: path, skipsBad: skipsBad) }
        XCTAssertTrue(
          failure?.cause.hasPrefix("\(place): there are more than 16384 ") == true, "\(failure?.cause ?? "nothing")")
      }
    }
  }

  func testTheFirstObjectMayHaveMoreMembersThanAreLookedAt() {
    let text = (0..<100_000).map { "\"m\($0)\":\"t\"" }.joined(separator: ",")
    XCTAssertEqual(Replayed("{\"time_ms\":1,\(text),\"x\":2}\n").rows, ["1000000 2"])
    XCTAssertTrue(
      Replayed("{\(text),\"time_ms\":1,\"x\":2}\n").fault?.contains("none of its members has the name of a time member")
        == true)
  }

  func testHowDeepValuesMayBe() {
    func nested(_ depth: Int) -> String {
      "{\"time_ms\":1,\"x\":" + String(repeating: "[", count: depth) + "2" + String(repeating: "]", count: depth)
        + "}\n"
    }
    XCTAssertEqual(Replayed(nested(62)).rows, ["1000000 2"])
    for depth in [64, 1_000_000] {
      XCTAssertEqual(Replayed(nested(depth)).fault, "line 1: its values are nested more than 64 deep")
    }
    XCTAssertEqual(
      Replayed("{\"time_ms\":1,\"x\":2,\"s\":\"" + String(repeating: "[", count: 100) + "\"\n").fault,
      "line 1: it is not a JSON object")
  }

  /// A good row, the bad ones, and a good row.
  private func check(
    _ bad: String, _ cause: String, skipped: Int = 1, header: String = "t_s,x\n", good: [String] = ["1,2\n", "3,4\n"],
    line: UInt = #line
  ) {
    let text = header + good[0] + bad + good[1]
    let stopped = Replayed(text)
    XCTAssertEqual(stopped.rows.count, 1, text, line: line)
    XCTAssertEqual(stopped.fault, cause, text, line: line)
    XCTAssertNotNil(stopped.error?.remedy, line: line)
    for block in [1, 2, 512] {
      let read = Replayed(text, skipsBad: true, block: block)
      XCTAssertNil(read.fault, line: line)
      XCTAssertEqual(read.rows.count, 2, "\(read.rows)", line: line)
      XCTAssertEqual(read.trace?.skippedRows.count, skipped, line: line)
      XCTAssertEqual(read.trace?.skippedRows.first?.cause, cause, line: line)
      let sentence =
        skipped == 1
        ? "t.csv: a row could not be read and is left out: \(cause)"
        : "t.csv: \(skipped) rows could not be read and are left out; the first is \(cause)"
      XCTAssertEqual(read.said.filter { $0.contains("could not be read") }, [sentence], line: line)
    }
  }

  func testBadRows() {
    let noNumber = "is not a number"
    check("2\n", "line 3, column 2: the row has 1 cell, but the header has 2")
    check("2,3,4\n", "line 3, column 3: the row has 3 cells, but the header has 2")
    check(",3\n", "line 3, column 1: \"\" is not a time")
    check("  ,3\n", "line 3, column 1: \"\" is not a time")
    check("nan,3\n", "line 3, column 1: \"nan\" is not a time")
    check("2,abc\n", "line 3, column 2: \"abc\" \(noNumber)")
    check("2,1e200\n", "line 3, column 2: \"1e200\" is too large a number")
    check("2,\0\0\n", "line 3, column 2: \"\\x00\\x00\" has NUL bytes")
    check("\0\0\0\n", "line 3, column 2: the row has NUL characters")
    check("2,3\r4,5\n", "line 3, column 3: the row has 3 cells, but the header has 2")
    check("2,\u{1b}[31m\n", "line 3, column 2: \"\\x1b[31m\" \(noNumber)")
    check("99999999999,3\n", "line 3, column 1: 99999999999 s does not fit in 64 bits of nanoseconds")
    check("2024-03-01T12:00:00Z,3\n", "line 3, column 1: \"2024-03-01T12:00:00Z\" is not a time")
    check("# a comment\n", "line 3, column 2: the row has 1 cell, but the header has 2")
    check("2,x\n2,y\n2,z\n", "line 3, column 2: \"x\" \(noNumber)", skipped: 3)
    check(
      "2016-12-31T23:59:60Z,3\n",
      "line 3, column 1: \"2016-12-31T23:59:60Z\" is a leap second, which has no time since the epoch",
      good: ["2016-12-31T23:59:59Z,1\n", "2017-01-01T00:00:00Z,1\n"])
  }

  /// The quote may be what is wrong, so that only its line is left out.
  func testQuotesAcrossLines() {
    let noNumber = "is not a number"
    check("2,\"3\n", "line 3, column 1: a quoted cell does not end")
    check("2,\"a\nb\"\n", "line 3, column 2: \"a\\x0ab\" \(noNumber)", skipped: 2)
    // A quote that does not begin a cell is a character.
    check("2,3\"\n2.5,6\"\n", "line 3, column 2: \"3\"\" \(noNumber)", skipped: 2)
    let read = Replayed("t_s,x\n1,\"2\n2,3\n3,4\n", skipsBad: true)
    XCTAssertEqual(read.rows, ["2000000000 3", "3000000000 4"])
  }

  func testInTheLongLayout() {
    // A bad row between two channels of one reading does not cut it.
    let text = "time_ns,stream,channel,value\n1,a,x,1\n1,a\n1,a,y,2\n2,a,x,q\n2,b,z,3\n"
    XCTAssertEqual(Replayed(text).rows, ["1 1"])
    XCTAssertEqual(Replayed(text).fault, "line 3, column 3: the row has 2 cells, but the header has 4")
    for block in [1, 512] {
      let read = Replayed(text, skipsBad: true, block: block)
      XCTAssertEqual(read.rows, ["1 1|2", "2 3"])
      XCTAssertEqual(read.trace?.skippedRows.count, 2)
    }
  }

  func testOfSeveralStreams() {
    let text = "time_ns,a.x,b.x\n1,2,\n2,,\n3,1,oops\n4,,5\n"
    XCTAssertEqual(Replayed(text, skipsBad: true).rows, ["1 2", "4 5"])
    XCTAssertEqual(Replayed(text, skipsBad: true).trace?.skippedRows.count, 2)
  }

  func testInJSONLines() {
    let good = { (time: Int) in "{\"time_ns\":\(time),\"stream\":\"a\",\"values\":{\"x\":\(time)}}\n" }
    let text = good(1) + "{\"time_ns\":}\n" + good(2) + "nonsense\n\0\n" + good(3)
    XCTAssertEqual(Replayed(text).rows, ["1 1"])
    let read = Replayed(text, skipsBad: true)
    XCTAssertEqual(read.rows, ["1 1", "2 2", "3 3"])
    XCTAssertEqual(read.trace?.skippedRows.count, 3)
    XCTAssertEqual(
      read.said, ["t.csv: 3 rows could not be read and are left out; the first is line 2: it is not a JSON object"])
  }

  /// What is wrong with the whole is no row that could be left out.
  func testAHeaderIsNotLeftOut() {
    for text in ["", "a,b\n1,2\n", "time,time\n1,2\n", "x\ry\r"] {
      XCTAssertNotNil(Replayed(text, skipsBad: true).fault, text)
    }
    XCTAssertEqual(Replayed("t_s,x\n").rows, [])
    XCTAssertNil(Replayed("t_s,x").fault, "a header alone has no rows")
  }

  func testTimesMayGoBackwards() {
    XCTAssertEqual(Replayed("t_s,x\n2,1\n1,1\n").rows, ["2000000000 1", "1000000000 1"])
  }

  // MARK: UTF-16

  func testUTF16IsRead() {
    let text = "time_ns,x\n1,2\n"
    let units = Array(text.utf16)
    let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    let big = units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    for (bytes, name) in [
      ([0xff, 0xfe] + little, "UTF-16LE"), ([0xfe, 0xff] + big, "UTF-16BE"), (little, "UTF-16LE"), (big, "UTF-16BE"),
    ] {
      let read = Replayed(bytes: bytes)
      XCTAssertEqual(read.rows, ["1 2"])
      XCTAssertTrue(read.said.contains("t.csv: its text is \(name), and is read as such"), "\(read.said)")
    }
  }

  // MARK: Long lines

  /// A line of a gigabyte from a pipe: it is read through, and never kept.
  func testALineOfAGigabyte() throws {
    let folder = TemporaryFolder()
    let path = folder.file("pipe")
    XCTAssertEqual(mkfifo(path, 0o600), 0)
    signal(SIGPIPE, SIG_IGN)
    let writer = Thread {
      let pipe = open(path, O_WRONLY)
      let chunk = [UInt8](repeating: UInt8(ascii: "7"), count: 1 << 20)
      for bytes in [Array("time_ns,x\n1,2\n".utf8)] + Array(repeating: chunk, count: 1 << 10) + [Array("\n3,4\n".utf8)]
      {
        var left = bytes[...]
        while !left.isEmpty {
          let count = left.withUnsafeBytes { write(pipe, $0.baseAddress, $0.count) }
          guard count > 0 else { return _ = close(pipe) }
          left = left.dropFirst(count)
        }
      }
      close(pipe)
    }
    writer.start()
    let before = peakMemory
    let trace = try TraceReader(path: path, skipsBad: true)
    var times: [Int64] = []
    while let reading = try trace.next() { times.append(reading.time) }
    XCTAssertEqual(times, [1, 3])
    XCTAssertEqual(trace.skippedRows.count, 1)
    XCTAssertEqual(trace.skippedRows.first?.cause, "line 3, column 1: the row is longer than 16 MiB")
    XCTAssertLessThan(peakMemory - before, 256 << 20)
  }

  func testLinesThatEndWithACarriageReturnAreSeenInALongFile() {
    let read = Replayed("t_s,x\r" + String(repeating: "1,2\r", count: 5 << 18))
    XCTAssertEqual([read.fault, "\(read.rows.count)"], [nil, "\(5 << 18)"])
  }

  /// What this process has ever had in memory at once, in bytes.
  private var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
  }
}
