import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

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

  func testTagsFollowTheMeasurement() throws {
    let style = RowStyle(tags: ["site=cellar", "room no=2, left=a", "offset=-5"].compactMap { RowTag($0) })
    let encoder = InfluxEncoder(EncoderStreams([level("METER")], style: style))
    XCTAssertEqual(
      encoder.text([reading(5, 0, [1])]),
      "METER,site=cellar,room\\ no=2\\,\\ left\\=a,offset=-5 level=1i 5\n")
    for text in ["", "site", "=cellar", "site=", "si\0te=a"] { XCTAssertNil(RowTag(text), text) }
  }

  /// Whatever the names are, ``InfluxFields`` finds the fields behind the tags.
  func testFieldsBehindTagsAreReadBack() throws {
    var random = TestGenerator()
    let characters = Array("ab =,\"'é#_\u{1F321}\\\n\t") + ["\\"]
    func text() -> String {
      let count = Int.random(in: 1...6, using: &random)
      return String((0..<count).map { _ in characters.randomElement(using: &random) ?? "a" })
    }
    for _ in 0..<2_000 {
      let tags = (0..<Int.random(in: 0...3, using: &random)).map { _ in RowTag(name: text(), value: text()) }
      let stream = StreamDescription(name: text(), channels: [.init(name: text()), .init(name: "b\(text())")])
      let encoder = InfluxEncoder(EncoderStreams([stream], style: RowStyle(tags: tags)))
      let flagged = Reading(time: 7, stream: StreamID(0), values: [25, -3], flags: [.gapBefore, .late])
      let line = encoder.text([flagged])
      XCTAssertEqual(line.unicodeScalars.filter { $0 == "\n" }.count, 1, line)
      var fields = InfluxFields(hasTime: true)
      var names: [String] = []
      var values: [String] = []
      let fault = Array(line.dropLast().utf8).withUnsafeBufferPointer { bytes in
        fields.split(bytes) { field in
          names.append(String(decoding: field.name, as: UTF8.self))
          values.append(String(decoding: field.value, as: UTF8.self))
        }
      }
      XCTAssertNil(fault, "\(line) \(random.note)")
      XCTAssertEqual(names, stream.channels.map { InfluxName.field($0.name) } + ["flags", "time"], line)
      XCTAssertEqual(values, ["25", "-3", "\"gap_before late\"", "7"], "\(line) \(random.note)")
    }
  }

  func testATagWithTheNameOfAFieldIsRefused() {
    func refused(_ tag: String) -> SluiceError? {
      let style = RowStyle(tags: [tag].compactMap { RowTag($0) })
      return error { try InfluxFormat().check([self.imu()], of: "x.lp", style) }
    }
    XCTAssertNil(refused("site=a"))
    XCTAssertEqual(refused("accel x=a")?.cause, "a tag and a field would have the same name, accel\\ x")
    XCTAssertNotNil(refused("flags=a"))
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
