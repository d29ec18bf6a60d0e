import CArchive
import Foundation
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceArchive

/// A test with a folder of its own.
class ArchiveTestCase: XCTestCase {
  private(set) lazy var folder = temporaryFolder()

  func file(_ name: String, _ bytes: [UInt8]) -> String {
    let path = "\(folder)/\(name)"
    XCTAssertTrue(FileManager.default.createFile(atPath: path, contents: Data(bytes)))
    return path
  }
}

/// A ZIP archive as libarchive makes it.
func zip(_ entries: [(name: String, bytes: [UInt8])], method: String = "deflate") -> [UInt8] {
  if let failure = carchive_load() {
    XCTFail("libarchive cannot be loaded: \(String(cString: failure)); install it with apt install libarchive13")
    return []
  }
  let archive = archive_write_new()
  defer { archive_write_free(archive) }
  XCTAssertEqual(archive_write_set_format_zip(archive), ARCHIVE_OK)
  XCTAssertEqual(archive_write_set_options(archive, "zip:compression=\(method)"), ARCHIVE_OK)
  var bytes = [UInt8](repeating: 0, count: 4096 + entries.reduce(0) { $0 + $1.bytes.count + 1024 })
  let size = bytes.count
  var used = 0
  bytes.withUnsafeMutableBytes { buffer in
    XCTAssertEqual(archive_write_open_memory(archive, buffer.baseAddress, size, &used), ARCHIVE_OK)
    for (name, bytes) in entries {
      let entry = archive_entry_new()
      defer { archive_entry_free(entry) }
      archive_entry_set_pathname(entry, name)
      archive_entry_set_filetype(entry, 0o100000)
      archive_entry_set_size(entry, Int64(bytes.count))
      XCTAssertEqual(archive_write_header(archive, entry), ARCHIVE_OK)
      XCTAssertEqual(bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }, bytes.count)
    }
    XCTAssertEqual(archive_write_close(archive), ARCHIVE_OK)
  }
  return Array(bytes[..<used])
}

/// A sigrok session.
/// - Parameter metadata: Lines of its first device.
func session(
  _ metadata: [String], _ entries: [(name: String, bytes: [UInt8])], version: String = "2", method: String = "deflate"
) -> [UInt8] {
  let text = (["[global]", "sigrok version=0.5.2", "", "[device 1]"] + metadata).joined(separator: "\n") + "\n"
  return zip([("version", Array(version.utf8)), ("metadata", Array(text.utf8))] + entries, method: method)
}

extension SigrokTrace {
  /// All that is left, some at a time, and the error behind it.
  func readAll(_ count: Int = 7) -> (readings: [Reading], error: SluiceError?) {
    var all: [Reading] = []
    var block = [Reading](repeating: Reading(time: 99, stream: StreamID(9), values: [1, 2]), count: count)
    while true {
      let result = block.withUnsafeMutableBufferPointer { block in
        Result { () throws(SluiceError) in try read(into: block) }
      }
      switch result {
      case .success(0): return (all, nil)
      case .success(let count): all += block[..<count]
      case .failure(let error): return (all, error)
      }
    }
  }
}

func error(of body: () throws -> Void) -> SluiceError? {
  do {
    try body()
    return nil
  } catch {
    return error as? SluiceError
  }
}
