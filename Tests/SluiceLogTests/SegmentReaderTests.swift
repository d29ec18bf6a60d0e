import SluiceSystem
import TestDisk
import TestFiles
import XCTest

@testable import SluiceLog

/// Any damage to a segment costs the records that it touches, and never those behind them.
final class SegmentReaderTests: XCTestCase {
  private struct Segment {
    var bytes: [UInt8] = []
    /// The place and the payload of each record.
    var records: [(range: Range<Int>, payload: [UInt8])] = []

    init(_ sizes: [Int]) {
      var first: UInt64 = 100
      for (number, size) in sizes.enumerated() {
        let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number) }
        let record = LogRecord.bytes(.readings, first: first, count: number + 1, payload: payload)
        records.append((bytes.count..<bytes.count + record.count, payload))
        bytes += record
        first += UInt64(number + 1)
      }
    }
  }

  private func items(_ bytes: [UInt8]) throws -> [SegmentReader.Item] {
    let disk = ModelDisk(seed: 1)
    let descriptor = try disk.open("s", O_WRONLY | O_CREAT)
    if !bytes.isEmpty { XCTAssertNil(bytes.withUnsafeBytes { disk.write(all: $0, to: descriptor) }.error) }
    var reader = SegmentReader(disk, descriptor, size: Int64(bytes.count), from: 0)
    var items: [SegmentReader.Item] = []
    while true {
      let item = try reader.next()
      if item == .end { return items }
      items.append(item)
      XCTAssertLessThan(items.count, 1_000)
    }
  }

  private func payloads(_ items: [SegmentReader.Item]) -> [[UInt8]] {
    items.compactMap { if case .record(_, let payload) = $0 { payload } else { nil } }
  }

  func testRecordsAreReadAsTheyWereWritten() throws {
    let segment = Segment([5, 0, 300, 1])
    let items = try items(segment.bytes)
    XCTAssertEqual(payloads(items), segment.records.map(\.payload))
    guard case .record(let record, _) = items[2] else { return XCTFail("\(items)") }
    XCTAssertEqual(record.first, 103)
    XCTAssertEqual(record.count, 3)
    XCTAssertEqual(record.end, 106)
    XCTAssertEqual(try self.items([]), [])
  }

  /// Each bit: at most the record that has it is lost, and its head still says how many readings that are.
  func testAFlipOfEachBit() throws {
    let segment = Segment([40, 3, 90, 17])
    for byte in segment.bytes.indices {
      for bit in 0..<8 {
        var bytes = segment.bytes
        bytes[byte] ^= 1 << bit
        let number = segment.records.firstIndex { $0.range.contains(byte) } ?? 0
        let range = segment.records[number].range
        let isPayload = range.dropFirst(LogRecord.headSize).dropLast(LogRecord.headSize).contains(byte)
        let items = try items(bytes)
        var expected = segment.records.map(\.payload)
        if isPayload { expected.remove(at: number) }
        XCTAssertEqual(payloads(items), expected, "bit \(bit) of byte \(byte)")
        XCTAssertEqual(items.count, 4, "bit \(bit) of byte \(byte)")
        guard isPayload else { continue }
        guard case .lost(let record) = items[number] else { return XCTFail("\(items[number])") }
        XCTAssertEqual(record.count, number + 1)
      }
    }
  }

  /// A record whose write did not end does not count.
  func testACutAtEachByte() throws {
    let segment = Segment([40, 3, 90, 17])
    for count in segment.bytes.indices {
      let items = try items(Array(segment.bytes.prefix(count)))
      let whole = segment.records.filter { $0.range.upperBound <= count }
      XCTAssertEqual(payloads(items), whole.map(\.payload), "\(count) bytes")
      guard let next = segment.records.dropFirst(whole.count).first, count > next.range.lowerBound else { continue }
      XCTAssertEqual(items.last, .torn, "\(count) bytes")
    }
  }

  func testBytesBetweenRecords() throws {
    let (a, b) = (Segment([10, 20]), Segment([30]))
    for junk in [1, 31, 32, 65_535, 65_536, 65_568, 200_000] {
      // The first 20 bytes of a head, again and again.
      let bytes = (0..<junk).map { a.bytes[$0 % 20] }
      let items = try items(a.bytes + bytes + b.bytes)
      XCTAssertEqual(payloads(items), (a.records + b.records).map(\.payload), "\(junk) bytes")
      XCTAssertEqual(items[2], .damage(Int64(a.bytes.count)..<Int64(a.bytes.count + junk)))
    }
  }

  /// Random damage: every record that is found was written.
  func testRandomDamage() throws {
    var random = TestGenerator()
    let segment = Segment((0..<12).map { $0 * 23 })
    for _ in 0..<2_000 {
      var bytes = segment.bytes
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        let start = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...100, using: &random))
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.removeSubrange(start..<end)
        case 1: bytes.insert(contentsOf: bytes[start..<end], at: end)
        case 2: for index in start..<end { bytes[index] = 0 }
        default: bytes[start] = .random(in: 0...255, using: &random)
        }
        if bytes.isEmpty { break }
      }
      let written = Set(segment.records.map(\.payload))
      for payload in payloads(try items(bytes)) { XCTAssertTrue(written.contains(payload)) }
    }
  }

  func testAWatermark() {
    var mark = LogWatermark(next: 12_345)
    (mark.number, mark.device, mark.inode, mark.length) = (7, 1, 2, .max)
    XCTAssertEqual(mark.bytes.count, LogWatermark.size)
    XCTAssertEqual(LogWatermark(mark.bytes), mark)
    for byte in mark.bytes.indices {
      for bit in 0..<8 {
        var bytes = mark.bytes
        bytes[byte] ^= 1 << bit
        XCTAssertNil(LogWatermark(bytes))
      }
      XCTAssertNil(LogWatermark(Array(mark.bytes.prefix(byte))))
    }
  }
}
