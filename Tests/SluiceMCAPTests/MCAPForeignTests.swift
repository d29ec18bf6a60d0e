import Foundation
import SluiceReadings
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// Files of other programs.
final class MCAPForeignTests: MCAPTestCase {
  private static let imu = """
    std_msgs/Header header
    # A constant has no place in a message.
    uint8 KIND=3
    geometry_msgs/Vector3 acceleration
    float64[2] covariance
    float32 temperature  # in degC
    int16[] list
    uint64 large
    bool isOn
    ================================================================================
    MSG: geometry_msgs/Vector3
    float64 x
    float64 y
    ================================================================================
    MSG: std_msgs/Header
    builtin_interfaces/Time stamp
    string frame_id
    """

  private struct Body {
    var bytes: [UInt8] = [0, 1, 0, 0]
    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
      while (bytes.count - 4) % MemoryLayout<Number>.size != 0 { bytes.append(0) }
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
  }

  private func message(_ number: Int) -> [UInt8] {
    var body = Body()
    body.append(Int32(number))
    body.append(UInt32(5))
    body.append(UInt32(5))
    body.bytes += Array("base\0".utf8)
    for value in [Double(number) / 10, -1, 2.5, 3] { body.append(value.bitPattern) }
    body.append(Float(20.1).bitPattern)
    body.append(UInt32(3))
    for value in [1, 2, 3] as [Int16] { body.append(value) }
    body.append(UInt64(9))
    body.append(UInt8(1))
    return body.bytes
  }

  /// A file with three channels, and its messages in a chunk or outside of one.
  private func file(isChunked: Bool, isFinished: Bool) -> [UInt8] {
    var writer = RecordWriter()
    writer.append(raw: MCAP.magic)
    writer.append(.header) { writer in
      writer.append("ros2")
      writer.append("another program")
    }
    let schema = SchemaRecord(id: 1, name: "x/msg/Imu", encoding: "ros2msg", data: Array(Self.imu.utf8))
    let channels = [
      ChannelRecord(id: 7, schema: 1, topic: "/imu/data", encoding: "cdr", metadata: []),
      ChannelRecord(id: 8, schema: 0, topic: "/pose", encoding: "json", metadata: []),
      ChannelRecord(id: 9, schema: 0, topic: "/old", encoding: "ros1", metadata: []),
    ]
    var records = RecordWriter()
    schema.write(to: &records)
    for channel in channels { channel.write(to: &records) }
    func add(_ channel: UInt16, _ time: UInt64, _ data: [UInt8]) {
      records.append(.message) { writer in
        writer.append(channel)
        writer.append(UInt32(0))
        writer.append(time)
        writer.append(time)
        writer.append(raw: data)
      }
    }
    for number in 0..<3 { add(7, UInt64(100 + number), message(number)) }
    add(8, 103, Array("{\"p\":\n{\"x\":1.5,\"ok\":true},\"name\":\"n\"}".utf8))
    add(9, 104, [1])
    if isChunked {
      writer.append(.chunk) { writer in
        writer.append(UInt64(100))
        writer.append(UInt64(104))
        writer.append(UInt64(records.bytes.count))
        writer.append(UInt32(0))
        writer.append("")
        writer.append(UInt64(records.bytes.count))
        writer.append(raw: records.bytes)
      }
    } else {
      writer.append(raw: records.bytes)
    }
    if isFinished { writer.append(raw: Summary().end(at: Int64(writer.bytes.count), dataCRC: nil)) }
    return writer.bytes
  }

  func testMessagesOfOtherPrograms() throws {
    for isChunked in [true, false] {
      for isFinished in [true, false] {
        let trace = try Trace(file(isChunked: isChunked, isFinished: isFinished))
        XCTAssertNil(trace.error)
        XCTAssertEqual(trace.streams.map(\.name), ["imu/data", "pose"])
        XCTAssertEqual(
          trace.streams.map { $0.channels.map(\.name) },
          [
            [
              "header.stamp.sec", "header.stamp.nanosec", "acceleration.x", "acceleration.y", "covariance[0]",
              "covariance[1]", "temperature", "large", "isOn",
            ], ["p.x", "p.ok"],
          ])
        XCTAssertEqual(trace.readings.map(\.time), [100, 101, 102, 103])
        guard trace.readings.count == 4 else { return }
        XCTAssertEqual(
          trace.readings[2].values.map(\.description), ["2", "5", "0.2", "-1", "2.5", "3", "20.1", "9", "1"])
        XCTAssertEqual(trace.readings[3].values.map(\.description), ["1.5", "1"])
        XCTAssertEqual(
          trace.warnings,
          [
            "walk.mcap: of /imu/data are left out: header.frame_id (a text), list (its length is not fixed)",
            "walk.mcap: the messages of /old are left out: they are of ROS 1, which sluice does not read",
            "walk.mcap: left out of /old: 1 message",
          ])
      }
    }
  }

  /// The first few channels that are left out are named, and the others counted.
  func testManyChannelsThatAreLeftOut() throws {
    var writer = RecordWriter()
    writer.append(raw: MCAP.magic)
    writer.append(.header) { writer in
      writer.append("")
      writer.append("another program")
    }
    for id in 1...300 as ClosedRange<UInt16> {
      ChannelRecord(id: id, schema: 0, topic: "/t\(id)", encoding: "ros1", metadata: []).write(to: &writer)
      let builder = ChunkBuilder()
      [UInt8](repeating: 0, count: 8).withUnsafeBytes { data in
        builder.add(channel: id, sequence: 0, logTime: UInt64(id), publishTime: 1, data: data)
      }
      writer.append(raw: builder.chunk(at: Int64(writer.bytes.count)).bytes)
    }
    writer.append(raw: Summary().end(at: Int64(writer.bytes.count), dataCRC: nil))
    let trace = try Trace(writer.bytes)
    XCTAssertNil(trace.error)
    XCTAssertLessThan(trace.warnings.count, 50, "\(trace.warnings.prefix(3))")
    XCTAssertTrue(
      trace.warnings.contains("walk.mcap: 280 more warnings about its channels are not shown"),
      "\(trace.warnings)")
    XCTAssertEqual(trace.warnings.last, "walk.mcap: left out of 280 other channels: 280 messages")
  }

  /// The index of a file says where its chunks are, so that none is passed over as a record of another kind.
  func testAChunkOfAnotherKind() throws {
    let data = file(isChunked: true, isFinished: false)
    let summary = try XCTUnwrap(Contents.scanned(FileBytes(data), checkedFrom: nil)).summary
    let whole = data + summary.end(at: Int64(data.count), dataCRC: nil)
    XCTAssertEqual(try Trace(whole).readings.count, 4)
    let start = Int(try XCTUnwrap(summary.chunks.first).offset)
    for kind in [2, 3, 4, 5, 7, 9, 12, 14, 15, 22, 38, 70, 134] as [UInt8] {
      var damaged = whole
      damaged[start] = kind
      let trace = try Trace(damaged)
      XCTAssertEqual(trace.readings, [], "\(kind)")
      XCTAssertTrue(trace.error?.contains("the index of the file says that it is a chunk") ?? false, "\(kind)")
    }
  }

  func testDefinitionsFromOutside() {
    for (text, fault) in [
      ("float64", "the line \"float64\" is no field"), ("Unknown x", "it does not define the type Unknown"),
      ("float64[0] x", "float64[0] is no array"), ("float64[99999999999] x", "float64[99999999999] is no array"),
      ("A x\n====\nMSG: p/A\nA y", "its types are nested more than 16 deep"),
    ] {
      XCTAssertThrowsError(try ROS2Definition(text)) { error in
        XCTAssertEqual((error as? ROS2Definition.Fault)?.text, fault)
      }
    }
    // Many numbers are no more channels than a reading has values.
    let many = (try? ROS2Definition("float64[100000000] x\nuint8[70] y")).flatMap { try? CDRReader($0) }
    XCTAssertEqual(many?.names.count, Values.capacity)
    var losses = NumberLosses()
    XCTAssertNil(many?.values(UnsafeRawBufferPointer(start: nil, count: 0), &losses))
    // A length that is not true.
    let listed = (try? ROS2Definition("float64[] x\nint8 y")).flatMap { try? CDRReader($0) }
    let message: [UInt8] = [0, 1, 0, 0, 255, 255, 255, 255, 1, 2, 3]
    message.withUnsafeBytes { XCTAssertNil(listed?.values($0, &losses)) }
    XCTAssertThrowsError(try ROS2Definition("int8 \(String(repeating: "x", count: 256))"))
    // Arrays in arrays, of texts, which take no channel: 64^16 of them.
    var text = "T0[64] x"
    for depth in 0..<15 { text += "\n====\nMSG: p/T\(depth)\nT\(depth + 1)[64] x" }
    text += "\n====\nMSG: p/T15\nstring[64] x"
    let deep = try? ROS2Definition(text)
    XCTAssertNotNil(deep)
    XCTAssertThrowsError(try deep.map { try CDRReader($0) }) { error in
      XCTAssertEqual(
        (error as? ROS2Definition.Fault)?.text, "with the elements of its arrays, it has more than 20,000 fields")
    }
  }

  private func foreign(
    _ channels: [ChannelRecord], _ schemas: [SchemaRecord], _ messages: [(UInt16, [UInt8])], from time: UInt64 = 0
  ) -> [UInt8] {
    var writer = RecordWriter()
    writer.append(raw: MCAP.magic)
    writer.append(.header) { writer in
      writer.append("")
      writer.append("another program")
    }
    for schema in schemas { schema.write(to: &writer) }
    for channel in channels { channel.write(to: &writer) }
    for (number, message) in messages.enumerated() {
      writer.append(.message) { writer in
        writer.append(message.0)
        writer.append(UInt32(number))
        writer.append(time + UInt64(number))
        writer.append(UInt64(number))
        writer.append(raw: message.1)
      }
    }
    return writer.bytes
  }

  func testTimesThatNoReadingCanHave() throws {
    let channel = ChannelRecord(id: 1, schema: 0, topic: "/t", encoding: "json", metadata: [])
    let messages = (0..<3).map { (UInt16(1), Array("{\"x\": \($0)}".utf8)) }
    let last = UInt64(Int64.max)
    for (first, count) in [(last - 2, nil), (last - 1, "1 message has a time"), (last + 1, "3 messages have times")] {
      let trace = try Trace(foreign([channel], [], messages, from: first))
      XCTAssertEqual(trace.readings.map(\.time), (0..<3).map { Int64(clamping: first + $0) })
      XCTAssertEqual(
        trace.warnings,
        count.map {
          [
            "walk.mcap: \($0) after 2262-04-11T23:47:16.854775807Z, the last time that a reading can have; \($0.hasPrefix("1 ") ? "it gets" : "they get") that time"
          ]
        } ?? [])
    }
  }

  /// The numbers of an array have no channels, which is said.
  func testArraysOfJSON() throws {
    let channel = ChannelRecord(id: 1, schema: 0, topic: "/t", encoding: "json", metadata: [])
    let trace = try Trace(foreign([channel], [], [(1, Array("{\"x\": 1, \"p\": {\"q\": [1, 2]}, \"r\": []}".utf8))]))
    XCTAssertEqual(trace.readings.map { $0.values.map(\.description) }, [["1"]])
    XCTAssertEqual(trace.warnings, ["walk.mcap: of /t are left out: p.q (an array), r (an array)"])
    let arrays = try Trace(foreign([channel], [], [(1, Array("{\"q\": [1, 2]}".utf8))]))
    XCTAssertEqual(arrays.warnings.first, "walk.mcap: of /t are left out: q (an array)")
  }

  /// Numbers that no reading holds, and those that no channel has, are named and counted.
  func testNumbersThatAreLeftOut() throws {
    let many = (0..<70).map { "\"n\($0)\": \($0)" }.joined(separator: ", ")
    var cdr = Body()
    for value in [1.5, .infinity, 1e300, .nan] { cdr.append(value.bitPattern) }
    let schema = SchemaRecord(id: 1, name: "p/A", encoding: "ros2msg", data: Array("float64[4] x\nuint64 y".utf8))
    cdr.append(UInt64.max)
    let trace = try Trace(
      foreign(
        [
          ChannelRecord(id: 1, schema: 0, topic: "/many", encoding: "json", metadata: []),
          ChannelRecord(id: 2, schema: 1, topic: "/cdr", encoding: "cdr", metadata: []),
          ChannelRecord(id: 3, schema: 0, topic: "/none", encoding: "json", metadata: []),
        ], [schema],
        [
          (1, Array("{\(many)}".utf8)), (1, Array("{\"n0\": 1e200, \"later\": 1}".utf8)), (2, cdr.bytes),
        ]))
    XCTAssertNil(trace.error)
    XCTAssertEqual(trace.streams.map(\.channels.count), [64, 5])
    XCTAssertEqual(trace.readings.count, 3)
    XCTAssertEqual(
      trace.warnings,
      [
        "walk.mcap: of /many are left out: 6 numbers beyond 64 channels",
        "walk.mcap: the messages of /none are left out: it has no message that can be read",
        "walk.mcap: left out of /many: 7 numbers that have no channel, because the channels are those of its first message that "
          + "can be read, 64 at most",
        "walk.mcap: of /many, 1 number is read as a missing value: infinity, or beyond 10^100 or below 10^-100",
        "walk.mcap: of /cdr, 2 numbers are read as missing values: infinity, or beyond 10^100 or below 10^-100",
        "walk.mcap: a number of cdr has more digits than fit in 64 bits; such numbers are rounded",
      ])
  }

  /// Messages outside of chunks are found by no summary, so a repair writes none, which would say that there are none.
  func testARepairOfMessagesOutsideOfChunks() throws {
    let channel = ChannelRecord(id: 1, schema: 0, topic: "/a", encoding: "json", metadata: [])
    let data = foreign([channel], [], [1, 2, 3].map { (1, Array("{\"x\": \($0)}".utf8)) })
    // As its program ends it, and without an end.
    var summary = Summary()
    summary.add(channel)
    summary.counts = [1: 3]
    for end in [summary.end(at: Int64(data.count), dataCRC: nil), Summary.noEnd(dataCRC: nil)] {
      try put(data + end)
      XCTAssertTrue(try inspect().isEmpty)
    }
    let torns: [[UInt8]] = [Array(data.dropLast()), data + [RecordKind.message.rawValue, 1]]
    for torn in torns {
      try put(torn)
      let before = folder.files
      try repair()
      // Behind the damage may be what only its own program can read.
      let kept = folder.files.filter { !before.contains($0) }
      XCTAssertEqual(try kept.map { Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)"))) }, [torn])
      let trace = try readAll()
      XCTAssertEqual(trace.readings.count, torn.count < data.count ? 2 : 3)
      XCTAssertEqual(trace.warnings, [])
      XCTAssertTrue(try inspect().isEmpty)
      let bytes = try bytes
      let end = Summary.noEnd(dataCRC: nil).count
      let crc = bytes.dropLast(end).withUnsafeBytes { CRC32($0).value }
      XCTAssertEqual(Array(bytes.suffix(end)), Summary.noEnd(dataCRC: crc))
    }
  }

  /// Two channels of a stream, the second with its numbers in another order.
  func testChannelsInAnotherOrder() throws {
    try write([[reading(1, 0, [1, 2])]], [stream("a", "x", "y")])
    try write([[reading(2, 0, [20, 10])]], [stream("a", "y", "x")], existing: .append)
    let trace = try readAll()
    XCTAssertEqual(trace.streams.map { $0.channels.map(\.name) }, [["x", "y"]])
    XCTAssertEqual(trace.readings.map { $0.values.map(\.description) }, [["1", "2"], ["10", "20"]])
  }

  /// Many channels of one topic, in several chunks: each gets the numbers of its own first message.
  func testFirstMessages() throws {
    let channels = (1...5_000).map { id in
      ChannelRecord(id: UInt16(id), schema: 0, topic: "/t", encoding: "json", metadata: [])
    }
    var bytes = foreign(channels, [], [])
    for part in 0..<5 {
      let builder = ChunkBuilder()
      for id in part * 900..<part * 900 + 900 {
        Array("{\"n\(id)\": \(id)}".utf8).withUnsafeBytes { data in
          builder.add(channel: UInt16(id + 1), sequence: 0, logTime: 1, publishTime: 1, data: data)
        }
      }
      bytes += builder.chunk(at: Int64(bytes.count)).bytes
    }
    let summary = try XCTUnwrap(Contents.scanned(FileBytes(bytes), checkedFrom: nil)).summary
    for finished in [bytes, bytes + summary.end(at: Int64(bytes.count), dataCRC: nil)] {
      let trace = try Trace(finished, batch: 500)
      XCTAssertNil(trace.error)
      XCTAssertEqual(trace.streams.map { $0.channels.map(\.name) }, (0..<4_500).map { ["n\($0)"] })
      XCTAssertEqual(trace.streams.prefix(3).map(\.name), ["t", "t_2", "t_3"])
      XCTAssertEqual(trace.readings.count, 4_500)
    }
  }

  /// The chunk with the first message of a channel is damaged: the next one says which numbers the channel has.
  func testAFirstMessageThatIsDamaged() throws {
    var bytes = foreign([ChannelRecord(id: 1, schema: 0, topic: "/t", encoding: "json", metadata: [])], [], [])
    var starts: [Int] = []
    for part in 1...3 {
      let builder = ChunkBuilder()
      Array("{\"x\": \(part)}".utf8).withUnsafeBytes { data in
        builder.add(channel: 1, sequence: 0, logTime: UInt64(part), publishTime: 1, data: data)
      }
      starts.append(bytes.count)
      bytes += builder.chunk(at: Int64(bytes.count)).bytes
    }
    let summary = try XCTUnwrap(Contents.scanned(FileBytes(bytes), checkedFrom: nil)).summary
    bytes += summary.end(at: Int64(bytes.count), dataCRC: nil)
    for damaged in 0...3 {
      var file = bytes
      // The checksum of the chunk.
      for start in starts.prefix(damaged) { file[start + 9 + 24] ^= 1 }
      let trace = try Trace(file, skipsBad: true)
      XCTAssertNil(trace.error)
      XCTAssertEqual(trace.readings.map { $0.values.map(\.description) }, (1...3).dropFirst(damaged).map { ["\($0)"] })
      if damaged == 3 {
        XCTAssertEqual(
          trace.warnings.first, "walk.mcap: the messages of /t are left out: it has no message that can be read")
      }
    }
  }

  /// A file may say that it has more messages than can be counted.
  func testCountsFromOutside() throws {
    try write([[reading(1, 0, [1])]], [stream("a", "x")])
    let whole = try bytes
    let contents = try XCTUnwrap(Contents.finished(FileBytes(whole)))
    var summary = contents.summary
    for id in summary.channels.map(\.id) + [900] { summary.counts[id] = .max }
    try put(whole.prefix(Int(contents.dataEnd)) + summary.end(at: contents.dataEnd, dataCRC: nil))
    try write([[reading(2, 0, [2])]], [stream("a", "x")], existing: .append)
    XCTAssertEqual(try readAll().readings.count, 2)
    XCTAssertEqual(try XCTUnwrap(Contents.finished(FileBytes(try bytes))).summary.messageCount, .max)
    XCTAssertFalse(try inspect().isEmpty)
  }

  /// The metadata of a run in the file is that which was beside it.
  func testTheFileHasItsMetadata() throws {
    let document = """
      {"sluice:format": "mcap", "sluice:state": "finished", "sluice:values": "scaled",
       "sluice:streams": [{"sluice:name": "b", "sluice:channels": [{"sluice:name": "x"}]},
                          {"sluice:name": "a", "sluice:channels": [{"sluice:name": "x", "sluice:unit": "m"}]}],
       "sluice:marks": [{"sluice:at_ns": 5, "sluice:text": "here"}],
       "sluice:losses": [{"sluice:reason": "lost", "sluice:count": 3, "sluice:first_ns": 4}]}
      """
    try write([[reading(1, 0, [1])]], [stream("a", "x")])
    let store = MCAPMetadataStore(beside: path, Disk())
    _ = try store.begin(isAppending: false, hasRows: false) { _ in document }
    try store.end(document)
    for beside in store.paths { try? FileManager.default.removeItem(atPath: beside) }
    let metadata = try XCTUnwrap(store.read())
    XCTAssertEqual(metadata.state, .finished)
    XCTAssertEqual(metadata.marks, [Mark(time: 5, text: "here")])
    XCTAssertEqual(metadata.losses?.map(\.count), [3])
    let trace = try readAll()
    XCTAssertEqual(trace.streams.map(\.name), ["b", "a"])
    XCTAssertEqual(trace.readings, [reading(1, 1, [1])])
    XCTAssertEqual(trace.warnings, [])
    let damage = try RecordingRepair(path, formats: [MCAPRepair.self]).inspectFormat()
    XCTAssertEqual(damage?.isEmpty, true, "\(String(describing: damage))")
    let contents = try XCTUnwrap(Contents.finished(FileBytes(try bytes)))
    XCTAssertEqual(contents.summary.channels.map(\.topic), ["/a", Events.eventsTopic, Events.lossesTopic])
    // A run that goes on finds it, and puts it where it belongs.
    _ = try store.begin(isAppending: true, hasRows: true) { _ in document }
    XCTAssertTrue(folder.files.contains("walk.mcap-runs.jsonl"))
  }
}
