import Foundation
import SluiceReadings
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// Attachments, which other programs put into recordings, and which have an index of their own.
final class MCAPAttachmentTests: MCAPTestCase {
  private func attachment(_ name: [UInt8], _ size: Int, hasChecksum: Bool = true) -> [UInt8] {
    var contents = RecordWriter()
    contents.append(UInt64(5))
    contents.append(UInt64(6))
    contents.append(UInt32(name.count))
    contents.append(raw: name)
    contents.append("text/plain")
    contents.append(UInt64(size))
    contents.append(raw: (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    contents.append(hasChecksum ? CRC32(contents.bytes).value : 0)
    var record = RecordWriter()
    record.append(.attachment) { $0.append(raw: contents.bytes) }
    return record.bytes
  }

  /// A chunk with the indexes of its messages.
  private func chunk(_ numbers: Range<Int>, _ summary: inout Summary, at offset: Int) -> [UInt8] {
    let builder = ChunkBuilder()
    for number in numbers {
      Array("{\"x\":\(number)}".utf8).withUnsafeBytes { data in
        builder.add(
          channel: 1, sequence: 0, logTime: UInt64(number), publishTime: UInt64(number), data: data)
      }
    }
    let chunk = builder.chunk(at: Int64(offset))
    summary.add(chunk.index, counts: chunk.counts)
    return chunk.bytes
  }

  /// A file of another program: a chunk, an attachment, a chunk, an attachment, a chunk.
  private func foreign(hasChecksum: Bool = true) -> (bytes: [UInt8], chunks: [Int], attachments: [Range<Int>]) {
    var writer = RecordWriter()
    writer.append(raw: MCAP.magic)
    writer.append(.header) { writer in
      writer.append("")
      writer.append("another program")
    }
    var summary = Summary()
    let channel = ChannelRecord(id: 1, schema: 0, topic: "/a", encoding: "json", metadata: [])
    channel.write(to: &writer)
    summary.add(channel)
    var bytes = writer.bytes
    var (chunks, attachments): ([Int], [Range<Int>]) = ([], [])
    for (number, name) in [Array("a.txt".utf8), [0xff, 0xfe], nil].enumerated() {
      chunks.append(bytes.count)
      bytes += chunk(number * 3..<number * 3 + 3, &summary, at: bytes.count)
      guard let name else { continue }
      let start = bytes.count
      bytes += attachment(name, 50_000, hasChecksum: hasChecksum)
      attachments.append(start..<bytes.count)
    }
    summary.attachments = attachments.compactMap { place in
      try? AttachmentIndexRecord(
        of: FileBytes(bytes), at: Int64(place.lowerBound), length: Int64(place.count - RecordKind.head),
        needsChecksum: false)
    }
    let crc = CRC32(bytes).value
    return (bytes + summary.end(at: Int64(bytes.count), dataCRC: crc), chunks, attachments)
  }

  /// The attachments that the index finds, each with its record.
  private func indexed() throws -> [(index: AttachmentIndexRecord, record: [UInt8])] {
    let all = try bytes
    return try XCTUnwrap(Contents.finished(FileBytes(all))).summary.attachments.map {
      ($0, Array(all[Int($0.offset)..<Int($0.offset + $0.length)]))
    }
  }

  /// The chunk before an attachment is damaged: all attachments are kept, and found by the index.
  func testARepairKeepsAttachments() throws {
    for hasChecksum in [true, false] {
      let file = foreign(hasChecksum: hasChecksum)
      try put(file.bytes)
      XCTAssertTrue(try inspect().isEmpty)
      for chunk in 0..<3 {
        var damaged = file.bytes
        damaged[file.chunks[chunk] + 60] ^= 0xff
        try put(damaged)
        XCTAssertEqual(try repair().faults.count, 1)
        let left = try inspect()
        XCTAssertTrue(left.isEmpty, "\(left)")
        XCTAssertEqual(try readAll().readings.map(\.time), (0..<9).filter { $0 / 3 != Int64(chunk) })
        let found = try indexed()
        XCTAssertEqual(found.map(\.record), file.attachments.map { Array(file.bytes[$0]) })
        XCTAssertEqual(found.map(\.index.name), [Array("a.txt".utf8), [0xff, 0xfe]])
        XCTAssertEqual(found.map(\.index.dataSize), [50_000, 50_000])
      }
    }
  }

  func testADamagedAttachmentIsNamed() throws {
    let file = foreign()
    var damaged = file.bytes
    damaged[file.attachments[0].lowerBound + 1_000] ^= 1
    try put(damaged)
    let found = try repair()
    XCTAssertTrue(found.faults[0].hasSuffix("are damaged: it is no whole attachment"), "\(found)")
    XCTAssertEqual(try readAll().readings.count, 9)
    XCTAssertEqual(try indexed().map(\.record), [Array(file.bytes[file.attachments[1]])])
    XCTAssertTrue(try inspect().isEmpty)
  }

  /// An index with a place that is not that of the attachment.
  func testAWrongIndexIsSeen() throws {
    let file = foreign()
    var contents = try XCTUnwrap(Contents.finished(FileBytes(file.bytes)))
    let data = Array(file.bytes[..<Int(contents.dataEnd)])
    let right = contents.summary
    let changes: [(inout Summary) -> Void] = [
      { $0.attachments[1].offset += 1 }, { $0.attachments[0].dataSize = 3 }, { $0.attachments[0].name = [0x61] },
      { $0.chunks[1].end += 1 }, { $0.chunks[2].offset -= 1 }, { $0.chunks[0].uncompressedSize += 1 },
      { $0.counts[1] = 8 },
    ]
    for (number, change) in changes.enumerated() {
      contents.summary = right
      change(&contents.summary)
      try put(data + contents.summary.end(at: contents.dataEnd, dataCRC: nil))
      XCTAssertEqual(try inspect().repairs.count, 1, "\(number)")
      try repair()
      XCTAssertTrue(try inspect().isEmpty, "\(number)")
      XCTAssertEqual(try indexed().map(\.record), file.attachments.map { Array(file.bytes[$0]) })
      XCTAssertEqual(try readAll().readings.count, 9)
    }
  }

  /// Each byte of the indexes behind a chunk of another program.
  func testAnIndexOfMessagesIsCompared() throws {
    let file = foreign()
    let contents = try XCTUnwrap(Contents.finished(FileBytes(file.bytes)))
    let chunk = contents.summary.chunks[1]
    let start = Int(chunk.offset + chunk.length)
    // Without the checksum of the data, which would see it too.
    let data = Array(file.bytes[..<Int(contents.dataEnd)])
    for place in start + RecordKind.head..<start + Int(chunk.indexLength) {
      var damaged = data
      damaged[place] ^= 2
      try put(damaged + contents.summary.end(at: contents.dataEnd, dataCRC: nil))
      XCTAssertFalse(try inspect().isEmpty, "\(place - start)")
    }
  }

  /// A program such as `mcap add` has put an attachment and metadata into a recording of sluice.
  func testARecordingWithAnAttachment() throws {
    try write(batches(0..<3), streams)
    var contents = try XCTUnwrap(Contents.finished(FileBytes(try bytes)))
    var data = Array(try bytes[..<Int(contents.dataEnd)])
    let attachment = attachment(Array("a.txt".utf8), 100)
    let start = Int64(data.count)
    data += attachment
    contents.summary.attachments.append(
      try XCTUnwrap(
        AttachmentIndexRecord(
          of: FileBytes(data), at: start, length: Int64(attachment.count - RecordKind.head), needsChecksum: true)))
    var metadata = RecordWriter()
    MetadataRecord(name: "site", values: [("place", "roof")]).write(to: &metadata)
    contents.summary.metadata.append(
      MetadataIndexRecord(offset: UInt64(data.count), length: UInt64(metadata.bytes.count), name: "site"))
    data += metadata.bytes
    let crc = CRC32(data).value
    try put(data + contents.summary.end(at: Int64(data.count), dataCRC: crc))
    let left = try inspect()
    XCTAssertTrue(left.isEmpty, "\(left)")
    XCTAssertEqual(try readAll().readings, batches(0..<3).flatMap { $0 })
    // A run goes on behind it, is killed, and another one too.
    for number in 3..<5 as Range<Int64> {
      try write([batch(number)], streams, existing: .append, closes: number > 3)
      let trace = try readAll()
      XCTAssertEqual(trace.readings, batches(0..<number + 1).flatMap { $0 })
      XCTAssertNil(trace.error)
    }
    XCTAssertEqual(try indexed().map(\.record), [attachment])
    XCTAssertTrue(try inspect().isEmpty)
    // A damaged chunk before it.
    var damaged = try bytes
    damaged[try chunks()[2].lowerBound + 60] ^= 0xff
    try put(damaged)
    try repair()
    XCTAssertEqual(try indexed().map(\.record), [attachment])
    XCTAssertTrue(try inspect().isEmpty)
  }
}
