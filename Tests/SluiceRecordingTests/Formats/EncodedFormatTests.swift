import Foundation
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

/// A format that is written with nothing but what is public.
final class EncodedFormatTests: XCTestCase {
  private struct TabFormat: EncodedFormat {
    static let name = "tab"
    static let extensions = ["tsv"]
    init(_ options: FormatOptions) {}
    func encoder(_ streams: EncoderStreams) -> TabEncoder { TabEncoder(streams) }
  }

  private final class TabEncoder: RowEncoder {
    let header = Array("#tab\n".utf8)
    private var streams: EncoderStreams
    init(_ streams: EncoderStreams) { self.streams = streams }
    var base: Int { streams.base }
    var streamCount: Int { streams.streams.count }
    func describe(_ streams: [StreamDescription]) { self.streams.streams = streams }

    func encode(_ reading: UnsafePointer<Reading>, of stream: Int, into text: TextBuffer) -> Bool {
      for (channel, value) in reading.pointee.values.enumerated() {
        if channel > 0 { text.append("\t") }
        text.append(streams.text(of: value, channel: channel, stream: stream) ?? "-")
      }
      Array("\n".utf8).withUnsafeBufferPointer { text.append($0) }
      return true
    }
  }

  private let stream = StreamDescription(
    name: "room",
    channels: [
      .init(name: "temp", unit: "°C", scale: ExactDecimal(significand: 625, exponent: -4)), .init(name: "level"),
    ])

  private func text(_ streams: EncoderStreams, _ values: Values) -> String {
    TabEncoder(streams).text([reading(1, UInt16(streams.base), values)])
  }

  func testValuesAreScaledUnlessTheRowsAreRaw() {
    XCTAssertEqual(text(EncoderStreams([stream]), [336, 1]), "21.0000\t1\n")
    XCTAssertEqual(text(EncoderStreams([stream], from: 7), [336, 1]), "21.0000\t1\n")
    XCTAssertEqual(text(EncoderStreams([stream], raw: true), [336, 1]), "336\t1\n")
    XCTAssertEqual(text(EncoderStreams([stream], style: RowStyle(decimals: 1)), [336, 1]), "21.0\t1\n")
  }

  func testWhatHasNoText() {
    XCTAssertEqual(text(EncoderStreams([stream]), Values([.missing, .one, .one])), "-\t1\t-\n")
    XCTAssertNil(EncoderStreams([stream]).text(of: .one, channel: 0, stream: 1))
  }

  func testALongTextHasRoom() {
    let buffer = TextBuffer(capacity: 1)
    let long = String(repeating: "é", count: 5_000)
    buffer.append(long)
    buffer.append("!")
    XCTAssertEqual(buffer.withBytes { String(decoding: $0, as: UTF8.self) }, long + "!")
    XCTAssertEqual(buffer.count, 10_001)
  }

  /// Whole readings, a second run behind the first, and nothing behind a file of another kind.
  func testAFileIsContinued() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/a.tsv"
    func store(_ existing: ExistingFile) throws -> any RecordStore {
      try TabFormat(FormatOptions(path: path, streamCount: 1))
        .store(ClaimedFile(path: path, existing: existing), EncoderStreams([stream]))
    }
    func write(_ existing: ExistingFile, _ values: [Int64]) throws {
      let store = try store(existing)
      try store.check()
      try store.begin { _ in XCTFail("there is nothing to mend") }
      let readings = values.map { Reading(time: 1, stream: StreamID(0), values: [$0, 0]) }
      XCTAssertEqual(readings.withUnsafeBufferPointer { store.append($0) }, values.count)
      let batch = try XCTUnwrap(store.batch())
      try batch.write()
      XCTAssertEqual(batch.unwritten, [:])
      try store.close()
    }
    try write(.refuse, [16, 32])
    try write(.append, [48])
    XCTAssertEqual(try String(contentsOfFile: path, encoding: .utf8), "#tab\n1.0000\t0\n2.0000\t0\n3.0000\t0\n")
    try Data("time_ns,x\n".utf8).write(to: URL(fileURLWithPath: path))
    XCTAssertThrowsError(try write(.append, [1])) {
      XCTAssertTrue("\($0)".contains("its first line is not #tab"), "\($0)")
    }
  }
}
