import Foundation
import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceRecording

/// JSON Lines of other programs.
final class JSONObjectsTests: XCTestCase {
  private func replayed(_ lines: [String], _ format: TraceFormat = TraceFormat(), skipsBad: Bool = false) -> Replayed {
    Replayed(lines.map { "\($0)\n" }.joined(), format, skipsBad: skipsBad)
  }

  func testNumbersAreChannels() {
    let read = replayed([
      #"{"ts":1709294400,"temp (C)":21.50,"pos":{"x":1,"deep":{"y":-2e3}},"acc":[0.5,null,7],"name":"a","ok":true}"#,
      "",
      #" {"late":4, "pos" : {"x":3}, "ts":1709294401.5, "name":null, "temp (C)":null, "acc":[], "empty":{}} "#,
    ])
    XCTAssertNil(read.fault)
    XCTAssertEqual(read.trace?.streams.map(\.name), ["t"])
    XCTAssertEqual(read.names, ["temp (C)", "pos.x", "pos.deep.y", "acc.0", "acc.2", "late"])
    XCTAssertEqual(read.trace?.streams.first?.channels.map(\.unit), ["C", nil, nil, nil, nil, nil])
    XCTAssertEqual(
      read.rows, ["1709294400000000000 21.50|1|-2000|0.5|7|", "1709294401500000000 |3||||4"])
    XCTAssertEqual(
      read.said,
      [
        "t.csv: the time is member \"ts\" in seconds; if not, give --time-column and --time-unit",
        "t.csv: members \"name\", \"ok\" are left out if the value is a string, true or false",
      ])
    XCTAssertEqual(read.trace?.isGrowing, false)
  }

  func testTimes() {
    XCTAssertEqual(
      replayed([#"{"timestamp":"2024-03-01T12:00:00.5Z","x":1}"#]).rows, ["1709294400500000000 1"])
    XCTAssertEqual(replayed([#"{"time_ms":5,"x":1}"#]).rows, ["5000000 1"])
    XCTAssertEqual(replayed([#"{"time_ns":5,"x":1}"#]).rows, ["5 1"])
    XCTAssertEqual(
      replayed([#"{"Date":"2024-03-01","time":"12:00:00","x":1}"#]).rows, ["1709294400000000000 1"])
    let nested = TraceFormat(timeColumn: "header.stamp", timeUnit: .milliseconds)
    XCTAssertEqual(replayed([#"{"header":{"stamp":7},"x":1}"#], nested).rows, ["7000000 1"])
    XCTAssertEqual(
      replayed([#"{"ts":1,"x":1}"#]).fault,
      "line 1: member \"ts\": the unit of its times is not known, and the first time is \"1\"")
    XCTAssertEqual(replayed([#"{"y":1,"x":1}"#]).fault, "line 1: none of its members has the name of a time member")
  }

  func testColumnsPickMembers() {
    let lines = [#"{"t":1.5,"a":1,"b":{"c":2},"d":[3,4],"e":"x"}"#, #"{"t":2.5,"d":[5,"x"],"a":6}"#]
    let read = replayed(lines, TraceFormat(columns: ["d.1", "a", "b.c"]))
    XCTAssertNil(read.fault)
    XCTAssertEqual(read.names, ["d.1", "a", "b.c"])
    XCTAssertEqual(read.rows, ["1500000000 4|1|2", "2500000000 |6|"])
    XCTAssertEqual(
      replayed(lines, TraceFormat(columns: ["f"])).fault, "none of its objects has a number \"f\"")
    XCTAssertEqual(replayed(lines, TraceFormat(columns: ["e"])).fault, "none of its objects has a number \"e\"")
    XCTAssertEqual(replayed(lines, TraceFormat(columns: ["a", "a"])).fault, "--columns names \"a\" twice")
    XCTAssertEqual(replayed(lines, TraceFormat(columns: ["t"])).fault, "\"t\" is its time")
  }

  func testChannelsAreLimited() {
    let numbers = (0..<65).map { "\($0)" }.joined(separator: ",")
    let read = replayed([#"{"t":1.5,"wave":[\#(numbers)]}"#])
    XCTAssertEqual(
      read.error.map { "\($0)" },
      "cannot read t.csv: its objects have more than 64 numbers, but 64 is the limit; choose some with --columns")
    XCTAssertEqual(
      replayed([#"{"t":1.5,"wave":[\#(numbers)]}"#], TraceFormat(columns: ["wave.64"])).rows, ["1500000000 64"])
  }

  /// The readings before it are delivered; with --skip-bad, those behind it too.
  func testWhatIsWrongIsSaidWithItsLine() {
    let long = String(repeating: "x", count: 1_025)
    for (line, sentence) in [
      (#"{"x":2}"#, "line 2: it has no member \"t\""),
      (#"{"t":null,"x":2}"#, "line 2: \"null\" is not a time"),
      (#"{"t":"x","x":2}"#, "line 2: \"x\" is not a time"),
      (#"{"t":2.5,"x":2"#, "line 2: it is not a JSON object"),
      (#"{"t":2.5,"x":2} 3"#, "line 2: it is not a JSON object"),
      ("[1]", "line 2: it is not a JSON object"),
      (#"{"t":2.5,"x":1e200}"#, "is too large a number"),
      (#"{"t":2.5,"x":-}"#, "\"x\": - is not a number"),
      (#"{"t":2.5,"\q":1}"#, "the name of a member, \"\\q\", is not a JSON string"),
      (#"{"t":2.5,"\#(long)":1}"#, "the name of a member has more than 1024 bytes"),
    ] {
      let lines = [#"{"t":1.5,"x":1}"#, line, #"{"t":3.5,"x":3}"#]
      let read = replayed(lines)
      XCTAssertEqual(read.rows, ["1500000000 1"], line)
      XCTAssertTrue((read.fault ?? "").contains(sentence), "\(line): \(read.fault ?? "nothing")")
      XCTAssertEqual(replayed(lines, skipsBad: true).rows, ["1500000000 1", "3500000000 3"], line)
    }
  }

  func testWhatIsNotFiniteIsMissing() {
    let read = replayed([#"{"t":1.5,"x":NaN,"y":-Infinity,"z":1}"#, #"{"t":2.5,"x":1,"y":2,"z":Infinity}"#])
    XCTAssertEqual(read.names, ["z", "x", "y"])
    XCTAssertEqual(read.rows, ["1500000000 1||", "2500000000 |1|2"])
  }

  /// The same name may be written in several ways, and have text in some objects.
  func testNames() {
    let read = replayed([#"{"t":1.5,"\u00e9":1,"s":"x"}"#, #"{"t":2.5,"é":2,"s":3}"#, #"{"t":3.5,"\u00e9":"n/a"}"#])
    XCTAssertEqual(read.names, ["é", "s"])
    XCTAssertEqual(read.rows, ["1500000000 1|", "2500000000 2|3", "3500000000 |"])
    XCTAssertEqual(read.said.last, "t.csv: member \"s\" is left out if the value is a string, true or false")
  }

  /// Objects of ours with something missing keep their errors.
  func testOurObjectsAreOurs() {
    XCTAssertEqual(
      replayed([#"{"time_ns":1,"stream":"a"}"#]).fault, "line 1: it has no member \"values\"")
    XCTAssertEqual(replayed([#"{"stream":"a","values":{}}"#]).fault, "line 1: it has no member \"time_ns\"")
    XCTAssertEqual(replayed([#"{"t":1.5,"values":{"x":1}}"#]).names, ["values.x"])
  }

  /// From a pipe channels are learned.
  func testPipe() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("{\"t\":1.5,\"a\":1}\n".utf8))
    let trace = try TraceReader(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    XCTAssertTrue(trace.isGrowing)
    var readings = Array(repeating: Reading.empty, count: 4)
    XCTAssertEqual(try trace.next(into: &readings), 1)
    XCTAssertEqual(trace.streams.first?.channels.map(\.name), ["a"])
    pipe.fileHandleForWriting.write(Data("{\"t\":2.5,\"b\":2}\n".utf8))
    pipe.fileHandleForWriting.closeFile()
    XCTAssertEqual(try trace.next(into: &readings), 1)
    XCTAssertEqual(trace.streams.first?.channels.map(\.name), ["a", "b"])
    XCTAssertEqual(readings[0].values.map(\.description), ["", "2"])
    XCTAssertEqual(try trace.next(into: &readings), 0)
    XCTAssertFalse(trace.isGrowing)
  }
}
