import SluiceLog
import SluiceReadings
import TestDisk
import XCTest

@testable import SluiceSend

final class MemorySpoolTests: XCTestCase {
  private func readings(_ numbers: Range<Int64>) -> [Reading] {
    numbers.map { Reading(time: $0 / 2, stream: StreamID(UInt16($0 % 3)), values: Values($0)) }
  }

  /// Batches of any size have all readings, in order, each with its ordinal.
  func testWhatWasAppendedIsReadInOrder() throws {
    var generator = SeededGenerator(5)
    for _ in 0..<50 {
      let spool = MemorySpool()
      var times = EqualTimes()
      var (appended, read): ([Reading], [Reading]) = ([], [])
      var (before, after): ([UInt32], [UInt32]) = ([], [])
      func take(_ most: Int) {
        guard case .batch(let batch) = spool.read(most: most, before: .max) else { return }
        XCTAssertEqual(Int(batch.first), read.count)
        XCTAssertLessThanOrEqual(batch.readings.count, most)
        read += batch.readings
        var ordinals = Array(repeating: UInt32(0), count: batch.readings.count)
        for (place, ordinal) in batch.ordinals.places { ordinals[place] = ordinal }
        after += ordinals
      }
      for _ in 0..<30 {
        let new = readings(Int64(appended.count)..<Int64(appended.count) + Int64.random(in: 0...40, using: &generator))
        let ordinals = times.ordinals(of: new, first: spool.next)
        try spool.append(new, ordinals)
        appended += new
        var noted = Array(repeating: UInt32(0), count: new.count)
        for (place, ordinal) in ordinals.places { noted[place] = ordinal }
        before += noted
        if Bool.random(using: &generator) { take(Int.random(in: 1...100, using: &generator)) }
      }
      while read.count < appended.count { take(7) }
      XCTAssertEqual(read, appended)
      XCTAssertEqual(after, before)
      guard case .end = spool.read(most: 1, before: .max) else { return XCTFail("it has more than was appended") }
    }
  }

  func testItIsFullUntilReadingsAreSettled() throws {
    let spool = MemorySpool(most: 100)
    try spool.append(readings(0..<60), .init())
    XCTAssertThrowsError(try spool.append(readings(60..<120), .init())) { XCTAssertTrue($0 is SpoolFull) }
    _ = spool.read(most: 50, before: .max)
    XCTAssertThrowsError(try spool.append(readings(60..<120), .init()))
    spool.settle(20)
    XCTAssertNoThrow(try spool.append(readings(60..<120), .init()))
    XCTAssertEqual(spool.next, 120)
  }
}
