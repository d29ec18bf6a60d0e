import Foundation
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording

/// A file that a run was writing when it was killed, or the power went, and that another run goes on with.
final class AppendAfterCrashTests: XCTestCase {
  private lazy var folder = temporaryFolder()
  private var said: [OutputEvent] = []

  private static let adc = StreamDescription(
    name: "adc", channels: [.init(name: "x"), .init(name: "y"), .init(name: "z")])
  private static let level = StreamDescription(name: "a \"b\",\nc", channels: [.init(name: "level")])

  /// Goes on with a file as the sink does.
  private func append(_ bytes: [UInt8], to path: String, header: String) throws -> [UInt8] {
    let file = try ClaimedFile(path: path, existing: .append)
    try file.lock()
    let store = FileStore(file)
    try store.check(header: Array(header.utf8)) { _ in nil }
    try store.begin(header: Array(header.utf8)) { said.append($0) }
    let error = bytes.withUnsafeBufferPointer { store.write($0) { _ in 0 } }.error
    try file.close()
    if let error { throw error }
    return try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func describe(
    _ path: String, began byte: Int? = 0, _ streams: [StreamDescription], state: String = "unfinished"
  ) {
    let list = streams.map { stream in
      let channels = stream.channels.map { "{\"sluice:name\": \(quoted($0.name))}" }.joined(separator: ", ")
      return "{\"sluice:name\": \(quoted(stream.name)), \"sluice:channels\": [\(channels)]}"
    }
    let began = byte.map { ", \"sluice:began_at_byte\": \($0)" } ?? ""
    try? """
    {"sluice:format": "csv", "sluice:state": "\(state)"\(began), "sluice:streams": [\(list.joined(separator: ", "))]}
    """.write(toFile: path + "-metadata.json", atomically: false, encoding: .utf8)
  }

  /// Every prefix of what a run wrote becomes whole readings, none of which is lost or there twice.
  private func cutAtEveryByte(_ encoder: some RecordingEncoder, _ streams: [StreamDescription], _ readings: [Reading])
    throws
  {
    let header = encoder.header
    var text = header
    var ends = [header.count]
    for reading in readings {
      text += Array(encoder.text([reading]).utf8)
      ends.append(text.count)
    }
    let more = Array(encoder.text([readings[0]]).utf8)
    for nuls in [0, 1, 5_000] {
      for length in 1...text.count {
        let path = folder.file("t.csv")
        let bytes = Array(text[..<length]) + [UInt8](repeating: 0, count: nuls)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        describe(path, streams)
        let whole = ends.last { $0 <= length } ?? 0
        let kept = length < header.count ? header : Array(text[..<whole])
        said = []
        let now = try append(more, to: path, header: String(decoding: header, as: UTF8.self))
        XCTAssertEqual(
          String(decoding: now, as: UTF8.self), String(decoding: kept + more, as: UTF8.self),
          "cut at \(length), \(nuls) NULs")
        XCTAssertEqual(said.isEmpty, nuls == 0 && whole == length, "cut at \(length): \(said)")
        if now != kept + more { return }
      }
    }
  }

  func testWideRows() throws {
    try cutAtEveryByte(
      CSVEncoder(layout: .wide, EncoderStreams([Self.adc])), [Self.adc],
      (1...4).map {
        reading(
          $0, 0,
          values([.one, ExactDecimal(significand: 22, exponent: 0), ExactDecimal(significand: $0, exponent: -3)]))
      })
  }

  func testLongRowsOfSeveralChannels() throws {
    let streams = [Self.adc, Self.level]
    // The second reading has the time of the first.
    let readings =
      [1, 1, 2, 3].map { reading($0, 0, values([.one, .missing, ExactDecimal(significand: 5, exponent: 0)])) } + [
        reading(4, 1, [1]), reading(4, 0, [7, 8, 9]),
      ]
    try cutAtEveryByte(CSVEncoder(layout: .long, EncoderStreams(streams)), streams, readings)
  }

  func testJSONLines() throws {
    let streams = [Self.adc, Self.level]
    let readings = [
      reading(1, 0, values([.one, .missing, ExactDecimal(significand: 5, exponent: 0)])), reading(2, 1, [1]),
      reading(3, 0, [7, 8, 9]),
    ]
    try cutAtEveryByte(JSONLinesEncoder(EncoderStreams(streams)), streams, readings)
  }
}

private func values(_ list: [ExactDecimal]) -> Values {
  var values = Values()
  for value in list { values.append(value) }
  return values
}
