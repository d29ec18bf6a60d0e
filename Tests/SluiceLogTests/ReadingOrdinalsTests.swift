import SluiceReadings
import SluiceSystem
import TestDisk
import XCTest

@testable import SluiceLog

final class ReadingOrdinalsTests: XCTestCase {
  func testAnyOrdinalsAreReadBack() {
    var generator = SeededGenerator(4)
    for _ in 0..<300 {
      var ordinals = ReadingOrdinals()
      for place in 0..<200 where Int.random(in: 0..<5, using: &generator) == 0 {
        ordinals.add(UInt32.random(in: 1...(.max), using: &generator), at: place)
      }
      var bytes = (ordinals.bytes + [1, 2, 3])[...]
      XCTAssertEqual(ReadingOrdinals(takenFrom: &bytes), ordinals)
      XCTAssertEqual(bytes, [1, 2, 3])
      let cut = Int.random(in: 0...200, using: &generator)
      var joined = ordinals[0..<cut]
      joined.append(ordinals.dropFirst(cut), behind: cut)
      XCTAssertEqual(joined, ordinals)
    }
  }

  func testAnyBytesAreReadOrRefused() {
    var generator = SeededGenerator(5)
    for _ in 0..<2_000 {
      var bytes = (0..<Int.random(in: 0...20, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }[...]
      _ = ReadingOrdinals(takenFrom: &bytes)
    }
  }

  func testTheLogKeepsThem() throws {
    let disk = ModelDisk(seed: 1)
    let log = try SegmentLog("log", files: disk)
    let readings = (0..<10).map { Reading(time: Int64($0 / 2), stream: StreamID(0), values: Values(Int64($0))) }
    var ordinals = ReadingOrdinals()
    for place in stride(from: 1, to: 10, by: 2) { ordinals.add(1, at: place) }
    try log.append(readings, ordinals)
    try log.append(readings)
    var reader = log.reader(from: 3)
    guard case .readings(3, let rest) = try reader.next() else { return XCTFail("nothing is read") }
    XCTAssertEqual(rest, Array(readings[3...]))
    XCTAssertEqual(reader.ordinals, ordinals.dropFirst(3))
    guard case .readings(10, readings) = try reader.next() else { return XCTFail("nothing is read") }
    XCTAssertTrue(reader.ordinals.isEmpty)
    XCTAssertEqual(log.describedGroups.map(\.numbers), [0..<20])
  }

  func testARingKeepsWhatIsNotNeeded() throws {
    let disk = ModelDisk(seed: 1)
    var limits = SegmentLog.Limits()
    limits.segment = 4_096
    let log = try SegmentLog("log", files: disk, limits: limits)
    for block in 0..<40 {
      try log.append(
        (0..<100).map { Reading(time: Int64(block * 100 + $0) * 7_919, stream: StreamID(0), values: Values(Int64($0))) }
      )
    }
    try log.advance(LogWatermark(next: 4_000), keeps: true)
    XCTAssertEqual(log.oldest, 0)
    guard let oldest = log.oldestSegment else { return XCTFail("it has one segment") }
    log.removeOldest()
    XCTAssertEqual(log.oldest, oldest.upperBound)
    log.close()
    let again = try SegmentLog("log", files: disk, limits: limits)
    XCTAssertEqual([again.next, again.watermark.next, again.oldest], [4_000, 4_000, oldest.upperBound])
  }
}
