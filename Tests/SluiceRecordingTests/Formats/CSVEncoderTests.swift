import TestFiles
import XCTest

@testable import SluiceReadings
@testable import SluiceRecording

final class CSVEncoderTests: XCTestCase {
  private typealias Channel = StreamDescription.Channel
  private typealias Device = StreamDescription.Device

  private let meter = StreamDescription(
    name: "METER", channels: [Channel(name: "level")], device: Device(path: "/dev/gpiochip0"))
  private let door = StreamDescription(
    name: "DOOR", channels: [Channel(name: "level")], device: Device(path: "/dev/gpiochip0"))
  private let imu = StreamDescription(
    name: "imu", channels: [Channel(name: "x", scale: ExactDecimal(significand: 5, exponent: -1)), Channel(name: "y")],
    device: Device(path: "/dev/iio:device0"))

  private func text(_ encoder: CSVEncoder, _ readings: [Reading]) -> String {
    encoder.text(readings)
  }

  func testColumnsSayWhoseTheyAre() {
    XCTAssertEqual(
      String(decoding: CSVEncoder(layout: .wide, EncoderStreams([imu])).header, as: UTF8.self), "time_ns,imu.x,imu.y\n")
    XCTAssertEqual(
      String(decoding: CSVEncoder(layout: .wide, EncoderStreams([meter])).header, as: UTF8.self), "time_ns,METER\n")
    XCTAssertEqual(
      String(decoding: CSVEncoder(layout: .wide, EncoderStreams([meter, imu, door])).header, as: UTF8.self),
      "time_ns,METER,imu.x,imu.y,DOOR\n")
    var foreign = imu
    foreign.hasForeignColumns = true
    XCTAssertEqual(
      String(decoding: CSVEncoder(layout: .wide, EncoderStreams([foreign])).header, as: UTF8.self), "time_ns,x,y\n")
  }

  func testTheCellsOfOtherStreamsAreEmpty() {
    let encoder = CSVEncoder(layout: .wide, EncoderStreams([meter, imu, door]))
    XCTAssertEqual(
      text(encoder, [reading(1, 0, [1]), reading(2, 1, [3, 4]), reading(3, 2, [0]), reading(4, 1, [5])]),
      "1,1,,,\n2,,1.5,4,\n3,,,,0\n4,,2.5,,\n")
    var missing = reading(5, 1, [])
    for _ in 0..<2 { missing.values.append(ExactDecimal.missing) }
    XCTAssertEqual(text(encoder, [missing]), "5,,nan,,\n", "or it would be nobody's row")
    missing.stream = StreamID(0)
    XCTAssertEqual(text(CSVEncoder(layout: .wide, EncoderStreams([imu])), [missing]), "5,,\n")
  }

  func testReadingsOfOneDeviceAndTimeShareARow() {
    let encoder = CSVEncoder(layout: .wide, EncoderStreams([meter, imu, door]))
    XCTAssertTrue(encoder.sharesRows)
    XCTAssertFalse(CSVEncoder(layout: .wide, EncoderStreams([meter, imu])).sharesRows)
    XCTAssertFalse(CSVEncoder(layout: .long, EncoderStreams([meter, door])).sharesRows)
    let first = reading(1, 0, [1])
    XCTAssertTrue(encoder.isSameRow(reading(1, 2, [0]), as: first))
    XCTAssertFalse(encoder.isSameRow(reading(2, 2, [0]), as: first), "another time")
    XCTAssertFalse(encoder.isSameRow(reading(1, 1, [0]), as: first), "another device")
    XCTAssertFalse(encoder.isSameRow(reading(1, 0, [0]), as: first), "the same stream")
    XCTAssertFalse(encoder.isSameRow(first, as: reading(1, 2, [0])), "replay would turn them round")
    XCTAssertEqual(text(encoder, [first, reading(1, 2, [0])]), "1,1,,,0\n")
  }

  /// So that a write that fails within a row says what it has kept.
  func testItIsKnownWhereAReadingEnds() {
    let encoder = CSVEncoder(layout: .wide, EncoderStreams([meter, imu, door]))
    let rows = EncodedRows(capacity: 16)
    let readings = [reading(1, 0, [1]), reading(1, 2, [0]), reading(2, 1, [3, 4]), reading(3, 1, [5, 6])]
    readings.withUnsafeBufferPointer { _ = encoder.encode($0, into: rows, until: .max) }
    encoder.endRow(into: rows)
    XCTAssertEqual(rows.text.withBytes { String(decoding: $0, as: UTF8.self) }, "1,1,,,0\n2,,1.5,4,\n3,,2.5,6,\n")
    XCTAssertEqual(rows.wholeReadings(in: 7), 0)
    XCTAssertEqual(rows.readings(behind: 0), [0: 1, 1: 2, 2: 1])
    XCTAssertEqual(rows.wholeReadings(in: 8), 8)
    XCTAssertEqual(rows.readings(behind: 8), [1: 2])
    XCTAssertEqual(rows.wholeReadings(in: 27), 18)
    XCTAssertEqual(rows.readings(behind: 27), [1: 1])
    XCTAssertEqual(rows.wholeReadings(in: 28), 28)
    XCTAssertEqual(rows.readings(behind: 28), [:])
    rows.removeAll()
    XCTAssertEqual(rows.readings(behind: 0), [:])
  }

  func testValuesThatAreScaledAlreadyStayAsTheyAre() {
    var scaled = imu
    scaled.isScaled = true
    XCTAssertEqual(text(CSVEncoder(layout: .wide, EncoderStreams([scaled])), [reading(1, 0, [3, 4])]), "1,3,4\n")
  }

  /// The law of a file: what was written is read back, whatever the layout.
  func testSharedRowsComeBack() throws {
    let folder = TemporaryFolder()
    let path = folder.file("t.csv")
    let done = expectation(description: "done")
    let streams = [meter, imu, door]
    let sink = try RecordingSink([.csv(path, layout: .wide)], streams: streams) { error in
      XCTAssertNil(error)
      done.fulfill()
    }
    let readings = [
      reading(1, 0, [1]), reading(1, 2, [1]), reading(2, 2, [0]), reading(2, 0, [0]), reading(3, 0, [1]),
      reading(3, 1, [7, 8]), reading(3, 2, [1]),
    ]
    readings.publisher.subscribe(sink)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(
      folder.text("t.csv"), "time_ns,METER,imu.x,imu.y,DOOR\n1,1,,,1\n2,,,,0\n2,0,,,\n3,1,,,\n3,,3.5,8,\n3,,,,1\n")
    XCTAssertEqual(sink.written, [3, 1, 3])
    let trace = try TraceReader(path: path)
    XCTAssertEqual(trace.streams.map(\.name), ["METER", "imu", "DOOR"])
    var back: [Reading] = []
    while let reading = try trace.next() { back.append(reading) }
    XCTAssertEqual(back.map(\.time), readings.map(\.time))
    XCTAssertEqual(back.map(\.stream), readings.map(\.stream))
  }
}
