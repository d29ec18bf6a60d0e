import SluiceReadings
import XCTest

@_spi(Preview) @testable import SluiceRecording

final class InfluxFormatTests: XCTestCase {
  private func level(_ name: String) -> StreamDescription {
    StreamDescription(name: name, channels: [.init(name: "level", format: StreamDescription.Channel.level)])
  }

  private func imu(_ name: String = "imu") -> StreamDescription {
    StreamDescription(name: name, channels: [.init(name: "accel x"), .init(name: "a,b=c")])
  }

  func testALevelIsAnIntegerAndAnyOtherValueAFloat() {
    let encoder = InfluxEncoder(EncoderStreams([level("METER"), imu()]))
    let text = encoder.text([reading(5, 0, [1]), reading(6, 1, [3, 4])])
    XCTAssertEqual(text, "METER level=1i 5\nimu accel\\ x=3,a\\,b\\=c=4 6\n")
  }

  func testMissingValuesAreLeftOutAndAReadingWithoutAnyHasNoLine() {
    let encoder = InfluxEncoder(EncoderStreams([imu()]))
    let rows = EncodedRows()
    let readings = [
      Reading(time: 1, stream: StreamID(0), values: values([.missing, ExactDecimal(significand: 2)])),
      Reading(time: 2, stream: StreamID(0), values: values([.missing, .missing])),
      Reading(time: 3, stream: StreamID(0), values: values([.missing, .missing]), flags: .gapBefore),
    ]
    readings.withUnsafeBufferPointer { XCTAssertEqual(encoder.encode($0, into: rows, until: .max), 3) }
    let text = rows.text.withBytes { String(decoding: $0, as: UTF8.self) }
    XCTAssertEqual(text, "imu a\\,b\\=c=2 1\nimu flags=\"gap_before\" 3\n")
    XCTAssertEqual(rows.count, 2)
    XCTAssertEqual(rows.leftOut, [0: 1])
  }

  func testFlagsAreAField() {
    let encoder = InfluxEncoder(EncoderStreams([level("METER")]))
    let flagged = Reading(time: -5, stream: StreamID(0), values: [0], flags: [.gapBefore, .late])
    XCTAssertEqual(encoder.text([flagged]), "METER level=0i,flags=\"gap_before late\" -5\n")
  }

  func testNamesThatTheProtocolWouldTakeForSomethingElse() {
    let names = [
      ("a b,c", "a\\ b\\,c"), ("#1", "m#1"), ("_internal", "m_internal"), ("line\nbreak", "line_break"),
      ("end\\", "end\\_"),
      ("", "value"), ("gpiochip0:4", "gpiochip0:4"),
    ]
    for (name, expected) in names { XCTAssertEqual(InfluxName.measurement(name), expected, name) }
    XCTAssertEqual(InfluxName.field("a=b c,d\\"), "a\\=b\\ c\\,d\\_")
  }

  func testTwoStreamsOfOneMeasurementAreRefused() throws {
    XCTAssertNoThrow(try InfluxFormat().check([level("a"), level("b")], of: "x.lp"))
    let refused = error { try InfluxFormat().check([self.level("a\nb"), self.level("a_b")], of: "x.lp") }
    XCTAssertEqual(refused?.cause, "two streams would become the measurement a_b")
    let flags = StreamDescription(name: "s", channels: [.init(name: "flags")])
    XCTAssertNotNil(error { try InfluxFormat().check([flags], of: "x.lp") })
  }

  func testAnotherFileIsNotAppendedTo() {
    let encoder = InfluxEncoder(EncoderStreams([level("a")]))
    XCTAssertNil(encoder.fault(inFileThatBegins: Array("a level=1i 5\n".utf8)))
    XCTAssertEqual(
      encoder.fault(inFileThatBegins: Array("time_ns,a\n1,2\n".utf8)), "its first line is not line protocol")
  }
}

private func values(_ values: [ExactDecimal]) -> Values { values.reduce(into: Values()) { $0.append($1) } }
