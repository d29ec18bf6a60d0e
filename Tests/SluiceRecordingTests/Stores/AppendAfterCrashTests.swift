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
  private func append(
    _ bytes: [UInt8], to path: String, header: String, _ fault: ([UInt8]) -> String? = { _ in nil }
  ) throws -> [UInt8] {
    let file = try ClaimedFile(path: path, existing: .append)
    defer { XCTAssertNoThrow(try file.close()) }
    try file.lock()
    let store = FileStore(file)
    try store.check(header: Array(header.utf8), fault)
    try store.begin(header: Array(header.utf8)) { said.append($0) }
    if let error = bytes.withUnsafeBufferPointer({ store.write($0) { _ in 0 } }).error { throw error }
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

  /// Blocks reach a disk in any order: before its first sync, a file may have lost its first block, and have later ones.
  func testTheFirstBlockIsLost() throws {
    try loseTheFirstBlock(CSVEncoder(layout: .wide, EncoderStreams([Self.adc])))
    try loseTheFirstBlock(CSVEncoder(layout: .long, EncoderStreams([Self.adc])))
    try loseTheFirstBlock(JSONLinesEncoder(EncoderStreams([Self.adc])))
  }

  private func loseTheFirstBlock(_ encoder: some RecordingEncoder) throws {
    let readings = (1...100).map { reading($0, 0, [1, 2, 3]) }
    let path = folder.file("t.csv")
    var bytes = encoder.header + Array(encoder.text(readings).utf8)
    for index in 0..<512 { bytes[index] = 0 }
    let more = Array(encoder.text([reading(101, 0, [1, 2, 3])]).utf8)
    func append() throws -> [UInt8] {
      try self.append(
        more, to: path, header: String(decoding: encoder.header, as: UTF8.self), encoder.fault(inFileThatBegins:))
    }
    func isRefused(_ comment: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      XCTAssertThrowsError(try append(), comment)
      XCTAssertEqual(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))), bytes, comment)
    }
    // What no run of ours is known to have begun is somebody's file.
    try? FileManager.default.removeItem(atPath: path + "-metadata.json")
    try isRefused("without metadata")
    describe(path, [Self.adc], state: "finished")
    try isRefused("finished")
    describe(path, began: 600, [Self.adc])
    try isRefused("the run began behind the damage")
    describe(path, [Self.adc])
    // A part of a block is not lost: this is a file in UTF-16, or of another program.
    let lost = bytes
    bytes[511] = UInt8(ascii: "x")
    try isRefused("half of a block")
    bytes = Array(encoder.header.flatMap { [$0, 0] }) + [UInt8](repeating: 1, count: 1_000)
    if !encoder.header.isEmpty { try isRefused("UTF-16") }
    bytes = lost
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    said = []
    XCTAssertEqual(
      String(decoding: try append(), as: UTF8.self), String(decoding: encoder.header + more, as: UTF8.self))
    guard case .tailCut(_, let tail)? = said.first, said.count == 1 else { return XCTFail("\(said)") }
    XCTAssertEqual(tail.byteCount, Int64(bytes.count))
    XCTAssertGreaterThan(tail.wholeRows, 10)
  }
}

private func values(_ list: [ExactDecimal]) -> Values {
  var values = Values()
  for value in list { values.append(value) }
  return values
}
