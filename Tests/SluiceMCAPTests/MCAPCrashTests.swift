import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceMCAP
@_spi(Preview) @testable import SluiceRecording

/// A run that is killed at any byte, and the next run into the same file.
final class MCAPCrashTests: MCAPTestCase {
  private let streams = [stream("a", "x"), stream("b", "x", "y")]

  private func batch(_ number: Int64) -> [Reading] {
    (0..<3).map { (part: Int64) in
      var values = Values(number)
      if part % 2 != 0 { values.append(part) }
      return reading(number * 10 + part, UInt16(part % 2), values)
    }
  }

  private func batches(_ range: Range<Int64>) -> [[Reading]] { range.map { batch($0) } }

  /// The ends of the chunks, with the indexes behind each.
  private func ends() throws -> [Int] {
    try XCTUnwrap(Contents.read(FileBytes(try bytes), checkedFrom: 0)).summary.chunks.map {
      Int($0.offset + $0.length + $0.indexLength)
    }
  }

  func testAnAppendAfterAKillAtAnyByte() throws {
    try write(batches(0..<5), streams, closes: false)
    let whole = try bytes
    let ends = try ends()
    for size in stride(from: 0, through: whole.count, by: 3) {
      // What a power cut leaves of blocks that were not written.
      for zeros in size % 7 == 0 ? [0, 13] : [0] {
        try put(Array(whole[..<size]) + Array(repeating: 0, count: zeros))
        // NUL bytes may be just those that are missing.
        let put = try bytes
        let count = ends.count { $0 <= put.count && put[..<$0].elementsEqual(whole[..<$0]) }
        let before = try readAll()
        if size >= MCAPEncoder.header.count {
          XCTAssertEqual(before.readings, batches(0..<Int64(count)).flatMap { $0 }, "\(size)")
          XCTAssertNil(before.error)
        }
        try write(batches(7..<9), streams, existing: .append)
        let trace = try readAll()
        XCTAssertNil(trace.error)
        XCTAssertEqual(trace.warnings, [])
        let expected = (batches(0..<Int64(count)) + batches(7..<9)).flatMap { $0 }
        XCTAssertEqual(trace.readings, expected, "\(size)")
        let contents = try XCTUnwrap(Contents.finished(FileBytes(try bytes)))
        XCTAssertEqual(contents.summary.chunks.count, count + 2)
        XCTAssertEqual(contents.summary.messageCount, UInt64(expected.count))
        XCTAssertEqual(contents.summary.channels.count, 2)
        // The index of the summary is that which a look at every chunk finds.
        let scanned = try XCTUnwrap(Contents.scanned(FileBytes(try bytes), checkedFrom: 0))
        XCTAssertEqual(scanned.summary.chunks, contents.summary.chunks)
        XCTAssertEqual(scanned.summary.counts, contents.summary.counts)
        XCTAssertEqual(scanned.dataEnd, contents.dataEnd)
        XCTAssertNil(scanned.damage)
      }
    }
  }

  /// The end of a finished file is written again, with all chunks in it.
  func testAnAppendToAFinishedFile() throws {
    try write(batches(0..<2), streams)
    try write(batches(2..<3), streams, existing: .append)
    // Killed within its summary.
    let finished = try bytes
    for size in try XCTUnwrap(ends().last)...finished.count {
      try put(Array(finished[..<size]))
      try write(batches(3..<4), streams, existing: .append)
      XCTAssertEqual(try readAll().readings, batches(0..<4).flatMap { $0 })
      XCTAssertEqual(try XCTUnwrap(Contents.finished(FileBytes(try bytes))).summary.chunks.count, 4)
    }
  }

  /// Each run leaves one number out, because nobody knows what was missed between them.
  func testSequencesGoOn() throws {
    try write([[reading(1, 0, [1]), reading(2, 0, [2])]], streams)
    try write([[reading(3, 0, [3], flags: .gapBefore), reading(4, 1, [3, 3])]], streams, existing: .append)
    let file = FileBytes(try bytes)
    let contents = try XCTUnwrap(Contents.finished(file))
    let last = try LastSequences.read(contents, file, ChunkReader())
    XCTAssertEqual(last, [ExactName("a"): 5, ExactName("b"): 1])
  }

  func testOtherFilesAreNotAppendedTo() throws {
    try put(Array("time_ns,x\n1,2\n".utf8))
    XCTAssertThrowsError(try write(batches(0..<1), streams, existing: .append)) { error in
      XCTAssertEqual(
        "\(error)", "cannot append to \(path): it is no MCAP file; write to another file")
    }
    var writer = RecordWriter()
    writer.append(raw: MCAP.magic)
    writer.append(.header) { writer in
      writer.append("ros2")
      writer.append("libmcap 1.3")
    }
    try put(writer.bytes)
    XCTAssertThrowsError(try write(batches(0..<1), streams, existing: .append)) { error in
      XCTAssertTrue("\(error)".contains("\"libmcap 1.3\" has written it, and not sluice"), "\(error)")
    }
  }
}
