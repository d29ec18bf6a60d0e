import Foundation
import SluiceReadings
import SluiceSystem
import XCTest

@testable import SluiceRecording

/// CSV that Saleae Logic 2 exports.
final class LogicExportTests: XCTestCase {
  /// Each reading with its stream and flags.
  private func edges(_ trace: TraceReader) throws -> [String] {
    var rows: [String] = []
    while let reading = try trace.next() {
      let flags = reading.flags.contains(.initialLevel) ? " initial" : reading.flags.contains(.gapBefore) ? " gap" : ""
      rows.append("\(reading.time) \(trace.streams[Int(reading.stream.index)].name) \(reading.values[0])\(flags)")
    }
    return rows
  }

  private func edges(_ text: String, _ format: TraceFormat = TraceFormat()) throws -> [String] {
    try edges(TraceReader(Array(text.utf8), name: "digital.csv", format: format))
  }

  func testRowsBecomeEdges() throws {
    let text = """
      Time [s],Channel 0,CLK
      -0.000002000,1,0
      0.000000000,0,0
      0.000001500,0,1
      0.000001600,0,1
      0.000004000,1,0

      """
    let trace = try TraceReader(Array(text.utf8), name: "digital.csv")
    XCTAssertEqual(trace.streams.map(\.name), ["Channel 0", "CLK"])
    XCTAssertEqual(trace.streams[0].channels, [.init(name: "level", format: StreamDescription.Channel.level)])
    XCTAssertTrue(trace.hasFlags)
    XCTAssertNil(trace.layout)
    let expected = [
      "-2000 Channel 0 1 initial", "-2000 CLK 0 initial", "0 Channel 0 0", "1500 CLK 1", "4000 Channel 0 1",
      "4000 CLK 0",
    ]
    XCTAssertEqual(try edges(trace), expected)
    XCTAssertEqual(try edges(text.replacingOccurrences(of: "\n", with: "\r\n")), expected, "as on Windows")
    XCTAssertEqual(
      try edges(text, TraceFormat(columns: ["CLK"])), ["-2000 CLK 0 initial", "1500 CLK 1", "4000 CLK 0"])
  }

  func testDates() throws {
    let text = """
      Time [s],Channel 0
      2024-03-01T12:00:00.000000000+00:00,1
      2024-03-01T12:00:00.500000001+00:00,0

      """
    XCTAssertEqual(
      try edges(text), ["1709294400000000000 Channel 0 1 initial", "1709294400500000001 Channel 0 0"])
  }

  /// As newer devices write it: no data.
  func testLevelsThatAreNotThere() throws {
    let text = """
      Time [s],Channel 0,Ch2
      0.000000000,0,X
      0.125000000,1,X
      0.250000000,1,0
      0.500000000,X,X
      0.625000000,X,0
      0.750000000,1,1

      """
    XCTAssertEqual(
      try edges(text),
      [
        "0 Channel 0 0 initial", "125000000 Channel 0 1", "250000000 Ch2 0 initial", "625000000 Ch2 0 gap",
        "750000000 Channel 0 1 gap", "750000000 Ch2 1",
      ])
  }

  /// More edges in a row than there is room for, whatever the room.
  func testBlocks() throws {
    let header = "Time [s]," + (0..<16).map { "Channel \($0)" }.joined(separator: ",")
    let rows = (0..<40).map { row in
      "\(row).5," + (0..<16).map { "\((row >> ($0 % 3)) & 1)" }.joined(separator: ",")
    }
    let text = ([header] + rows).map { "\($0)\n" }.joined()
    let whole = Replayed(text, block: 512)
    XCTAssertGreaterThan(whole.rows.count, 300)
    for block in [1, 7, 16] { XCTAssertEqual(Replayed(text, block: block).rows, whole.rows) }
  }

  func testWhatIsNoLevel() {
    // Behind the rows that are looked at.
    let rows = (0..<100).map { "\($0).0,\($0 % 2)\n" }.joined()
    let read = Replayed("Time [s],Channel 0\n\(rows)100.0,2\n101.0,0\n102.0,1\n")
    XCTAssertEqual(read.rows.count, 100)
    XCTAssertEqual(read.fault, "line 102, column 2: \"2\" is not the level of a line: 0, 1 or X")
    let rest = Replayed("Time [s],Channel 0\n\(rows)100.0,2\n101.0,0\n102.0,1\n", skipsBad: true)
    XCTAssertEqual(rest.rows.suffix(2), ["101000000000 0", "102000000000 1"])
    XCTAssertNil(rest.fault)
  }

  func testAnalogExportsHaveVolts() {
    let analog = Replayed("Time [s],Channel 0,Channel 11,My\n0.000000000,1.5,-0.25,3\n0.000001000,1,0,1\n")
    XCTAssertEqual(analog.trace?.streams.map(\.name), ["t"])
    XCTAssertEqual(analog.trace?.streams.first?.channels.map(\.unit), ["V", "V", nil])
    XCTAssertEqual(analog.rows, ["0 1.5|-0.25|3", "1000 1|0|1"])
    let wave = Replayed("Trigger [s],Time [s],Ch0\n0.1,0.2,1200.000000\n0.2,0.3,\n")
    XCTAssertEqual(wave.trace?.streams.first?.channels.map(\.unit), ["s", "V"])
    XCTAssertEqual(wave.rows, ["200000000 0.1|1200.000000", "300000000 0.2|"])
  }

  func testOtherFilesStayWhatTheyAre() {
    for text in [
      "time,Channel 0\n0.5,1\n", "Time [s],Channel 0\n0.5,1.0\n", "Time [s],Channel 0,Channel 0\n0.5,1,0\n",
      "Time [s],Channel 0\n0.5,\n", "Time [s],Channel 0\n",
    ] {
      XCTAssertEqual(Replayed(text).trace?.streams.map(\.name), ["t"], text)
    }
  }

  /// A pipe shows one row.
  func testPipe() throws {
    let pipe = Pipe()
    pipe.fileHandleForWriting.write(Data("Time [s],Channel 0\n0.5,1\n".utf8))
    let trace = try TraceReader(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    XCTAssertEqual(trace.streams.map(\.name), ["Channel 0"])
    pipe.fileHandleForWriting.write(Data("1.5,0\n".utf8))
    pipe.fileHandleForWriting.closeFile()
    XCTAssertEqual(try edges(trace), ["500000000 Channel 0 1 initial", "1500000000 Channel 0 0"])
  }
}
