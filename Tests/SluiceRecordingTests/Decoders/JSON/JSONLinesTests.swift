import Foundation
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

final class JSONLinesTests: XCTestCase {
  private typealias Channel = StreamDescription.Channel

  private let imu = StreamDescription(
    name: "imu",
    channels: [Channel(name: "x", scale: ExactDecimal(significand: 10, exponent: -2)), Channel(name: "\"y")])
  private let meter = StreamDescription(name: "MÉTER\n", channels: [Channel(name: "level")])

  private func read(_ text: String, metadata: String? = nil) throws -> (TraceReader, [Reading]) {
    let trace = try TraceReader(Array(text.utf8), name: "t.jsonl", metadata: metadata.map { Array($0.utf8) })
    var readings: [Reading] = []
    while let reading = try trace.next() { readings.append(reading) }
    return (trace, readings)
  }

  func testALinePerReading() throws {
    var first = reading(-5, 0, [150, 7])
    first.flags = [.gapBefore, .late, .uncertainTime]
    var missing = reading(6, 0, [])
    missing.values.append(.missing)
    missing.values.append(ExactDecimal(significand: 250, exponent: -2))
    let text = JSONLinesEncoder(EncoderStreams([imu, meter])).text([first, reading(5, 1, [1]), missing])
    XCTAssertEqual(
      text,
      #"""
      {"time_ns":-5,"stream":"imu","values":{"x":15.00,"\"y":7},"flags":["gap_before","late","uncertain_time"]}
      {"time_ns":5,"stream":"MÉTER\n","values":{"level":1}}
      {"time_ns":6,"stream":"imu","values":{"x":null,"\"y":2.50}}

      """#)
    for line in text.split(separator: "\n") {
      XCTAssertNoThrow(try JSONSerialization.jsonObject(with: Data(line.utf8)), String(line))
    }
    let (trace, readings) = try read(text)
    XCTAssertEqual(trace.streams.map(\.name), ["imu", "MÉTER\n"])
    XCTAssertEqual(trace.streams[0].channels.map(\.name), ["x", "\"y"])
    XCTAssertEqual(readings.map(\.time), [-5, 5, 6])
    XCTAssertEqual(readings.map(\.stream.index), [0, 1, 0])
    XCTAssertEqual(readings[0].values[0], ExactDecimal(significand: 1500, exponent: -2), "no digit is lost")
    XCTAssertEqual(readings[0].flags, [.gapBefore, .late, .uncertainTime])
    XCTAssertTrue(readings[2].values[0].isMissing)
  }

  /// Each reading of another stream, and in the order of another writer.
  func testMembersMayStandAnywhere() throws {
    let (trace, readings) = try read(
      #"""
       { "values" : {"b":2 , "a" : -1e-3}, "more":[1,{"x":[]},"]"], "stream":"\u00e9", "time_ns": 12 }

      {"stream":"é","values":{"a":4},"time_ns":13}
      {"stream":"é","values":{"c":1,"a":5},"time_ns":14}
      """#)
    XCTAssertEqual(trace.streams.map(\.name), ["é"])
    XCTAssertEqual(trace.streams[0].channels.map(\.name), ["b", "a", "c"])
    XCTAssertEqual(
      readings.map { $0.values.map { $0.isMissing ? "-" : $0.description } },
      [["2", "-0.001", "-"], ["-", "4", "-"], ["-", "5", "1"]])
  }

  func testWhatIsWrongIsSaidWithItsLine() {
    for (line, sentence) in [
      ("{\"time_ns\":1,\"stream\":\"a\"}", "line 2: it has no member \"values\""),
      ("{\"stream\":\"a\",\"values\":{}}", "line 2: it has no member \"time_ns\""),
      ("{\"time_ns\":1e19,\"stream\":\"a\",\"values\":{}}", "1e19 ns does not fit in 64 bits of nanoseconds"),
      ("{\"time_ns\":1,\"stream\":7,\"values\":{}}", "its \"stream\" is not a string"),
      ("{\"time_ns\":1,\"stream\":\"\\x\",\"values\":{}}", "its \"stream\" is not a JSON string"),
      ("{\"time_ns\":1,\"stream\":\"a\",\"values\":[1]}", "its \"values\" are not an object"),
      ("{\"time_ns\":1,\"stream\":\"a\",\"values\":{\"x\":\"1\"}}", "\"1\" is not a number"),
      ("{\"time_ns\":1,\"stream\":\"a\",\"values\":{\"x\":1", "it is not a JSON object"),
      ("{\"time_ns\":1,\"stream\":\"a\",\"values\":{\"x\":1}} 5", "it is not a JSON object"),
      (
        "\(String(repeating: "{\"a\":", count: 5_000))1\(String(repeating: "}", count: 5_000))",
        "its values are nested more than 64 deep"
      ),
      ("nonsense", "it is not a JSON object"),
    ] {
      let text = "{\"time_ns\":0,\"stream\":\"a\",\"values\":{\"x\":1}}\n\(line)\n"
      XCTAssertTrue("\(error { _ = try read(text) }.map { "\($0)" } ?? "nothing")".contains(sentence), line)
    }
  }

  func testAForeignTimeMember() {
    func rows(_ time: String, _ format: TraceFormat) -> [String] {
      let read = Replayed("{\"t_ms\":\(time),\"stream\":\"a\",\"values\":{\"x\":1}}\n", format)
      return read.rows + [read.fault].compactMap { $0 }
    }
    let found = TraceFormat(timeColumn: "t_ms")
    XCTAssertEqual(rows("1.5", found), ["1500000 1"])
    XCTAssertEqual(rows("1.5", TraceFormat(timeColumn: "t_ms", timeUnit: .seconds)), ["1500000000 1"])
    XCTAssertEqual(rows("\"2024-03-01T12:00:00.5Z\"", found), ["1709294400500000000 1"])
    XCTAssertEqual(rows("\"x\"", found), ["member \"t_ms\": its first value \"x\" is not a time"])
    XCTAssertEqual(rows("1", TraceFormat()), ["line 1: it has no member \"time_ns\""])
  }

  func testWithMetadata() throws {
    let metadata = #"""
      {"sluice:format": "jsonl", "sluice:state": "unfinished", "sluice:values": "raw", "sluice:streams": [
        {"sluice:name": "imu", "sluice:channels": [
          {"sluice:name": "x", "sluice:unit": "g", "sluice:scale": 0.5, "sluice:offset": 0}]}]}
      """#
    let line = #"{"time_ns":1,"stream":"imu","values":{"x":3}}"#
    let (trace, readings) = try read("\(line)\n{\"time_ns\":2,\"str", metadata: metadata)
    XCTAssertEqual(trace.streams[0].channels[0].unit, "g")
    XCTAssertFalse(trace.streams[0].isScaled)
    XCTAssertEqual(readings.count, 1, "what was cut off is left out")
    let other = error { _ = try read(#"{"time_ns":1,"stream":"gyro","values":{"x":3}}"# + "\n", metadata: metadata) }
    XCTAssertEqual(other?.cause, "line 1: stream gyro is not in t.jsonl-metadata.json")
  }

  /// Nothing that comes from outside traps.
  func testAnythingMayStandInALine() {
    var random = SystemRandomNumberGenerator()
    let line = Array(#"{"time_ns":1,"stream":"a\u00e9","values":{"x":-1.5e3,"y":null},"flags":["late"]}"#.utf8)
    for _ in 0..<LongTests.rounds(20_000) {
      var bytes = line
      for _ in 0..<Int.random(in: 1...4) {
        let index = Int.random(in: bytes.indices)
        switch Int.random(in: 0..<3) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert("\"\\{}[],:u".utf8.randomElement() ?? 0, at: index)
        }
      }
      _ = try? read(String(decoding: bytes, as: UTF8.self))
      let trace = try? TraceReader(bytes, name: "t.jsonl")
      while let _ = try? trace?.next() {}
    }
  }
}
