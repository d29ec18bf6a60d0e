import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

/// Names come from devices, and a spreadsheet takes some of them for a formula.
final class CSVNamesTests: XCTestCase {
  private typealias Channel = StreamDescription.Channel

  private let streams = [
    StreamDescription(name: "=1+1", channels: [Channel(name: "x"), Channel(name: "@y")]),
    StreamDescription(name: "a\nb", channels: [Channel(name: "-12.5")]),
  ]

  func testCells() {
    for (name, cell) in [
      ("imu", "imu"), ("", ""), ("=1+1", "_=1+1"), ("+x", "_+x"), ("-x", "_-x"), ("@x", "_@x"), ("_=x", "_=x"),
      ("\tx", "_x"), ("\rx", "_x"), ("a\r\nb", "a__b"), ("a=b", "a=b"), ("=\u{338}x", "_=\u{338}x"),
      ("a\u{2028}b\u{85}", "a_b_"), ("=a\tb", "_=a_b"), ("ä°C", "ä°C"),
    ] {
      XCTAssertEqual(StreamDescription.cell(name).unicodeScalars.map(\.value), cell.unicodeScalars.map(\.value), name)
    }
  }

  func testTitlesAndRows() {
    let wide = CSVEncoder(layout: .wide, EncoderStreams(streams))
    XCTAssertEqual(String(decoding: wide.header, as: UTF8.self), "time_ns,_=1+1.x,_=1+1.@y,a_b\n")
    let long = CSVEncoder(layout: .long, EncoderStreams(streams))
    XCTAssertEqual(
      long.text([reading(1, 0, [-5, 6]), reading(2, 1, [-7])]),
      "1,_=1+1,x,-5\n1,_=1+1,_@y,6\n2,a_b,_-12.5,-7\n", "values are untouched")
  }

  /// Two names that would be one.
  func testTwinsAreRefused() {
    func refusal(_ layout: CSVLayout, _ streams: [StreamDescription]) -> String? {
      error { try CSVFormat(layout: layout).check(streams, of: "t.csv") }?.cause
    }
    let twins = ["=a", "_=a"].map { StreamDescription(name: $0, channels: [Channel(name: "x")]) }
    XCTAssertEqual(refusal(.wide, twins), "two columns would be called \"_=a\"")
    XCTAssertEqual(refusal(.long, twins), "two streams would be called \"_=a\" in its rows")
    let one = StreamDescription(name: "s", channels: [Channel(name: "a\tb"), Channel(name: "a_b")])
    XCTAssertEqual(refusal(.long, [one]), "two channels of \"s\" would have the same name in its rows")
    XCTAssertNil(refusal(.long, streams))
    XCTAssertNil(refusal(.wide, streams))
  }
}
