import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceMCAP

/// Chunks of other programs that are compressed with LZ4.
final class MCAPCompressionTests: XCTestCase {
  override func setUpWithError() throws {
    try super.setUpWithError()
    try InstalledLibrary.archive.needed()
  }

  #if SLUICE_ARCHIVE
    /// What liblz4 makes of 600 bytes: fifty times 0, fifty times 1 and so on, with a checksum.
    private static let frame = bytes(
      "04224d186c40580200000000000040420000001f0001001e1f0101001e1f0201001e1f0301001e1f0401001e1f0501001e1f"
        + "0601001e1f0701001e1f0801001e1f0901001e1f0a01001e1f0b010019500b0b0b0b0b000000006179830e")

    private static func bytes(_ digits: String) -> [UInt8] {
      let digits = Array(digits.utf8)
      return stride(from: 0, to: digits.count, by: 2).compactMap { place in
        UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
      }
    }

    /// A frame of one block that is not compressed.
    private func plainFrame(_ bytes: [UInt8]) -> [UInt8] {
      var writer = RecordWriter()
      writer.append(raw: [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82])
      writer.append(UInt32(bytes.count) | 1 << 31)
      writer.append(raw: bytes)
      writer.append(UInt32(0))
      return writer.bytes
    }

    private func decompressed(_ frame: [UInt8], _ size: Int) -> Result<[UInt8], ChunkCompression.Fault> {
      let room = ByteRoom()
      return frame.withUnsafeBytes { bytes in
        Result { () throws(ChunkCompression.Fault) in
          try ChunkCompression().decompress(bytes, "lz4", size: size, into: room)
          return Array(room.bytes)
        }
      }
    }

    func testAFrame() {
      let expected = (0..<600).map { UInt8($0 / 50) }
      XCTAssertEqual(try decompressed(Self.frame, 600).get(), expected)
      XCTAssertEqual(try decompressed(plainFrame([1, 2, 3]), 3).get(), [1, 2, 3])
      for size in [0, 1, 599, 601, 100_000] {
        XCTAssertEqual(
          decompressed(Self.frame, size), .failure(.init(text: "it decompresses to another size")), "\(size)")
      }
    }

    /// Damaged or torn frames, and what is none, end in a sentence.
    func testDamage() {
      for count in Self.frame.indices {
        guard case .failure(let fault) = decompressed(Array(Self.frame[..<count]), 600) else {
          // The end of the frame and its checksum are behind all bytes.
          XCTAssertGreaterThan(count, Self.frame.count - 9)
          continue
        }
        XCTAssertFalse(fault.isUnsupported)
        XCTAssertFalse(fault.text.isEmpty)
      }
      for place in Self.frame.indices {
        var damaged = Self.frame
        damaged[place] ^= 0x10
        _ = decompressed(damaged, 600)
      }
      for bytes in [[], [1, 2, 3, 4], Array("x,y\n1,2\n".utf8)] as [[UInt8]] {
        XCTAssertEqual(decompressed(bytes, 4), .failure(.init(text: "it is no frame of LZ4")))
      }
    }

    func testAFileWithSuchAChunk() throws {
      var records = RecordWriter()
      ChannelRecord(id: 1, schema: 0, topic: "/t", encoding: "json", metadata: []).write(to: &records)
      for number in 1...3 as ClosedRange<UInt64> {
        records.append(.message) { writer in
          writer.append(UInt16(1))
          writer.append(UInt32(0))
          writer.append(number)
          writer.append(number)
          writer.append(raw: Array("{\"x\":\(number)}".utf8))
        }
      }
      let frame = plainFrame(records.bytes)
      var file = RecordWriter()
      file.append(raw: MCAP.magic)
      file.append(.header) { writer in
        writer.append("")
        writer.append("another program")
      }
      file.append(.chunk) { writer in
        writer.append(UInt64(1))
        writer.append(UInt64(3))
        writer.append(UInt64(records.bytes.count))
        writer.append(CRC32(records.bytes).value)
        writer.append("lz4")
        writer.append(UInt64(frame.count))
        writer.append(raw: frame)
      }
      let trace = try Trace(file.bytes)
      XCTAssertEqual(trace.readings.map { $0.values[0].description }, ["1", "2", "3"])
      XCTAssertEqual(trace.warnings, [])
      let damage = try MCAPRepair.damage(in: file.bytes)
      XCTAssertEqual(damage.faults, [])
    }
  #endif
}
