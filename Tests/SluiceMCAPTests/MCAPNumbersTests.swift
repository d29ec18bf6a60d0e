import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// The sequences of messages after damage: none is there twice, and what is lost leaves a gap of its size.
final class MCAPNumbersTests: MCAPTestCase {
  private func sequences() throws -> [String: [UInt32]] { try Trace.sequences(bytes) }

  private func damage(_ chunk: Int) throws {
    var damaged = try bytes
    damaged[try chunks()[chunk].lowerBound + 60] ^= 0xff
    try put(damaged)
  }

  /// Of `a` 6 readings in three chunks, of `b` 3.
  private func writeThree(closes: Bool) throws { try write(batches(0..<3), streams, closes: closes) }

  func testTheLastChunkOfAFinishedFileIsDamaged() throws {
    try writeThree(closes: true)
    try damage(2)
    try write(batches(7..<8), streams, existing: .append)
    // One number is left out between two runs.
    XCTAssertEqual(try sequences(), ["/a": [1, 2, 3, 4, 8, 9], "/b": [1, 2, 5]])
  }

  func testAllChunksOfAFinishedFileAreDamaged() throws {
    try writeThree(closes: true)
    for chunk in 0..<3 { try damage(chunk) }
    try write(batches(7..<8), streams, existing: .append)
    XCTAssertEqual(try sequences(), ["/a": [8, 9], "/b": [5]])
  }

  /// Nothing says where the last run began, so that each chunk is compared.
  func testADamagedChunkStaysBeforeAnAppend() throws {
    // The only readings of `b` are in the damaged chunk.
    try write([[reading(1, 0, [1])], batch(1), [reading(30, 0, [1])]], streams, closes: false)
    try damage(1)
    try write([[reading(40, 0, [1]), reading(41, 1, [1, 1])]], streams, existing: .append)
    XCTAssertEqual(try sequences(), ["/a": [1, 4, 6], "/b": [3]])
    let before = try repair()
    XCTAssertTrue(before.faults.contains { $0.hasSuffix("of a, numbers 2 to 3 are missing") }, "\(before)")
    XCTAssertTrue(before.faults.contains { $0.hasSuffix("of b, numbers 1 to 2 are missing") }, "\(before)")
    try write([[reading(50, 1, [1, 1])]], streams, existing: .append)
    XCTAssertEqual(try sequences(), ["/a": [1, 4, 6], "/b": [3, 5]])
  }

  /// The last chunk of a killed run is damaged, and its indexes are whole: what is cut off has its numbers.
  func testADamagedEndIsCutOff() throws {
    try writeThree(closes: false)
    try damage(2)
    let damaged = try bytes
    for isRepaired in [false, true] {
      try put(damaged)
      if isRepaired {
        let done = try repair()
        XCTAssertEqual(
          done.faults.filter { $0.contains("missing") },
          [
            "\(path): of a, 2 readings after number 4 are missing",
            "\(path): of b, 1 reading after number 2 is missing",
          ])
        XCTAssertTrue(try inspect().isEmpty)
      }
      // A run without a reading of `b`, that is killed.
      try write([[reading(70, 0, [1])]], streams, existing: .append, closes: false)
      try write(batches(8..<9), streams, existing: .append)
      XCTAssertEqual(try sequences(), ["/a": [1, 2, 3, 4, 8, 10, 11], "/b": [1, 2, 5]], "\(isRepaired)")
      XCTAssertTrue(try inspect().isEmpty)
      XCTAssertNil(try readAll().error)
    }
  }

  /// A repair takes out the last chunk of a finished file, and says how many readings it had.
  func testTheEndOfAFinishedFileIsTakenOut() throws {
    try writeThree(closes: true)
    try damage(2)
    let done = try repair()
    XCTAssertEqual(
      done.faults.filter { $0.contains("missing") },
      ["\(path): of a, 2 readings after number 4 are missing", "\(path): of b, 1 reading after number 2 is missing"])
    XCTAssertTrue(try inspect().isEmpty)
    try write(batches(7..<8), streams, existing: .append)
    XCTAssertEqual(try sequences(), ["/a": [1, 2, 3, 4, 8, 9], "/b": [1, 2, 5]])
    // The numbers tell our own reader too.
    let flags = try readAll().readings.suffix(3).map(\.flags)
    XCTAssertEqual(flags, [.gapBefore, .gapBefore, []])
  }

  /// The indexes behind the damaged chunk are gone as well: the statistics have the numbers.
  func testTheStatisticsKnowWhatIsMissing() throws {
    try writeThree(closes: true)
    let last = try chunks()[2]
    var damaged = try bytes
    for place in last.lowerBound + 60..<last.upperBound { damaged[place] = 0xff }
    try put(damaged)
    let done = try repair()
    XCTAssertEqual(
      done.faults.filter { $0.contains("missing") },
      ["\(path): of a, 2 readings after number 4 are missing", "\(path): of b, 1 reading after number 2 is missing"])
    try put(damaged)
    try write(batches(7..<8), streams, existing: .append)
    XCTAssertEqual(try sequences(), ["/a": [1, 2, 3, 4, 8, 9], "/b": [1, 2, 5]])
  }

  /// A chunk in the middle is taken out: the next reading of each stream follows a gap.
  func testARepairedFileHasItsGaps() throws {
    try write(batches(0..<4), streams)
    try damage(1)
    try repair()
    let trace = try readAll()
    XCTAssertEqual(trace.readings.map(\.time), (batch(0) + batch(2) + batch(3)).map(\.time))
    XCTAssertEqual(trace.readings[3].flags, .gapBefore)
    XCTAssertEqual(trace.readings.filter { $0.stream.index == 0 && $0.flags == .gapBefore }.count, 1)
  }

  /// A run that goes on never gives a channel the number of one whose definition alone is left.
  func testALostChannelKeepsItsNumber() throws {
    try write([[reading(1, 0, [1])]], [stream("a", "x")], closes: false)
    let end = try bytes.count
    try write([[reading(2, 0, [1, 2])]], [stream("a", "x", "y")], existing: .append, closes: false)
    var damaged = try bytes
    // The chunk behind the definitions of the new channel.
    let second = try chunks()[1]
    XCTAssertGreaterThan(second.lowerBound, end)
    damaged[second.lowerBound + 60] ^= 0xff
    try put(damaged)
    try write([[reading(3, 0, [1, 2, 3])]], [stream("a", "x", "y", "z")], existing: .append)
    try repair()
    let left = try inspect()
    XCTAssertTrue(left.isEmpty, "\(left)")
    let ids = try XCTUnwrap(Contents.finished(FileBytes(try bytes))).summary.channels.map(\.id)
    XCTAssertEqual(Set(ids).count, ids.count)
  }
}
