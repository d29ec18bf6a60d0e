import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// A damaged bit in the kind of a record costs this record, and nothing else: when it is read, continued or repaired.
final class MCAPKindTests: MCAPTestCase {
  private struct Record {
    var offset: Int
    var kind: RecordKind
    /// The readings that are lost with it.
    var readings: [Int64] = []
  }

  /// The records of the file up to the end of its data.
  private func records() throws -> [Record] {
    let file = FileBytes(try bytes)
    var records: [Record] = []
    var offset = Int64(MCAP.magic.count)
    while let record = try file.record(at: offset), let kind = RecordKind(rawValue: record.kind) {
      var found = Record(offset: Int(offset), kind: kind)
      if kind == .chunk {
        let chunk = try Chunk(file, at: offset, length: record.length, ChunkReader())
        chunk.forEach { kind, bytes, _ in
          // Those of streams are CDR here; the others are marks.
          if kind == RecordKind.message.rawValue, let head = MessageHead(bytes), bytes[22] == 0 {
            found.readings.append(head.time)
          }
          return true
        }
      }
      records.append(found)
      if kind == .dataEnd { break }
      offset += Int64(RecordKind.head) + record.length
    }
    return records
  }

  /// Writes two runs, the first with its metadata and a mark.
  private func write(from start: Int64, isFinished: Bool) throws {
    try write(batches(0..<2, from: start), streams)
    try RunEnd(path, Disk()).add(
      """
      {"sluice:format": "mcap", "sluice:state": "finished", "sluice:values": "scaled",
       "sluice:marks": [{"sluice:at_ns": 5, "sluice:text": "here"}]}
      """)
    try write(batches(2..<4, from: start), streams, existing: .append, closes: isFinished)
  }

  func testAFlippedKindCostsItsRecord() throws {
    for start in [0, 1_795_272_907_506_849_878] as [Int64] {
      for isFinished in [true, false] {
        try write(from: start, isFinished: isFinished)
        let whole = try bytes
        let records = try records()
        let all = batches(0..<4, from: start).flatMap { $0 }.map(\.time)
        XCTAssertEqual(records.flatMap(\.readings), all)
        for record in records {
          for bit in 0..<8 {
            var damaged = whole
            damaged[record.offset] ^= 1 << UInt8(bit)
            let what = "from \(start), finished \(isFinished), \(record.kind) at \(record.offset), bit \(bit)"
            try check(damaged, record, all.filter { !record.readings.contains($0) }, what, start, isFinished)
          }
        }
      }
    }
  }

  private func check(
    _ damaged: [UInt8], _ record: Record, _ rest: [Int64], _ what: String, _ start: Int64, _ isFinished: Bool
  ) throws {
    try put(damaged)
    let new = batch(7, from: start)
    if record.kind == .header {
      let trace = try readAll(skipsBad: true)
      XCTAssertTrue(try XCTUnwrap(trace.error).contains("its header is damaged; sluice repair"), what)
      XCTAssertThrowsError(try write([new], streams, existing: .append), what) { error in
        XCTAssertTrue("\(error)".contains("its header is damaged; sluice repair"), "\(error)")
      }
      XCTAssertEqual(try bytes, damaged, what)
      try repair()
      XCTAssertEqual(try readAll().readings.map(\.time), rest, what)
      return
    }
    let plain = try readAll()
    XCTAssertTrue(plain.error != nil || !plain.warnings.isEmpty, what)
    XCTAssertEqual(plain.readings.map(\.time), Array(rest.prefix(plain.readings.count)), what)
    let skipped = try readAll(skipsBad: true)
    XCTAssertNil(skipped.error, what)
    XCTAssertEqual(skipped.readings.map(\.time), rest, what)
    XCTAssertTrue(skipped.skipped > 0 || !skipped.warnings.isEmpty, what)
    // Appended, and then repaired.
    try write([new], streams, existing: .append)
    XCTAssertEqual(try readAll(skipsBad: true).readings.map(\.time), rest + new.map(\.time), what)
    // The summary of a finished file is believed, and the mark is a message too.
    let marks = record.kind == .chunk && record.readings.isEmpty ? 0 : 1
    let summary = try XCTUnwrap(Contents.finished(FileBytes(try bytes)), what).summary
    if !isFinished { XCTAssertEqual(summary.messageCount, UInt64(rest.count + new.count + marks), what) }
    try repair()
    try checkRepaired(rest + new.map(\.time), what)
    // Repaired, and then appended.
    try put(damaged)
    try repair()
    try checkRepaired(rest, what)
    try write([new], streams, existing: .append)
    XCTAssertEqual(try readAll().readings.map(\.time), rest + new.map(\.time), what)
  }

  private func checkRepaired(_ times: [Int64], _ what: String) throws {
    let trace = try readAll()
    XCTAssertNil(trace.error, what)
    XCTAssertEqual(trace.warnings, [], what)
    XCTAssertEqual(trace.readings.map(\.time), times, what)
    XCTAssertTrue(try inspect().isEmpty, what)
    for name in folder.files where name.contains("damaged") {
      try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
    }
  }
}
