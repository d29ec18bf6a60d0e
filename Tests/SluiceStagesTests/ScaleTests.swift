import SluiceReadings
import XCTest

@testable import SluiceStages

final class ScaleTests: XCTestCase {
  private let adc = StreamDescription(
    name: "adc",
    channels: [
      .init(
        name: "voltage0", unit: "mV", format: "le:u12/16>>0", scale: ExactDecimal("0.805664062") ?? .one,
        offset: ExactDecimal(significand: -2)),
      .init(name: "temp"),
    ])

  private func scaled(_ scale: Scale, _ value: ExactDecimal) throws -> String {
    var values = Values()
    for value in [value, ExactDecimal(significand: 7)] { values.append(value) }
    let processor = try scale.processor(inputs: InputStreams([adc]))
    return outputs(of: processor, [Reading(time: 0, stream: StreamID(0), values: values)]).map(\.text).joined()
  }

  private func decimal(_ text: String) -> ExactDecimal { ExactDecimal(text) ?? .missing }

  func testTheDevicesScaleComesFirst() throws {
    XCTAssertEqual(
      try scaled(Scale(channel: "voltage0", gain: decimal("0.025")), decimal("1002")), "0: 20.141601550000 7")
  }

  func testTheOffsetIsAddedAfterTheGain() throws {
    let scale = Scale(channel: "adc.temp", gain: decimal("2"), offset: decimal("-0.5"), unit: "degC")
    let processor = try scale.processor(inputs: InputStreams([adc]))
    XCTAssertEqual(
      outputs(of: processor, [Reading(time: 0, stream: StreamID(0), values: [5, 10])]).map(\.text), ["0: 5 19.5"])
    XCTAssertEqual(processor.streams[0].channels[1].unit, "degC")
    XCTAssertEqual(processor.streams[0].channels[0], adc.channels[0])
  }

  func testTermsOfVeryDifferentSize() throws {
    let value = decimal("7.774")
    XCTAssertEqual(
      try scaled(Scale(channel: "temp", gain: decimal("1e-40"), offset: decimal("5")), value), "0: \(value) 5")
    XCTAssertEqual(
      try scaled(
        Scale(channel: "temp", gain: ExactDecimal(significand: 1, exponent: 50), offset: decimal("1e-9")), value),
      "0: \(value) \(ExactDecimal(significand: 7, exponent: 50))")
  }

  func testItsDescriptionHasNoScaleAnyMore() throws {
    let channel = try Scale(channel: "voltage0", gain: .one).processor(inputs: InputStreams([adc])).streams[0].channels[
      0]
    XCTAssertEqual(channel, StreamDescription.Channel(name: "voltage0", unit: "mV"))
  }

  func testAMissingValueStaysMissing() throws {
    XCTAssertEqual(try scaled(Scale(channel: "voltage0", gain: .one), .missing), "0: - 7")
  }

  func testDigitsBeyond64BitsAreRounded() throws {
    XCTAssertEqual(
      try scaled(Scale(channel: "temp", gain: decimal("0.123456789012345678")), .zero), "0: 0 0.864197523086419746")
    let largest = ExactDecimal(significand: .max, exponent: 0)
    XCTAssertFalse(try scaled(Scale(channel: "voltage0", gain: decimal("123456789012345678")), largest).contains("-"))
  }

  func testAnUnknownChannel() {
    XCTAssertThrowsError(try scaled(Scale(channel: "voltage1", gain: .one), .zero)) {
      XCTAssertEqual(
        "\($0)",
        "cannot scale voltage1: there is no channel of this name; did you mean voltage0? The channels are voltage0, temp"
      )
    }
  }
}
