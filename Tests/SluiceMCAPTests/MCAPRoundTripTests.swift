import Foundation
import SluiceCDR
import SluiceReadings
import TestDisk
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// What is written is what is read.
final class MCAPRoundTripTests: MCAPTestCase {
  func testRandomStreams() throws {
    for seed in 1...150 as ClosedRange<UInt64> {
      var random = RandomRecording(seed)
      let streams = random.streams()
      let batches = random.batches(of: streams)
      let encoding = [nil, nil, "json"].randomElement(using: &random.random) ?? nil
      try write(batches, streams, encoding: encoding)
      let trace = try readAll()
      XCTAssertNil(trace.error, "seed \(seed)")
      XCTAssertEqual(trace.warnings, [], "seed \(seed)")
      let readings = batches.flatMap { $0 }
      XCTAssertEqual(trace.readings.map(\.time), readings.map(\.time), "seed \(seed)")
      XCTAssertEqual(trace.readings.map(\.flags), readings.map(\.flags), "seed \(seed)")
      let names = { (all: [StreamDescription], reading: Reading) in Array(all[Int(reading.stream.index)].name.utf8) }
      XCTAssertEqual(trace.readings.map { names(trace.streams, $0) }, readings.map { names(streams, $0) })
      for (read, written) in zip(trace.readings, readings) {
        let channels = streams[Int(written.stream.index)].channels
        XCTAssertEqual(
          read.values.map { Meaning($0) },
          channels.indices.map { Meaning($0 < written.values.count ? written.values[$0] : .missing, channels[$0]) },
          "seed \(seed)")
      }
      // Another size of batches gives the same.
      XCTAssertEqual(try Trace(try bytes, batch: 1).readings, trace.readings)
    }
  }

  /// The streams keep what is known of them.
  func testStreamsAreDescribed() throws {
    var imu = stream("e\u{301}mu", "a x", "b")
    imu.channels[0].unit = "m/s^2"
    imu.channels[0].scale = ExactDecimal(significand: 50, exponent: -4)
    imu.channels[1].format = "le:s12/16>>4"
    imu.device = StreamDescription.Device(path: "/dev/iio:device0", bus: "1-0048")
    try write([[reading(1, 0, [20, 3])]], [imu])
    var expected = imu
    expected.isScaled = true
    let trace = try readAll()
    XCTAssertEqual(trace.streams, [expected])
    // Zeros at the end as in CSV: 20 * 0.0050.
    XCTAssertEqual(trace.readings[0].values.map(\.description), ["0.1000", "3"])
    try write([[reading(1, 0, [20, 3])]], [imu], raw: true)
    XCTAssertEqual(try readAll().streams, [imu])
    XCTAssertEqual(try readAll().readings, [reading(1, 0, [20, 3])])
  }

  /// The bytes of a message are those that a viewer gets while the recording runs.
  func testMessagesAreThoseOfViewers() throws {
    var imu = stream("imu", "x", "y")
    imu.channels[0].scale = ExactDecimal(significand: 1, exponent: -1)
    let time: Int64 = 1_795_272_907_506_849_878
    try write([[reading(time, 0, [15, 3], flags: .gapBefore), reading(time, 1, [])]], [imu, stream("none")])
    let messages = try messages()
    XCTAssertEqual(
      messages.map(\.data),
      [
        ROS2Message(imu).bytes(time: time, flags: .gapBefore, values: [1.5, 3]),
        ROS2Message(stream("none")).bytes(time: time, flags: [], values: []),
      ])
    XCTAssertEqual(messages.map(\.head.logTime), [UInt64(time), UInt64(time)])
    // A number is left out before a reading that follows a gap.
    XCTAssertEqual(messages.map(\.head.sequence), [2, 1])
  }

  private func messages() throws -> [(head: MessageHead, data: [UInt8])] {
    let file = FileBytes(try bytes)
    let contents = try XCTUnwrap(Contents.finished(file))
    var messages: [(head: MessageHead, data: [UInt8])] = []
    for index in contents.summary.chunks {
      let chunk = try Chunk(file, at: Int64(index.offset), length: Int64(index.length) - 9, ChunkReader())
      chunk.forEach { kind, bytes, _ in
        if kind == RecordKind.message.rawValue, let head = MessageHead(bytes) {
          messages.append((head, Array(bytes[22...])))
        }
        return true
      }
    }
    return messages
  }

  /// A value that no floating-point number has makes the rest of its stream a text, unless the user wants numbers.
  func testValuesThatNoDoubleHas() throws {
    let exact = ExactDecimal(significand: 1_234_567_890_123_456_789, exponent: -9)
    let readings = [reading(1, 0, [1]), reading(2, 0, Values([exact])), reading(3, 0, [2]), reading(4, 1, [5])]
    let streams = [stream("a", "x"), stream("b", "x")]
    try write([readings], streams)
    XCTAssertEqual(try readAll().readings, readings)
    let contents = try XCTUnwrap(Contents.finished(FileBytes(try bytes)))
    XCTAssertEqual(contents.summary.channels.map(\.encoding), ["cdr", "cdr", "json"])
    XCTAssertEqual(contents.summary.channels.map(\.topic), ["/a", "/b", "/a"])
    try write([readings], streams, encoding: "cdr")
    XCTAssertEqual(try readAll().readings[1].values[0].description, "1234567890.1234567")
    let file = FileBytes(try bytes)
    let rounded = try XCTUnwrap(Contents.finished(file)).summary.metadata.first { $0.name == MCAPMetadata.roundedName }
    let record = try XCTUnwrap(file.contents(of: .metadata, at: Int64(XCTUnwrap(rounded).offset), limit: 1_000))
    let values = record.withUnsafeBytes { MetadataRecord($0)?.values.map { "\($0.key)=\($0.value)" } }
    XCTAssertEqual(values?.first, "a=1")
  }

  func testTimesBefore1970AndBeyond2038() throws {
    let times: [Int64] = [.min, -1, 0, 1, 4_294_967_296_000_000_001, .max]
    for encoding in ["cdr", "json"] {
      try write([times.map { reading($0, 0, [1]) }], [stream("a", "x")], encoding: encoding)
      XCTAssertEqual(try readAll().readings.map(\.time), times)
    }
  }

  func testNumbers() {
    let texts = ["0.1", "3", "-0.001", "1e15", "123456789012345", "0.30000000000000004", "5e-99", "9007199254740993"]
    let exact = [true, true, true, true, true, true, true, false]
    for (text, isExact) in zip(texts, exact) {
      guard let value = ExactDecimal(text) else { return XCTFail(text) }
      let double = ExactDouble(WideDecimal(significand: Int128(value.significand), exponent: Int(value.exponent)))
      XCTAssertEqual(double.isExact, isExact, text)
      XCTAssertEqual(double.value, Double(text), text)
      guard isExact else { continue }
      XCTAssertEqual(ExactDecimal(double.value, decimals: 0).map { Meaning($0) }, Meaning(value), text)
    }
  }

  func testChecksum() {
    XCTAssertEqual(CRC32(Array("123456789".utf8)).value, 0xCBF4_3926)
    var parts = CRC32(Array("1234".utf8))
    Array("56789".utf8).withUnsafeBytes { parts.add($0) }
    XCTAssertEqual(parts.value, 0xCBF4_3926)
  }
}

/// Random streams and readings.
struct RandomRecording {
  var random: SeededGenerator

  init(_ seed: UInt64) { random = SeededGenerator(seed) }

  mutating func streams() -> [StreamDescription] {
    let names = ["imu", "a b", "e\u{301}", "\u{e9}", "x.y", "IMU", "", "\n"].shuffled(using: &random)
    return (0..<Int.random(in: 1...4, using: &random)).map { number in
      let channels = (0..<Int.random(in: 0...10, using: &random)).map { index in
        StreamDescription.Channel(
          name: Bool.random(using: &random) ? "c\(index)" : "\(names[index % names.count])\(index)",
          unit: Bool.random(using: &random) ? "m" : nil,
          scale: Bool.random(using: &random)
            ? .one
            : ExactDecimal(
              significand: Int64.random(in: 1...9_999, using: &random),
              exponent: Int8.random(in: -6...0, using: &random)),
          offset: Bool.random(using: &random)
            ? .zero : ExactDecimal(significand: Int64.random(in: -99...99, using: &random), exponent: -1))
      }
      return StreamDescription(name: names[number], channels: channels)
    }
  }

  mutating func batches(of streams: [StreamDescription]) -> [[Reading]] {
    var time = Int64.random(in: 0...2_000_000_000_000_000_000, using: &random)
    let digits = Int64.random(in: 1...5, using: &random)
    let greatest = [9, 999, 99_999, 9_999_999, 999_999_999][Int(digits) - 1] as Int64
    return (0..<Int.random(in: 0...5, using: &random)).map { _ in
      (0..<Int.random(in: 1...30, using: &random)).map { _ in
        time += Int64.random(in: -5...1_000_000, using: &random)
        let number = Int.random(in: streams.indices, using: &random)
        var values = Values()
        for channel in streams[number].channels {
          // No scale makes it longer than a reading can hold.
          let isPlain = channel.scale == .one && channel.offset == .zero
          let greatest = isPlain && Int.random(in: 0..<20, using: &random) == 0 ? 999_999_999_999_999_999 : greatest
          let isMissing = Int.random(in: 0..<10, using: &random) == 0
          values.append(
            isMissing
              ? .missing
              : ExactDecimal(
                significand: Int64.random(in: -greatest...greatest, using: &random),
                exponent: Int8.random(in: isPlain ? -9...0 : -4...1, using: &random)))
        }
        let flags = Int.random(in: 0..<5, using: &random) == 0 ? Reading.Flags(rawValue: 1 | 32) : []
        return Reading(time: time, stream: StreamID(UInt16(number)), values: values, flags: flags)
      }
    }
  }
}
