import CSQLite
import Foundation
import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class RefusalTests: SQLiteTestCase {
  /// Whoever opens it says the same.
  private func expect(
    _ path: String, _ code: SluiceError.Code, _ cause: String, line: UInt = #line,
    _ others: [(String) throws -> Void] = [
      { _ = try SQLiteTrace(path: $0) }, { _ = try SQLiteMetadata.documents(of: $0) },
      { _ = try SQLiteMetadata.append("x", to: $0) },
      { _ = try SQLiteRecording(path: $0, streams: [stream("s", "a")], raw: false, appends: true) },
    ]
  ) {
    for (index, body) in others.enumerated() {
      let error = error { try body(path) }
      XCTAssertEqual(error?.code, code, "\(index)", line: line)
      XCTAssertEqual(error?.cause, cause, "\(index)", line: line)
      let action = ["read", "read", "write", "append to"][index]
      XCTAssertTrue(error?.description.hasPrefix("cannot \(action) \(path): ") ?? false, "\(index)", line: line)
    }
  }

  func testWhatIsNoRecording() throws {
    expect(file("text.db", Data("time_ns,a\n1,2\n".utf8)), .malformed, "it is not a database")
    expect(file("short.db", Data("SQLite format 3\0".utf8)), .malformed, "it is not a database")
    expect("\(folder)/none.db", .notFound, "no such file or directory")
    expect(folder.path, .unsupported, "it is a folder")
    expect("/dev/null", .unsupported, "a database cannot be read from or written to a pipe or device")
    expect("", .notFound, "no file can have this name")
    let good = try record([], [stream("s", "a")], to: file("good.db"))
    expect(good + "\0.csv", .notFound, "no file can have this name")
    let other = file("other.db")
    try execute(other, "CREATE TABLE s (a); PRAGMA user_version = 1")
    expect(other, .malformed, "it is a database, but not a recording of sluice")
    XCTAssertEqual(try query(other, "SELECT name FROM sqlite_master"), ["s"])
    XCTAssertEqual(try query(other, "PRAGMA journal_mode"), ["delete"])
    let newer = try record([], [stream("s", "a")], to: file("newer.db"))
    try execute(newer, "PRAGMA user_version = 2")
    expect(newer, .unsupported, "its schema is version 2, and this sluice knows 1")
    XCTAssertEqual(error { _ = try SQLiteTrace(path: newer) }?.remedy, "use a newer sluice")
    let empty = file("empty.db")
    XCTAssertEqual(error { _ = try SQLiteTrace(path: empty) }?.description, "cannot read \(empty): it is empty")
  }

  /// Not even root may write to a program that runs: SQLite opens it all the same.
  func testWhatMayOnlyBeRead() throws {
    let refused = error { _ = try SQLiteDatabase(path: "/proc/self/exe", mode: .writing) }
    XCTAssertEqual(
      refused?.description, "cannot write /proc/self/exe: permission denied; choose a file that you may write")
    XCTAssertNil(error { _ = try SQLiteDatabase(path: "/proc/self/exe", mode: .reading) })
  }

  /// Names that mean something else to SQLite.
  func testNamesAreThoseOfFiles() throws {
    let before = FileManager.default.currentDirectoryPath
    XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(folder.path))
    defer { XCTAssertTrue(FileManager.default.changeCurrentDirectoryPath(before)) }
    for name in [":memory:", "file:x?mode=memory", "a?b#c%20", "-"] {
      _ = file(name)
      try record([reading(1, 0, [1])], [stream("s", "a")], to: name)
      XCTAssertEqual(try readAll(name).count, 1, name)
      XCTAssertEqual(try readAll("\(folder)/\(name)").count, 1, name)
    }
  }

  func testSentences() {
    func text(_ code: Int32, _ action: String = "write", system: Int32 = 0) -> SluiceError {
      SQLiteDatabase.error(code, action, "walk.db", said: "what it said", system: system)
    }
    let cases: [(SluiceError, SluiceError.Code, Int32?, String)] = [
      (
        text(SQLITE_CORRUPT | (1 << 8)), .malformed, nil,
        "cannot write walk.db: it is damaged (what it said); save what can be read with sqlite3 and its .recover"
      ),
      (text(SQLITE_CANTOPEN, system: ENOENT), .notFound, ENOENT, "cannot write walk.db: no such file or directory"),
      (
        text(SQLITE_CANTOPEN, system: EACCES), .permissionDenied, EACCES,
        "cannot write walk.db: permission denied; choose a file that you may write"
      ),
      (
        text(SQLITE_CANTOPEN, "read"), .failed, nil,
        "cannot read walk.db: what it said; check that you may read and write it and its folder"
      ),
      (
        text(SQLITE_READONLY), .permissionDenied, EACCES,
        "cannot write walk.db: it cannot be written; choose a file that you may write"
      ),
      (
        text(SQLITE_READONLY | (3 << 8), "read"), .permissionDenied, EROFS,
        "cannot read walk.db: the program that wrote it last did not close it, so that it can be read only where it "
          + "can be written; copy it, with all files whose names begin like its own, to a folder that you may write to"
      ),
      (
        text(SQLITE_READONLY | (4 << 8)), .failed, nil,
        "cannot write walk.db: it was moved or removed after it had been opened"
      ),
      (text(SQLITE_IOERR | (3 << 8), system: EIO), .failed, EIO, "cannot write walk.db: input/output error"),
      (
        text(SQLITE_IOERR | (19 << 8), system: ENOSPC), .failed, ENOSPC,
        "cannot write walk.db: no space left on device; free some space"
      ),
      (text(SQLITE_IOERR), .failed, nil, "cannot write walk.db: what it said"),
      (
        text(SQLITE_LOCKED), .busy, EBUSY,
        "cannot write walk.db: another program has locked it; close it in that program, "
          + "or try again later"
      ),
      (text(SQLITE_NOMEM), .failed, ENOMEM, "cannot write walk.db: there is not enough memory"),
      (text(SQLITE_MISUSE), .failed, nil, "cannot write walk.db: what it said"),
    ]
    for (error, code, number, sentence) in cases {
      XCTAssertEqual(error.description, sentence)
      XCTAssertEqual(error.code, code, sentence)
      XCTAssertEqual(error.errno, number, sentence)
    }
  }

  func testAClosedOneRefuses() throws {
    let path = try record([reading(1, 0, [1])], [stream("s", "a")])
    let trace = try SQLiteTrace(path: path)
    trace.close()
    trace.close()
    XCTAssertEqual(error { _ = try trace.readAll() }?.cause, "it has been closed")
    XCTAssertEqual(error { _ = try trace.documents() }?.cause, "it has been closed")
  }
}
