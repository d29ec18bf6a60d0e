import SluiceReadings
import XCTest

@testable import SluiceRecording

final class RowTimeTests: XCTestCase {
  private let meter = StreamDescription(name: "METER", channels: [.init(name: "level")])
  private let door = StreamDescription(name: "DOOR", channels: [.init(name: "level")])

  private func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

  func testISOTimesHaveNineDecimalsAndAreInUTC() {
    let encoder = CSVEncoder(layout: .wide, EncoderStreams([meter], style: RowStyle(time: .iso)))
    XCTAssertEqual(String(decoding: encoder.header, as: UTF8.self), "time,METER\n")
    let times: [Int64] = [
      1_795_271_707_000_000_001, 1_795_271_707_999_999_999, 1_795_271_708_000_000_000, 0, -1, 951_782_400_000_000_000,
      .min, .max,
    ]
    XCTAssertEqual(
      lines(encoder.text(times.map { reading($0, 0, [1]) })),
      [
        "2026-11-21T14:35:07.000000001Z,1", "2026-11-21T14:35:07.999999999Z,1", "2026-11-21T14:35:08.000000000Z,1",
        "1970-01-01T00:00:00.000000000Z,1", "1969-12-31T23:59:59.999999999Z,1", "2000-02-29T00:00:00.000000000Z,1",
        "1677-09-21T00:12:43.145224192Z,1", "2262-04-11T23:47:16.854775807Z,1",
      ])
  }

  func testRelativeTimesCountFromTheFirstReadingOfAllFiles() {
    let style = RowStyle(time: .relative)
    let first = CSVEncoder(layout: .wide, EncoderStreams([meter], style: style))
    let second = JSONLinesEncoder(EncoderStreams([door], from: 1, style: style))
    XCTAssertEqual(String(decoding: first.header, as: UTF8.self), "time_s,METER\n")
    XCTAssertEqual(first.text([reading(5_000_000_000, 0, [1])]), "0.000000000,1\n")
    XCTAssertEqual(
      lines(second.text([reading(6_500_000_001, 1, [0]), reading(4_999_999_999, 1, [1])])),
      [
        "{\"time_s\":1.500000001,\"stream\":\"DOOR\",\"values\":{\"level\":0}}",
        "{\"time_s\":-0.000000001,\"stream\":\"DOOR\",\"values\":{\"level\":1}}",
      ])
    XCTAssertEqual(style.first.time, 5_000_000_000)
    XCTAssertEqual(
      first.text([reading(.min, 0, [1])]), "-9223372041.854775808,1\n", "a difference of more than 64 bits")
  }

  /// A row that streams share is encoded late, and another file may be encoded before it.
  func testTheFirstReadingIsTheFirstThatCame() {
    let device = StreamDescription.Device(path: "/dev/imu")
    let shared = ["a", "b"].map { StreamDescription(name: $0, channels: [.init(name: "x")], device: device) }
    let style = RowStyle(time: .relative)
    let encoder = CSVEncoder(layout: .wide, EncoderStreams(shared, style: style))
    XCTAssertTrue(encoder.sharesRows)
    let rows = EncodedRows()
    [reading(10, 0, [1])].withUnsafeBufferPointer { _ = encoder.encode($0, into: rows, until: .max) }
    XCTAssertEqual(style.first.time, 10)
  }

  func testTheLongLayoutHasThemToo() {
    let encoder = CSVEncoder(layout: .long, EncoderStreams([meter], style: RowStyle(time: .iso)))
    XCTAssertEqual(String(decoding: encoder.header, as: UTF8.self), "time,stream,channel,value\n")
    XCTAssertEqual(encoder.text([reading(1_000, 0, [1])]), "1970-01-01T00:00:00.000001000Z,METER,level,1\n")
  }

  // MARK: Decimals

  func testValuesAreRoundedHalfAwayFromZero() {
    let stream = StreamDescription(name: "s", channels: [.init(name: "x")])
    let encoder = CSVEncoder(layout: .wide, EncoderStreams([stream], style: RowStyle(decimals: 2)))
    func rounded(_ text: String) -> String {
      let value = ExactDecimal(text) ?? .missing
      return String(
        encoder.text([Reading(time: 0, stream: StreamID(0), values: values([value]))]).dropFirst(2).dropLast())
    }
    let rows = [
      ("1.005", "1.01"), ("-1.005", "-1.01"), ("1.00499999", "1.00"), ("0.45", "0.45"), ("0.4499", "0.45"),
      ("7", "7"), ("1.5", "1.5"), ("9.999", "10.00"), ("0.00001", "0.00"), ("1e-30", "0.00"), ("12e3", "12000"),
      ("9223372036854775807", "9223372036854775807"), ("0.0050", "0.01"),
    ]
    for (text, expected) in rows { XCTAssertEqual(rounded(text), expected, text) }
    XCTAssertEqual(encoder.text([Reading(time: 0, stream: StreamID(0), values: values([.missing]))]), "0,\n")
  }

  func testScaledValuesAreRoundedOnce() {
    let channel = StreamDescription.Channel(name: "x", scale: ExactDecimal("0.001333") ?? .one)
    let encoder = CSVEncoder(
      layout: .wide,
      EncoderStreams([StreamDescription(name: "s", channels: [channel])], style: RowStyle(decimals: 0)))
    XCTAssertEqual(encoder.text([reading(0, 0, [375]), reading(0, 0, [376])]), "0,0\n0,1\n")
  }

  func testALevelStaysALevel() {
    var line = meter
    line.channels[0].format = StreamDescription.Channel.level
    let vcd = VCDEncoder(EncoderStreams([line], style: RowStyle(decimals: 0)))
    XCTAssertTrue(String(decoding: vcd.header, as: UTF8.self).contains("wire 1"))
  }
}

private func values(_ values: [ExactDecimal]) -> Values { values.reduce(into: Values()) { $0.append($1) } }
