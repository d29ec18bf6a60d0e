import Foundation
import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class MetadataTests: SQLiteTestCase {
  func testDocumentsOfRuns() throws {
    let path = try record([], [stream("s", "a")])
    XCTAssertEqual(try SQLiteMetadata.documents(of: path), [])
    try SQLiteMetadata.replaceLast(of: path, with: "{}")
    _ = try SQLiteMetadata.append("second", to: path)
    _ = try SQLiteMetadata.append("", to: path)
    try SQLiteMetadata.replaceLast(of: path, with: "thi\0rd ü")
    XCTAssertEqual(try SQLiteMetadata.documents(of: path), ["{}", "second", "thi\0rd ü"])
    XCTAssertEqual(try SQLiteTrace(path: path).documents(), ["{}", "second", "thi\0rd ü"])
    XCTAssertEqual(try query(path, "SELECT run FROM sluice_metadata"), ["1", "2", "3"])
    XCTAssertEqual(folder.files, ["walk.db"])
  }

  func testDuringARecording() throws {
    let recording = try SQLiteRecording(path: file(), streams: [stream("s", "a")], raw: false, appends: false)
    try recording.appendMetadata("begins")
    XCTAssertEqual(try SQLiteMetadata.documents(of: recording.path), ["begins"])
    try recording.write([reading(1, 0, [1])])
    try recording.replaceMetadata("ends")
    XCTAssertEqual(recording.committed, [1])
    XCTAssertEqual(try SQLiteMetadata.documents(of: recording.path), ["ends"])
    // Nothing is open any more, so that another connection can write.
    try SQLiteMetadata.replaceLast(of: recording.path, with: "after", timeout: 0)
    try recording.close()
    XCTAssertEqual(try SQLiteMetadata.documents(of: recording.path), ["after"])
  }

  func testWhatIsNoDocument() throws {
    let path = try record([], [stream("s", "a")])
    for value in ["x'00ff'", "7.5"] {
      // A column of texts makes a text of a number.
      try execute(path, "DROP TABLE sluice_metadata; CREATE TABLE sluice_metadata (run INTEGER PRIMARY KEY, document)")
      try execute(path, "INSERT INTO sluice_metadata VALUES (4, 'good'), (5, \(value))")
      XCTAssertEqual(
        error { _ = try SQLiteMetadata.documents(of: path) }?.cause,
        "the document of run 5 in sluice_metadata is no text")
    }
    try execute(path, "DROP TABLE sluice_metadata")
    XCTAssertEqual(
      error { _ = try SQLiteMetadata.documents(of: path) }?.cause,
      "its tables are not as they should be (no such table: sluice_metadata)")
    XCTAssertEqual(
      error { _ = try SQLiteMetadata.append("x", to: path) }?.cause,
      "its tables are not as they should be (no such table: sluice_metadata)")
  }
}
