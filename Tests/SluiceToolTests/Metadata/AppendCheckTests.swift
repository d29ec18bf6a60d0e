import SluiceReadings
import SluiceRecording
import XCTest

@testable import SluicePipeline
@testable import SluiceTool

final class AppendCheckTests: CommandTestCase {
  private func scan(_ channels: [StreamDescription.Channel]) -> StreamDescription {
    StreamDescription(name: "adc", channels: channels)
  }

  func testUnitsScalesAndNamesAreCompared() throws {
    let scale = ExactDecimal(significand: 25, exponent: -2)
    let before = scan([.init(name: "voltage0", unit: "mV", scale: scale)])
    let streams = [before]
    let file = "\(folder)/t.csv"
    let metadata = RecordingMetadata(
      command: "record", arguments: [], streams: streams,
      isWhole: [true], host: .current, version: "1", began: .now())
    try MetadataFile(beside: file).write(
      metadata.document(of: .csv(file, streams: 0..<1), nil).json.lines())
    let known = try XCTUnwrap(TraceMetadata(beside: file))
    func difference(_ now: StreamDescription, raw: Bool = false) -> String? {
      AppendCheck.difference([now], raw: raw, known)
    }
    XCTAssertNil(difference(before))
    XCTAssertEqual(difference(before, raw: true), "its values are scaled, and they would now be raw")
    XCTAssertEqual(
      difference(scan([.init(name: "voltage0", unit: "V", scale: scale)])), "adc.voltage0 is in mV, not in V")
    XCTAssertEqual(
      difference(scan([.init(name: "voltage0", unit: "mV")])), "adc.voltage0 has the scale 0.25, not 1")
    XCTAssertEqual(
      difference(scan([.init(name: "voltage0", unit: "mV", scale: scale, offset: .one)])),
      "adc.voltage0 has the offset 0, not 1")
    XCTAssertEqual(
      difference(scan([.init(name: "voltage1", unit: "mV", scale: scale)])),
      "adc has the channels voltage0, not voltage1")
    XCTAssertEqual(
      difference(StreamDescription(name: "dac", channels: before.channels)), "it holds adc, not dac")
  }

  func testTwoUnitsAreNotMixed() throws {
    try write("in.csv", "time_ns,stream,channel,value\n1,a,x,5\n")
    try run("replay in.csv -o t.csv")
    try run("replay in.csv -o t.csv --append")
    let before = try rows("t.csv")
    let text = try String(contentsOfFile: "\(folder)/t.csv-metadata.json", encoding: .utf8)
    try write(
      "t.csv-metadata.json",
      text.replacingOccurrences(of: "\"sluice:name\": \"x\"", with: "\"sluice:name\": \"x\", \"sluice:unit\": \"mV\""))
    let said = try run("replay in.csv -o t.csv --append", status: 1)
    XCTAssertTrue(said.contains("cannot append to t.csv: by its metadata a.x is in mV, not in no unit"), said)
    XCTAssertEqual(try rows("t.csv"), before)
  }

  func testWithoutMetadataOnlyTheHeaderIsComparedAndThatIsSaid() throws {
    try write("in.csv", "time_ns,x\n1,5\n")
    try write("t.csv", "time_ns,x\n0,4\n")
    let said = try run("replay in.csv -o t.csv --append")
    XCTAssertTrue(said.contains("t.csv has no metadata, so only its header is compared"), said)
    XCTAssertEqual(try rows("t.csv"), ["time_ns,x", "0,4", "1,5"])
  }
}
