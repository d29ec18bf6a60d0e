import Foundation
import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceRecording

/// What `gpiomon` prints: version 1.6, and tools/gpiomon.c of version 2.
final class GPIOMonTraceTests: XCTestCase {
  private func edges(_ text: String) throws -> [String] {
    let trace = try TraceReader(Array(text.utf8), name: "edges.txt")
    return try edges(trace)
  }

  private func edges(_ trace: TraceReader) throws -> [String] {
    var rows: [String] = []
    while let reading = try trace.next() {
      rows.append("\(reading.time) \(trace.streams[Int(reading.stream.index)].name) \(reading.values[0])")
    }
    return rows
  }

  func testVersion1() throws {
    let text = """
      event:  RISING EDGE offset: 3 timestamp: [    1234.567890123]
      event: FALLING EDGE offset: 17 timestamp: [1700000000.000000001]

      event:  RISING EDGE offset: 17 timestamp: [       1.000000000]

      """
    XCTAssertEqual(
      try edges(text), ["1234567890123 line3 1", "1700000000000000001 line17 0", "1000000000 line17 1"])
    let trace = try TraceReader(Array(text.utf8), name: "edges.txt")
    XCTAssertEqual(trace.streams.map(\.name), ["line3", "line17"], "a file is read twice")
    XCTAssertFalse(trace.isGrowing)
    XCTAssertEqual(trace.streams[0].channels, [.init(name: "level", format: StreamDescription.Channel.level)])
    XCTAssertEqual(trace.streams[0].device, trace.streams[1].device, "edges of one time may share a row")
  }

  func testVersion2() throws {
    let text = """
      Monitoring lines 'GPIO 3', and '7'...
      "GPIO 3"=active "7"=inactive
      1234.567890123\trising\tgpiochip0 3
      1234.567890124\tfalling\t"GPIO 3"
      1234.567890125\trising\tgpiochip0 9 "LED"
      1234.567890126\trising\tLED
      1234.567890127\tfalling\tgpiochip0 10 A line
      1234.567890128\tfalling\tgpiochip12 3
      \r
      1234.567890129\trising\t"GPIO 3"\r

      """
    XCTAssertEqual(
      try edges(text),
      [
        "1234567890123 gpiochip0:3 1", "1234567890124 GPIO 3 0", "1234567890125 LED 1", "1234567890126 LED 1",
        "1234567890127 A line 0", "1234567890128 gpiochip12:3 0", "1234567890129 GPIO 3 1",
      ])
  }

  /// What gpiomon 1.6.3 and 2.2.1 wrote on the virtual board: `gpiomon gpiochip0 1 3`, and
  /// `gpiomon --banner --chip gpiochip0 1 3`, where line 3 has the name METER.
  func testWhatTheProgramsWrote() throws {
    let old = """
      event:  RISING EDGE offset: 1 timestamp: [       0.697047040]
      event:  RISING EDGE offset: 3 timestamp: [       0.725083904]
      event: FALLING EDGE offset: 1 timestamp: [       0.755068672]
      event: FALLING EDGE offset: 3 timestamp: [       0.787081984]

      """
    XCTAssertEqual(
      try edges(old), ["697047040 line1 1", "725083904 line3 1", "755068672 line1 0", "787081984 line3 0"])
    let new = """
      Monitoring lines '1', and '3'...
      6.283036800\trising\tgpiochip0 1
      6.312033920\trising\tgpiochip0 3 "METER"
      6.341050496\tfalling\tgpiochip0 1
      6.371071872\tfalling\tgpiochip0 3 "METER"

      """
    XCTAssertEqual(
      try edges(new),
      ["6283036800 gpiochip0:1 1", "6312033920 METER 1", "6341050496 gpiochip0:1 0", "6371071872 METER 0"])
    // `METER`, `--unquoted METER`, `--unquoted --chip gpiochip0 3`, `--event-clock realtime`, `--localtime`
    for (line, time) in [
      ("1.535032960\trising\t\"METER\"", "1535032960"), ("2.910059136\trising\tMETER", "2910059136"),
      ("3.588044928\trising\tgpiochip0 3 METER", "3588044928"),
      ("2026-11-23T11:25:32.970123387Z\trising\tgpiochip0 3 \"METER\"", "1795433132970123387"),
      ("2026-11-23T11:25:34.327117947\trising\tgpiochip0 3 \"METER\"", "1795433134327117947"),
    ] {
      XCTAssertEqual(try edges("\(line)\n"), ["\(time) METER 1"])
    }
  }

  /// `--event-clock realtime`, `--utc` and `--localtime`.
  func testDates() throws {
    XCTAssertEqual(
      Replayed("2024-03-01T12:00:00.500000001Z\trising\t\"A\"\n").rows, ["1709294400500000001 1"])
    let local = Replayed("2024-03-01T12:00:00.500000001\trising\t\"A\"\n")
    XCTAssertEqual(local.rows, ["1709294400500000001 1"])
    XCTAssertEqual(local.said, ["t.csv: its times have no zone and are read as UTC"])
    let both = Replayed("1.5\trising\t\"A\"\n2024-03-01T12:00:00.5Z\trising\t\"A\"\n")
    XCTAssertEqual(both.rows, ["1500000000 1"])
    XCTAssertEqual(
      both.fault,
      "line 2: its time \"2024-03-01T12:00:00.5Z\" is a date, but the times before it are seconds")
  }

  func testFormatsOfTheUserAreRefused() {
    for text in ["1234.5 rising 3", "3 falling 1700000000", "1 rising\tA"] {
      let replayed = Replayed("\(text)\n")
      XCTAssertEqual(replayed.rows, [])
      XCTAssertTrue(
        "\(replayed.error.map { "\($0)" } ?? "")".contains(
          "is not a line of gpiomon's default output; give the default output of gpiomon, without --format"), text)
    }
  }

  func testWhatIsNoOutputOfGPIOMonIsNotTaken() {
    for text in [
      "time\trising\tfalling", "time,rising\n1,2", "rising 3 edges,time", "1 0", "{\"rising\": 1}", "", "\n\n",
      "event,time\n", "4 rising, 5 falling",
    ] {
      XCTAssertFalse(GPIOMonTrace.recognizes(Array(text.utf8)), text)
    }
  }

  /// The readings before it are delivered; with --skip-bad, those behind it too.
  func testWhatIsWrongIsSaidWithItsLine() {
    let good = "1.000000000\trising\t\"A\"\n"
    let long = String(repeating: "x", count: 33)
    for (line, sentence) in [
      ("1.5\tup\t\"A\"", "line 2: \"1.5\\x09up\\x09\"A\"\" is not a line of gpiomon's default output"),
      ("1.5\trising\t", "is not a line of gpiomon's default output"),
      ("1.5\trising\t\"\(long)\"", "is not a line of gpiomon's default output"),
      ("1.5\trising\tgpiochip0 12345678901", "is not a line of gpiomon's default output"),
      ("event: RISING EDGE offset: 3 timestamp: [1.5", "is not a line of gpiomon's default output"),
      ("event: RISING EDGE offset: timestamp: [1.5]", "is not a line of gpiomon's default output"),
      ("event: ", "is not a line of gpiomon's default output"),
      ("event:", "is not a line of gpiomon's default output"),
      ("1.5.5\trising\t\"A\"", "\"1.5.5\" is not a time"),
      ("99999999999999.0\trising\t\"A\"", "does not fit in 64 bits of nanoseconds"),
    ] {
      let text = "\(good)\(line)\n2.000000000\tfalling\t\"A\"\n"
      let replayed = Replayed(text)
      XCTAssertEqual(replayed.rows, ["1000000000 1"], line)
      XCTAssertTrue((replayed.fault ?? "").contains(sentence), "\(line): \(replayed.fault ?? "nothing")")
      let rest = Replayed(text, skipsBad: true)
      XCTAssertEqual(rest.rows, ["1000000000 1", "2000000000 0"], line)
      XCTAssertNil(rest.fault)
      XCTAssertEqual(rest.said.count, 1)
    }
    let name: [UInt8] = Array("1.0\trising\t\"".utf8) + [0xff] + Array("\"\n".utf8)
    XCTAssertEqual(
      Replayed(bytes: Array(good.utf8) + name).fault, "line 2: the name of its line, \"\u{fffd}\", is not UTF-8")
  }

  /// From a pipe the streams are learned.
  func testPipe() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("1.5\trising\tA\n2.5\tfalling\tB\n".utf8))
    let trace = try TraceReader(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    XCTAssertTrue(trace.isGrowing)
    XCTAssertEqual(trace.streams.count, 0)
    var readings = Array(repeating: Reading.empty, count: 1)
    XCTAssertEqual(try trace.next(into: &readings), 1)
    XCTAssertEqual(trace.streams.map(\.name), ["A"])
    pipe.fileHandleForWriting.closeFile()
    XCTAssertEqual(try edges(trace), ["2500000000 B 0"])
    XCTAssertFalse(trace.isGrowing)
  }

  func testStreamsOfAPipeAreLimited() throws {
    var text = ""
    for line in 0...TraceReader.limit { text += "1.5\trising\tgpiochip0 \(line)\n" }
    let pipe = Pipe()
    let writing = pipe.fileHandleForWriting
    let bytes = Data(text.utf8)
    Thread.detachNewThread {
      writing.write(bytes)
      writing.closeFile()
    }
    let trace = try TraceReader(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    var count = 0
    let failure = error { while try trace.next() != nil { count += 1 } }
    XCTAssertEqual(count, TraceReader.limit)
    XCTAssertEqual(failure?.cause, "line 1025: there are more than 1024 GPIO lines")
    XCTAssertEqual(try edges(text).count, TraceReader.limit + 1, "a file may have more")
  }
}
