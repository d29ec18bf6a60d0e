import Foundation
import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class CrashTests: SQLiteTestCase {
  private func started(_ path: String? = nil, timeout: Int32 = 0) throws -> SQLiteRecording {
    let recording = try SQLiteRecording(
      path: path ?? file(), streams: [stream("s", "a"), stream("t", "b")], raw: false, appends: false, timeout: timeout)
    try recording.write([reading(1, 0, [1]), reading(2, 1, [2])])
    try recording.commit()
    return recording
  }

  /// What a killed program leaves: its files as they are.
  func testKilledBetweenCommits() throws {
    let recording = try started()
    // So many that some of them are in the file before the commit.
    let lost = (0..<20_000).map { reading(3, UInt16($0 % 2), [Int64($0)]) }
    try recording.write(lost)
    for name in folder.files {
      // Without the shared memory, which is made again.
      guard !name.hasSuffix("-shm") else { continue }
      try FileManager.default.copyItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/copy-\(name)")
    }
    XCTAssertTrue(folder.files.contains("copy-walk.db-wal"))
    let copy = "\(folder)/copy-walk.db"
    XCTAssertEqual(try readAll(copy).map(\.time), [1, 2])
    try record([reading(9, 1, [9])], [stream("s", "a"), stream("t", "b")], appends: true, to: copy)
    XCTAssertEqual(try readAll(copy).map(\.time), [1, 2, 9])
    XCTAssertEqual(try query(copy, "SELECT id FROM t"), ["2", "3"])
    // The same file without its log is whole too, as of the last time that the log was copied into it.
    try recording.commit()
    XCTAssertEqual(try readAll(recording.path).count, 20_002)
  }

  /// The file has a page then, and nothing in it.
  func testKilledBeforeItsTables() throws {
    let path = file()
    try SQLiteDatabase(path: path, mode: .writing).execute("PRAGMA journal_mode = WAL")
    XCTAssertEqual(try query(path, "PRAGMA page_count"), ["1"])
    XCTAssertEqual(try SQLiteMetadata.documents(of: path), [])
    try record([reading(1, 0, [1])], [stream("s", "a")], appends: true, to: path)
    XCTAssertEqual(try readAll(path).map(\.time), [1])
  }

  /// What is in the file then is not what was there before, which a journal beside it knows.
  func testKilledWhileTheFileWasMade() throws {
    let path = file("made.db")
    let database = try SQLiteDatabase(path: path, mode: .writing)
    try database.execute("PRAGMA cache_size = 1; BEGIN; CREATE TABLE t (x)")
    for _ in 0..<50 { try database.execute("INSERT INTO t VALUES (zeroblob(4000))") }
    for ending in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + ending, toPath: "\(folder)/killed.db" + ending)
    }
    let killed = "\(folder)/killed.db"
    XCTAssertEqual(try SQLiteMetadata.documents(of: killed), [])
    try record([reading(1, 0, [1])], [stream("s", "a")], appends: true, to: killed)
    XCTAssertEqual(try readAll(killed).map(\.time), [1])
  }

  func testDroppedWithoutAnEnd() throws {
    var recording: SQLiteRecording? = try started()
    let path = try XCTUnwrap(recording).path
    try recording?.write([reading(3, 0, [3])])
    recording = nil
    XCTAssertEqual(folder.files, ["walk.db"])
    XCTAssertEqual(try readAll(path).map(\.time), [1, 2])
  }

  func testFullDisk() throws {
    let recording = try started()
    let pages = try XCTUnwrap(recording.database.integer("PRAGMA page_count"))
    _ = try recording.database.integer("PRAGMA max_page_count = \(pages + 2)")
    let readings = (0..<5_000).map { reading(3, UInt16($0 % 2), [Int64($0)]) }
    let failure = error {
      for _ in 0..<10 {
        try recording.write(readings)
        try recording.commit()
      }
    }
    XCTAssertEqual(
      failure?.description, "cannot write \(recording.path): no space left on device; free some space")
    XCTAssertEqual(failure?.code, .failed)
    XCTAssertEqual(failure?.errno, ENOSPC)
    XCTAssertEqual(recording.committed, [1, 1])
    // Nothing of it is there, and with space it goes on.
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2])
    XCTAssertEqual(error { try recording.write(readings) }, failure)
    _ = try recording.database.integer("PRAGMA max_page_count = 1000000")
    try recording.write([reading(9, 0, [9])])
    try recording.close()
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2, 9])
  }

  /// What a transaction has made is gone with it.
  func testFullDiskWithANewStream() throws {
    let recording = try started()
    let pages = try XCTUnwrap(recording.database.integer("PRAGMA page_count"))
    _ = try recording.database.integer("PRAGMA max_page_count = \(pages + 2)")
    let readings = (0..<5_000).map { reading(3, UInt16($0 % 2), [Int64($0)]) }
    let failure = error {
      try recording.add(streams: [stream("s", "a"), stream("t", "a"), stream("u", "a")])
      for _ in 0..<10 { try recording.write(readings) }
      try recording.commit()
    }
    XCTAssertEqual(failure?.errno, ENOSPC)
    _ = try recording.database.integer("PRAGMA max_page_count = 1000000")
    // It stays like that.
    for body in [
      { try recording.write([reading(3, 0, [3])]) }, { try recording.commit() }, { try recording.add(streams: []) },
      { try recording.appendMetadata("x") }, { try recording.close() },
    ] {
      XCTAssertEqual(error(of: body), failure)
    }
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2])
    try record([reading(9, 0, [9])], [stream("s", "a")], appends: true, to: recording.path)
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2, 9])
  }

  /// Another program's lock is waited for, and then reported; later it can be tried again.
  func testLockedByAnother() throws {
    let recording = try started()
    let other = try SQLiteDatabase(path: recording.path, mode: .writing)
    try other.execute("BEGIN IMMEDIATE")
    let failure = error { try recording.write([reading(3, 0, [3])]) }
    XCTAssertEqual(
      failure?.description,
      "cannot write \(recording.path): another program has locked it; close it in that program, or try again later"
    )
    XCTAssertEqual(failure?.code, .busy)
    XCTAssertEqual(error { try recording.add(streams: [stream("s", "a", "b")]) }?.code, .busy)
    XCTAssertEqual(error { try recording.appendMetadata("x") }?.code, .busy)
    XCTAssertEqual(try readAll(recording.path).count, 2)
    try other.execute("ROLLBACK")
    try recording.write([reading(4, 0, [4])])
    try recording.close()
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2, 4])
    other.close()
    _ = try SQLiteMetadata.append("x", to: recording.path)
    let last = try SQLiteDatabase(path: recording.path, mode: .writing)
    try last.execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE")
    XCTAssertEqual(error { _ = try readAll(recording.path) }?.code, .busy)
    XCTAssertEqual(
      error {
        _ = try SQLiteRecording(path: recording.path, streams: [], raw: false, appends: true, timeout: 0)
      }?.code, .busy)
    XCTAssertEqual(error { _ = try SQLiteMetadata.documents(of: recording.path, timeout: 0) }?.code, .busy)
  }

  /// Without shared memory, a commit waits for readers: what was written is still there afterwards.
  func testACommitThatIsTriedAgain() throws {
    let recording = try started()
    try recording.database.execute("PRAGMA journal_mode = DELETE")
    let trace = try SQLiteTrace(path: recording.path)
    try recording.write([reading(3, 0, [3])])
    XCTAssertEqual(error { try recording.commit() }?.code, .busy)
    XCTAssertEqual(error { try recording.commit() }?.code, .busy)
    XCTAssertEqual(recording.committed, [1, 1])
    try recording.write([reading(4, 0, [4])])
    XCTAssertEqual(try trace.readAll().map(\.time), [1, 2])
    trace.close()
    try recording.commit()
    XCTAssertEqual(recording.committed, [3, 1])
    try recording.close()
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2, 3, 4])
  }

  /// What a killed recording left beside a file that is overwritten does not come back.
  func testALogOfAnotherFile() throws {
    let recording = try started()
    try recording.write((0..<20_000).map { reading(3, 0, [Int64($0)]) })
    try recording.commit()
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: recording.path + end, toPath: "\(folder)/copy.db" + end)
    }
    let copy = "\(folder)/copy.db"
    XCTAssertEqual(truncate(copy, 0), 0)
    try record([reading(9, 0, [9])], [stream("u", "v")], to: copy)
    XCTAssertEqual(try SQLiteTrace(path: copy).streams.map(\.name), ["u"])
    XCTAssertEqual(try readAll(copy), [reading(9, 0, [9])])
  }

  /// Two that would write it at once: the caller's own lock prevents it, and nothing is mixed up without one.
  func testTwoRecordings() throws {
    let first = try started()
    let second = try SQLiteRecording(
      path: first.path, streams: [stream("s", "a"), stream("t", "b")], raw: false, appends: true, timeout: 0)
    try first.write([reading(3, 0, [3]), reading(4, 0, [4])])
    XCTAssertEqual(error { try second.write([reading(4, 0, [4])]) }?.code, .busy)
    try first.commit()
    // The second of the numbers is taken meanwhile; the reading with the first is taken back.
    XCTAssertEqual(error { try second.write([reading(5, 1, [5]), reading(6, 0, [6])]) }?.code, .malformed)
    try first.close()
    XCTAssertEqual(try readAll(first.path).map(\.time), [1, 2, 3, 4])
  }
}
