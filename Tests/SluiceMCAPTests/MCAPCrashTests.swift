import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// A run that is killed at any byte, and the next run into the same file.
final class MCAPCrashTests: MCAPTestCase {
  /// The ends of the chunks, with the indexes behind each.
  private func ends() throws -> [Int] { try chunks().map(\.upperBound) }

  /// What a power cut leaves of a file before its first chunk has no reading, also with NUL bytes in place of the rest.
  func testWhatMayHaveAReading() throws {
    try write(batches(0..<1), streams, closes: false)
    let whole = try bytes
    for size in 0...MCAPEncoder.header.count {
      for zeros in [0, 1, 4_096] {
        XCTAssertFalse(MCAPFormat.mayHaveReading(whole[..<size] + Array(repeating: 0, count: zeros)), "\(size)")
      }
    }
    XCTAssertTrue(MCAPFormat.mayHaveReading(whole))
    XCTAssertTrue(MCAPFormat.mayHaveReading(Array("another".utf8)))
  }

  func testAnAppendAfterAKillAtAnyByte() throws {
    try write(batches(0..<5), streams, closes: false)
    let whole = try bytes
    // A chunk is whole without the indexes behind it, which the next run writes anew.
    let ends = try XCTUnwrap(Contents.read(FileBytes(whole), checkedFrom: 0)).summary.chunks.map {
      Int($0.offset + $0.length)
    }
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

  /// A damage in the first run, of which no metadata says where it began: what is whole behind it stays.
  func testADamageStaysIfSomethingWholeIsBehindIt() throws {
    try write(batches(0..<4), streams, closes: false)
    let (whole, chunks) = (try bytes, try chunks())
    // A bit, a block that was not written, and two places.
    for (places, rest) in [
      ([chunks[1].lowerBound + 60], [0, 2, 3]),
      (Array(chunks[1].lowerBound - 9..<chunks[1].lowerBound + 90), [0, 2, 3]),
      ([chunks[0].lowerBound + 60, chunks[2].lowerBound + 3], [1, 3]),
    ] {
      var damaged = whole
      for place in places { damaged[place] = places.count < 3 ? damaged[place] ^ 0x40 : 0 }
      try put(damaged)
      let found = try write(batches(7..<8), streams, existing: .append)
      guard found.count == 1, case .damageKept(path, let bytes, let offset, _) = found[0] else {
        return XCTFail("\(found)")
      }
      XCTAssertTrue((1...1_000).contains(bytes) && offset <= Int64(chunks[1].lowerBound), "\(found)")
      let expected = (rest.map { batch(Int64($0)) } + batches(7..<8)).flatMap { $0 }.map(\.time)
      XCTAssertEqual(try readAll(skipsBad: true).readings.map(\.time), expected)
      XCTAssertTrue(try XCTUnwrap(readAll().error).contains("sluice repair keeps everything else"))
      // Other programs find all of it by the summary.
      XCTAssertEqual(try self.chunks().count, rest.count + 1)
      try repair()
      XCTAssertEqual(try readAll().readings.map(\.time), expected)
    }
  }

  /// The last chunk is damaged, and of the next write only the definitions are there: both are cut off, and said so.
  func testDefinitionsAloneBehindADamage() throws {
    try write(batches(0..<2), streams, closes: false)
    var damaged = try bytes
    damaged[try chunks()[1].lowerBound + 60] ^= 0x40
    var definitions = RecordWriter()
    SchemaRecord(id: 9, name: "x/Y", encoding: "ros2msg", data: Array("float64 x".utf8)).write(to: &definitions)
    ChannelRecord(id: 9, schema: 9, topic: "/c", encoding: "cdr", metadata: []).write(to: &definitions)
    try put(damaged + definitions.bytes)
    let found = try write(batches(7..<8), streams, existing: .append)
    guard found.count == 1, case .tailCut = found[0] else { return XCTFail("\(found)") }
    XCTAssertEqual(try readAll().readings.map(\.time), (batch(0) + batch(7)).map(\.time))
    XCTAssertTrue(try inspect().isEmpty)
  }

  /// A header is damaged, and good chunks are behind it: the run does not begin, and nothing is cut off.
  func testADamagedHeaderIsRepairedFirst() throws {
    try write(batches(0..<2), streams, closes: false)
    var damaged = try bytes
    // The length of the record.
    damaged[13] ^= 1
    try put(damaged)
    XCTAssertThrowsError(try write(batches(7..<8), streams, existing: .append)) { error in
      XCTAssertEqual("\(error)", "cannot append to \(path): its header is damaged; sluice repair \(path)")
    }
    XCTAssertEqual(try bytes, damaged)
    try repair()
    try write(batches(7..<8), streams, existing: .append)
    XCTAssertEqual(try readAll().readings, (batches(0..<2) + batches(7..<8)).flatMap { $0 })
  }

  /// Each run leaves one number out, because nobody knows what was missed between them.
  func testSequencesGoOn() throws {
    try write([[reading(1, 0, [1]), reading(2, 0, [2])]], streams)
    try write([[reading(3, 0, [3], flags: .gapBefore), reading(4, 1, [3, 3])]], streams, existing: .append)
    let file = FileBytes(try bytes)
    let contents = try XCTUnwrap(Contents.finished(file))
    let last = try LastSequences.read(contents, file, ChunkReader())
    XCTAssertEqual(last.all, [ExactName("a"): 5, ExactName("b"): 1])
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
