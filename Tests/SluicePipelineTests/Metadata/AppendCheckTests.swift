import SluiceReadings
import SluiceRecording
import TestFiles
import XCTest

@testable import SluicePipeline

final class AppendCheckTests: XCTestCase {
  private func scan(_ channels: [StreamDescription.Channel]) -> StreamDescription {
    StreamDescription(name: "adc", channels: channels)
  }

  func testUnitsScalesAndNamesAreCompared() throws {
    let scale = ExactDecimal(significand: 25, exponent: -2)
    let before = scan([.init(name: "voltage0", unit: "mV", scale: scale)])
    let streams = [before]
    let folder = TemporaryFolder()
    let file = folder.file("t.csv")
    let metadata = RecordingMetadata(
      command: "record", arguments: [], streams: [streams],
      isWhole: [[true]], host: .current, version: "1", began: .now())
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
}
