import Foundation
import SluiceReadings
import SluiceSystem
import TestDisk
import TestFiles
import XCTest

@testable import SluiceMCAP
@testable import SluiceRecording

/// Damage at any place: it is seen, and everything else is kept.
final class MCAPRepairTests: MCAPTestCase {
  /// The file that is written anew has the mode of the damaged one, and both have their names.
  func testARepairedFileHasTheModeOfTheDamagedOne() throws {
    try write(batches(0..<3), streams)
    var damaged = try bytes
    damaged[try chunks()[1].lowerBound + 60] ^= 0xff
    for mode in [0o640, 0o600, 0o664] {
      try put(damaged)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
      try repair()
      for name in [path, path + ".damaged"] {
        XCTAssertEqual(try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int, mode)
      }
      XCTAssertEqual([UInt8](try Data(contentsOf: URL(fileURLWithPath: path + ".damaged"))), damaged)
      try FileManager.default.removeItem(atPath: path + ".damaged")
    }
  }

  func testWhatIsMissingIsNamed() throws {
    try write(batches(0..<4), streams)
    let chunks = try chunks()
    var damaged = try bytes
    damaged[chunks[1].lowerBound + 60] ^= 0xff
    damaged[chunks[2].lowerBound + 60] ^= 0xff
    try put(damaged)
    // A reader ends there, or steps over it.
    XCTAssertEqual(try readAll().readings, batch(0))
    XCTAssertTrue(try XCTUnwrap(try readAll().error).contains("sluice repair keeps everything else"))
    let skipped = try readAll(skipsBad: true)
    XCTAssertEqual(skipped.readings.map(\.time), (batch(0) + batch(3)).map(\.time))
    XCTAssertEqual(skipped.readings[3].flags, .gapBefore)
    XCTAssertEqual(skipped.skipped, 1)
    XCTAssertEqual(
      skipped.warnings,
      ["walk.mcap: by their numbers, 6 readings of the damaged parts are missing before those that follow"])
    let done = try repair()
    XCTAssertEqual(done.faults.count, 3)
    XCTAssertTrue(done.faults[1].hasSuffix("of a, numbers 3 to 6 are missing"), "\(done.faults)")
    XCTAssertTrue(done.faults[2].hasSuffix("of b, numbers 2 to 3 are missing"), "\(done.faults)")
    XCTAssertTrue(folder.files.contains("walk.mcap.damaged"))
    XCTAssertEqual(try readAll().readings.map(\.time), (batch(0) + batch(3)).map(\.time))
  }

  /// The indexes have no checksum, and nothing is lost with them: the chunk behind them is whole.
  func testAnIndexWithAByteTooFewOrTooMany() throws {
    try write(batches(0..<4), streams)
    let (whole, chunks) = (try bytes, try chunks())
    for place in chunks[1].upperBound..<chunks[2].lowerBound {
      for isDeleted in [true, false] {
        var damaged = whole
        if isDeleted { damaged.remove(at: place) } else { damaged.insert(0x5a, at: place) }
        try put(damaged)
        try repair()
        XCTAssertEqual(
          try readAll().readings.map(\.time), (0..<4).flatMap { batch($0) }.map(\.time), "byte \(place), \(isDeleted)")
      }
    }
  }

  /// Flips in a file of real chunks. Each compares all of the file, so there are 60.
  func testRandomFlips() throws {
    var generator = SeededGenerator(2)
    let readings = (0..<40_000).map { (number: Int64) -> Reading in
      let isFirst = number % 2 == 0
      return reading(number, isFirst ? 0 : 1, isFirst ? [number] : [number, 7])
    }
    try write([readings], streams)
    let whole = try bytes
    XCTAssertGreaterThan(try chunks().count, 2)
    for _ in 0..<60 {
      var damaged = whole
      damaged[Int.random(in: whole.indices, using: &generator)] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      try put(damaged)
      XCTAssertFalse(try inspect().isEmpty)
    }
  }

  /// A file says any size.
  func testWhatAFileSaysIsNotBelieved() throws {
    try InstalledLibrary.zstd.needed()
    // It reads LZ4.
    try InstalledLibrary.archive.needed()
    for compression in ["", "zstd", "lz4", "none"] {
      for size in [UInt64(1) << 32, .max, UInt64(MCAP.longestChunk), 1 << 40] {
        var writer = RecordWriter()
        writer.append(raw: MCAPEncoder.header)
        writer.append(.chunk) { writer in
          writer.append(UInt64(0))
          writer.append(UInt64(0))
          writer.append(size)
          writer.append(UInt32(1))
          writer.append(compression)
          writer.append(UInt64(4))
          writer.append(raw: [1, 2, 3, 4])
        }
        let bytes = writer.bytes
        let trace = try Trace(bytes)
        XCTAssertEqual(trace.readings, [])
        #if !SLUICE_ARCHIVE
          guard ["", "none"].contains(compression) else { continue }
        #endif
        let wanted = "bytes behind its last whole chunk"
        XCTAssertTrue(trace.warnings.first?.contains(wanted) ?? false, "\(compression) \(size): \(trace)")
        // Only a size within the limit is looked at, whatever the compression makes of it.
        let fault = Result { () throws(Chunk.Fault) in
          try Chunk(FileBytes(bytes), at: 31, length: Int64(bytes.count - 31 - RecordKind.head), ChunkReader())
        }
        guard case .failure(let error) = fault else { return XCTFail("\(compression) \(size)") }
        XCTAssertEqual(
          error.text.hasPrefix("it says that it has \(size) bytes of messages, and the limit is"),
          size > UInt64(MCAP.longestChunk), error.text)
      }
    }
    var writer = RecordWriter()
    writer.append(raw: MCAPEncoder.header)
    writer.append(raw: [RecordKind.chunk.rawValue])
    writer.append(UInt64.max)
    let trace = try Trace(writer.bytes)
    XCTAssertEqual(trace.readings, [])
    XCTAssertEqual(trace.warnings.count, 1, "\(trace)")
  }
}
