import Foundation
import SluiceReadings
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// Names of other programs that are no text, and messages that are nested deeply.
final class MCAPNamesTests: MCAPTestCase {
  private func text(_ bytes: [UInt8], _ writer: inout RecordWriter) {
    writer.append(UInt32(bytes.count))
    writer.append(raw: bytes)
  }

  /// A channel of JSON, with a topic of any bytes.
  private func channel(_ id: UInt16, _ topic: [UInt8]) -> [UInt8] {
    var writer = RecordWriter()
    writer.append(.channel) { writer in
      writer.append(id)
      writer.append(UInt16(0))
      text(topic, &writer)
      writer.append("json")
      writer.append([(key: String, value: String)]())
    }
    return writer.bytes
  }

  private func message(_ channel: UInt16, _ time: UInt64, _ data: [UInt8]) -> [UInt8] {
    var writer = RecordWriter()
    writer.append(.message) { writer in
      writer.append(channel)
      writer.append(UInt32(0))
      writer.append(time)
      writer.append(time)
      writer.append(raw: data)
    }
    return writer.bytes
  }

  private func chunk(_ records: [UInt8], _ times: ClosedRange<UInt64>) -> [UInt8] {
    var writer = RecordWriter()
    writer.append(.chunk) { writer in
      writer.append(times.lowerBound)
      writer.append(times.upperBound)
      writer.append(UInt64(records.count))
      writer.append(CRC32(records).value)
      writer.append("")
      writer.append(UInt64(records.count))
      writer.append(raw: records)
    }
    return writer.bytes
  }

  private var header: [UInt8] {
    var writer = RecordWriter()
    writer.append(raw: MCAP.magic)
    writer.append(.header) { writer in
      writer.append("")
      writer.append("another program")
    }
    return writer.bytes
  }

  /// Two topics that are the same text once their wrong bytes are replaced stay two streams, and a repair keeps their bytes.
  func testTopicsThatAreNotUTF8() throws {
    let topics: [[UInt8]] = [Array("/t_".utf8) + [0xb5], Array("/t_".utf8) + [0xb0]]
    let definitions = channel(1, topics[0]) + channel(2, topics[1])
    var metadata = RecordWriter()
    metadata.append(.metadata) { writer in
      text([0x6e, 0xff], &writer)
      writer.append([(key: String, value: String)]())
    }
    let chunks = (0..<3 as Range<UInt64>).map { number in
      chunk(
        definitions + message(1, number, Array("{\"x\":1}".utf8)) + message(2, number, Array("{\"x\":2}".utf8)),
        number...number)
    }
    try put(header + definitions + chunks[0] + metadata.bytes + chunks[1] + chunks[2])
    var trace = try readAll()
    XCTAssertEqual(trace.streams.map(\.name), ["t_\u{fffd}", "t_\u{fffd}_2"])
    XCTAssertEqual(trace.readings.map { $0.values[0].description }, ["1", "2", "1", "2", "1", "2"])
    XCTAssertEqual(
      trace.warnings,
      Array(
        repeating: "walk.mcap: the topic /t_\u{fffd} is not UTF-8; each wrong byte in it is read as \u{fffd}", count: 2)
    )
    // The second chunk is damaged.
    var damaged = try bytes
    let start = header.count + definitions.count + chunks[0].count + metadata.bytes.count
    damaged[start + 60] ^= 1
    try put(damaged)
    try repair()
    let left = try inspect()
    XCTAssertTrue(left.isEmpty, "\(left)")
    trace = try readAll()
    XCTAssertEqual(trace.readings.map { $0.values[0].description }, ["1", "2", "1", "2"])
    let contents = try XCTUnwrap(Contents.finished(FileBytes(try bytes)))
    var again = RecordWriter()
    for channel in contents.summary.channels { channel.write(to: &again) }
    XCTAssertEqual(again.bytes, definitions)
    XCTAssertEqual(contents.summary.metadata.map(\.rawName), [[0x6e, 0xff]])
  }

  func testMembersAndFieldsThatAreNotUTF8() throws {
    let data = Array("{\"a\":1,\"t_".utf8) + [0xb5] + Array("\":2,\"b\":3}".utf8)
    let trace = try Trace(header + channel(1, Array("/t".utf8)) + message(1, 1, data))
    XCTAssertEqual(trace.streams.map { $0.channels.map(\.name) }, [["a", "b"]])
    XCTAssertEqual(
      trace.warnings, ["walk.mcap: of /t are left out: t_\u{fffd} (its name is not UTF-8, or has a wrong escape)"])
    for (text, isRead) in [("int8 x # \u{b5}", true), ("int8 t_\u{b5}", false)] {
      var writer = RecordWriter()
      let latin = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
      SchemaRecord(id: 1, name: "p/A", encoding: "ros2msg", data: latin).write(to: &writer)
      ChannelRecord(id: 1, schema: 1, topic: "/t", encoding: "cdr", metadata: []).write(to: &writer)
      let trace = try Trace(header + writer.bytes + message(1, 1, [0, 1, 0, 0, 5]))
      XCTAssertEqual(trace.readings.count, isRead ? 1 : 0)
      let cause = "their schema p/A cannot be read: the name of a field is not UTF-8"
      XCTAssertEqual(trace.warnings.first, isRead ? nil : "walk.mcap: the messages of /t are left out: \(cause)")
    }
  }

  /// Types in types and objects in objects, far beyond what is read: a sentence, and no overflow of the stack.
  func testDeepNesting() throws {
    for depth in [17, 65, 3_000] {
      var text = "T0[1] x"
      for level in 0..<depth { text += "\n====\nMSG: p/T\(level)\nT\(level + 1)[1] x" }
      text += "\n====\nMSG: p/T\(depth)\nfloat64 x"
      XCTAssertThrowsError(try ROS2Definition(text)) { error in
        XCTAssertEqual((error as? ROS2Definition.Fault)?.text, "its types are nested more than 16 deep")
      }
    }
    XCTAssertThrowsError(try ROS2Definition("A x\n====\nMSG: p/A\nA[2] x")) { error in
      XCTAssertEqual((error as? ROS2Definition.Fault)?.text, "its types are nested more than 16 deep")
    }
    for (open, close) in [("{\"p\":", "}"), ("[", "]")] {
      for depth in [9, 70, 100_000] {
        let value = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        let first = message(1, 1, Array("{\"x\":1,\"y\":{\"z\":[1]}}".utf8))
        let trace = try Trace(
          header + channel(1, Array("/t".utf8)) + first + message(1, 2, Array("{\"x\":2,\"q\":\(value)}".utf8)))
        XCTAssertEqual(trace.readings.count, depth == 9 ? 2 : 1)
        guard depth > 9 else { continue }
        XCTAssertTrue(trace.error?.contains("its values are nested more than 64 deep") ?? false, "\(trace)")
      }
    }
    let nine = "{\"x\":1,\"a\":" + String(repeating: "{\"p\":", count: 9) + "1" + String(repeating: "}", count: 10)
    let trace = try Trace(header + channel(1, Array("/t".utf8)) + message(1, 1, Array(nine.utf8)))
    XCTAssertEqual(trace.warnings, ["walk.mcap: of /t are left out: a.p.p.p.p.p.p.p.p (nested more than 8 deep)"])
  }
}
