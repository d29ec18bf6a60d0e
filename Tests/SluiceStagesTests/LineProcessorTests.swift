import SluiceReadings
import XCTest

@testable import SluiceStages

final class LineProcessorTests: XCTestCase {
  private let imu = StreamDescription(
    name: "imu", channels: [.init(name: "x", unit: "g"), .init(name: "y", unit: "g")])

  func testOtherStreamsAndMarksPass() throws {
    let processor = try LineProcessor(PulseWidth(), inputs: InputStreams([imu, LineBench.line]))
    XCTAssertEqual(processor.streams.map(\.name), ["imu", "LINE"])
    XCTAssertEqual(processor.streams[1].channels.map(\.name), ["level", "width", "period"])
    let mark = Reading(time: 9, stream: .none, values: [])
    let sample = Reading(time: 10, stream: StreamID(0), values: [1, 2], flags: .gapBefore)
    XCTAssertEqual(outputs(of: processor, [mark, sample]), [mark, sample])
  }

  func testALineMayBeNamedByItsChannel() throws {
    let file = StreamDescription(name: "water", channels: [.init(name: "METER")])
    for name in ["water", "METER", "water.METER"] {
      let processor = try LineProcessor(PulseWidth(), line: name, inputs: InputStreams([imu, file]))
      XCTAssertEqual(processor.streams[1].channels.count, 3, name)
    }
  }

  func testAnUnknownLineIsNamedWithTheNearest() {
    XCTAssertThrowsError(try LineProcessor(PulseWidth(), line: "LIN", inputs: InputStreams([LineBench.line]))) {
      XCTAssertEqual(
        "\($0)",
        "cannot decode the edges of LIN: there is no line of this name; did you mean LINE? The line is LINE")
    }
    XCTAssertThrowsError(try LineProcessor(PulseWidth(), inputs: InputStreams([imu]))) {
      XCTAssertEqual(
        "\($0)",
        "cannot decode the edges of imu: none of these streams is a line; name the stream with the levels 0 and 1")
    }
  }

  /// JSON Lines without metadata, and a CSV file of our own of a trace that says nothing of its channels.
  func testAStreamThatIsScaledMayBeALine() throws {
    var stream = StreamDescription(name: "door", channels: [.init(name: "level")])
    stream.isScaled = true
    let processor = try LineProcessor(PulseWidth(), inputs: InputStreams([stream]))
    XCTAssertEqual(outputs(of: processor, LineBench.readings([(1, 1), (5, 0)])).count, 2)
    XCTAssertEqual(processor.streams[0].channels.count, 3)
    let volts = StreamDescription.Channel(name: "level", scale: ExactDecimal(significand: 5))
    XCTAssertThrowsError(
      try LineProcessor(PulseWidth(), inputs: InputStreams([StreamDescription(name: "adc", channels: [volts])])))
  }

  /// A reading without a level after a gap: the edge behind it is the first after the gap.
  func testAGapBeforeAMissingLevel() throws {
    let processor = try LineProcessor(PulseWidth(), inputs: InputStreams([LineBench.line]))
    var readings = LineBench.readings([(1, 1), (5, 0), (8, 0), (9, 1), (12, 0)], flags: [2: .gapBefore])
    readings[2].values = Values()
    XCTAssertEqual(
      outputs(of: processor, readings).map(\.text),
      ["1: 0 - -", "5: 1 0.000000004 -", "9: 0 - - gap", "12: 1 0.000000003 -"])
  }

  func testStreamsThatBecomeKnownLater() throws {
    let inputs = InputStreams([], more: { [LineBench.line] })
    let processor = try LineProcessor(PulseWidth(), inputs: inputs)
    let made = outputs(of: processor, LineBench.readings([(1, 1), (5, 0)]))
    XCTAssertEqual(made.map(\.text), ["1: 0 - -", "5: 1 0.000000004 -"])
  }
}
