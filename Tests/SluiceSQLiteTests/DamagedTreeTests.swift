import Foundation
import Sluice
import SluiceReadings
import TestFiles
import XCTest

@testable import SluiceRecording
@testable import SluiceSQLite

/// Files of some KB whose trees have more rows than any disk: interior pages that name the same page hundreds of times. And
/// what a stop does while such a file is read, or one that is only large.
final class DamagedTreeTests: SQLiteTestCase {
  private static let pageSize = 4_096
  private static let fan = 300

  private func good(_ documents: [String] = ["{}"]) throws -> String {
    let path = "\(folder)/tree.db"
    try? FileManager.default.removeItem(atPath: path)
    try record(
      [reading(1, 0, [1, 2]), reading(2, 1, [3])], [stream("s", "a", "b"), stream("t", "a")], to: file("tree.db"))
    for document in documents { _ = try SQLiteMetadata.append(document, to: path) }
    return path
  }

  private func bytes(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
  }

  /// An interior page of a table: https://sqlite.org/fileformat2.html#b_tree_pages
  private func interior(_ children: [Int], last: Int, key: UInt8 = 1, from start: Int = 0) -> [UInt8] {
    var page = [UInt8](repeating: 0, count: Self.pageSize)
    var end = page.count
    for (cell, child) in children.enumerated() {
      end -= 5
      page.replaceSubrange(end..<end + 5, with: bytes(child, 4) + [key])
      let pointer = start + 12 + 2 * cell
      page.replaceSubrange(pointer..<pointer + 2, with: bytes(end, 2))
    }
    page[start] = 5
    page.replaceSubrange(start + 3..<start + 7, with: bytes(children.count, 2) + bytes(end, 2))
    page.replaceSubrange(start + 8..<start + 12, with: bytes(last, 4))
    return page
  }

  /// Interior pages, each of which has the next one 301 times, and the last of which has a leaf.
  private func chain(_ depth: Int, at first: Int, _ leaf: [UInt8]) -> [UInt8] {
    (0..<depth).flatMap { level in
      interior(Array(repeating: first + level + 1, count: Self.fan), last: first + level + 1)
    } + leaf
  }

  private func write(_ pages: [UInt8], to path: String) throws {
    var pages = pages
    pages.replaceSubrange(28..<32, with: bytes(pages.count / Self.pageSize, 4))
    // The size counts only if these two numbers are the same.
    pages.replaceSubrange(92..<96, with: pages[24..<28])
    try Data(pages).write(to: URL(fileURLWithPath: path))
  }

  /// Gives a table of one page a tree in which this page is there 301^depth times.
  private func deepen(_ table: String, _ depth: Int, in path: String) throws {
    let root = try XCTUnwrap(Int(try query(path, "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")[0]))
    var file = [UInt8](try XCTUnwrap(FileManager.default.contents(atPath: path)))
    let place = (root - 1) * Self.pageSize..<root * Self.pageSize
    let leaf = Array(file[place])
    XCTAssertEqual(leaf[0], 13, "a leaf of a table")
    let count = file.count / Self.pageSize
    file.replaceSubrange(place, with: interior(Array(repeating: count + 1, count: Self.fan), last: count + 1))
    try write(file + chain(depth - 1, at: count + 1, leaf), to: path)
  }

  /// Gives the schema a tree in which the row of an index is there 301^depth times: parsing it costs no memory, and has no end.
  private func deepenSchema(_ depth: Int, in path: String) throws {
    try execute(path, "CREATE TABLE z (a UNIQUE)")
    var file = [UInt8](try XCTUnwrap(FileManager.default.contents(atPath: path)))
    let count = file.count / Self.pageSize
    XCTAssertEqual(file[100], 13, "the schema has one page")
    // The same rows in a page without the header of the file.
    var rows = Array(repeating: 0 as UInt8, count: 100) + file[100..<Self.pageSize]
    let cells = Int(rows[103]) << 8 | Int(rows[104])
    rows.replaceSubrange(0..<8 + 2 * cells, with: rows[100..<108 + 2 * cells])
    // The last row is the newest: its length, its number, and its contents.
    let last = Int(rows[6 + 2 * cells]) << 8 | Int(rows[7 + 2 * cells])
    let cell = Array(rows[last..<last + 2 + Int(rows[last])])
    XCTAssertTrue(cell[0] < 128 && cell[1] < 128)
    var leaf = [UInt8](repeating: 0, count: Self.pageSize)
    let start = Self.pageSize - cell.count
    leaf.replaceSubrange(start..., with: cell)
    leaf[0] = 13
    leaf.replaceSubrange(3..<7, with: bytes(1, 2) + bytes(start, 2))
    leaf.replaceSubrange(8..<10, with: bytes(start, 2))
    let first = interior([count + 1], last: count + 2, key: cell[1], from: 100)
    file.replaceSubrange(100..<Self.pageSize, with: first[100...])
    try write(file + rows + chain(depth, at: count + 2, leaf), to: path)
  }

  func testRunsWithoutEnd() throws {
    let path = try good()
    try deepen("sluice_metadata", 2, in: path)
    for read in [{ _ = try SQLiteMetadata.documents(of: path) }, { _ = try SQLiteTrace(path: path).documents() }] {
      XCTAssertEqual(error(of: read)?.cause, "in sluice_metadata, run 1 comes after run 1")
    }
  }

  func testStreamsWithoutEnd() throws {
    let path = try good()
    try deepen("sluice_streams", 2, in: path)
    XCTAssertEqual(error { _ = try readAll(path) }?.cause, "in sluice_streams, stream 0 comes after stream 1")
  }

  func testReadingsWithoutEnd() throws {
    let path = try good()
    try deepen("s", 2, in: path)
    XCTAssertEqual(
      error { _ = try readAll(path) }?.cause, "table \"s\", id 1: its id is not greater than the one before it")
  }

  /// SQLite reads the schema itself.
  func testASchemaWithoutEnd() throws {
    let path = try good()
    try deepenSchema(3, in: path)
    for read in [
      { _ = try readAll(path) }, { _ = try SQLiteMetadata.documents(of: path) },
      { try self.record([], [stream("s", "a", "b")], appends: true, to: path) },
      { try SQLiteRecording.check(path) },
    ] {
      let refused = error(of: read)
      XCTAssertEqual(refused?.cause, "it is damaged (there is more to read than its size allows)")
      XCTAssertEqual(refused?.code, .malformed)
    }
  }

  /// Without a key, SQLite would sort all rows before the first one comes.
  func testTablesWithoutAKey() throws {
    func cause(_ table: String) -> String {
      "its table \"\(table)\" has no key by which its rows are in order"
    }
    for table in ["sluice_streams", "sluice_channels", "sluice_metadata"] {
      let path = try good()
      try execute(
        path, "CREATE TABLE other AS SELECT * FROM \(table); DROP TABLE \(table); ALTER TABLE other RENAME TO \(table)")
      XCTAssertEqual(error { _ = try SQLiteTrace(path: path).documents() }?.cause, cause(table))
    }
  }

  func testLongDocuments() throws {
    let text = String(repeating: "x", count: 600 << 10)
    let database = try SQLiteDatabase(path: try good([text, text]), mode: .reading)
    XCTAssertEqual(try SQLiteMetadata.documents(of: database).count, 2)
    XCTAssertEqual(
      error { _ = try SQLiteMetadata.documents(of: database, limit: 1 << 20) }?.cause,
      "it has more than 1 MiB of metadata of runs, which is the limit")
  }

  /// A stop ends what reads for a long time, the opening too.
  func testAStopEndsIt() throws {
    let path = try good()
    try deepenSchema(8, in: path)
    let asked = Locked(0)
    let isInterrupted: @Sendable () -> Bool = {
      asked.withLock {
        $0 += 1; return $0 > 3
      }
    }
    var disk = Disk()
    disk.isInterrupted = isInterrupted
    let store = SQLiteFormat(FormatOptions(path: path, streamCount: 1)).metadata(of: path, disk)
    let readers: [() throws -> Void] = [
      { _ = try SQLiteTrace(path: path, isInterrupted: isInterrupted) },
      { _ = try SQLiteMetadata.documents(of: path, isInterrupted: isInterrupted) }, { _ = try store.read() },
      { _ = try TraceReader(path: path, kinds: [SQLiteTraceKind.self], isInterrupted: isInterrupted) },
      { try SQLiteRecording.check(path, isInterrupted: isInterrupted) },
      { try SQLiteRecording.checkIsUnlocked(path, isInterrupted: isInterrupted) },
      {
        _ = try SQLiteRecording(
          path: path, streams: [stream("s", "a", "b")], raw: false, appends: true, isInterrupted: isInterrupted)
      },
    ]
    for read in readers {
      asked.withLock { $0 = 0 }
      let stopped = error(of: read)
      XCTAssertEqual(stopped?.code, .interrupted, stopped?.description ?? "it was read")
      XCTAssertEqual(stopped?.errno, EINTR)
      XCTAssertEqual(asked.withLock { $0 }, 4)
    }
  }

  /// A run that is asked to stop writes its last readings.
  func testAStopDoesNotEndWhatIsWritten() throws {
    let stops = Locked(false)
    let path = file()
    let recording = try SQLiteRecording(
      path: path, streams: [stream("s", "a")], raw: false, appends: false, isInterrupted: { stops.withLock { $0 } })
    stops.withLock { $0 = true }
    try recording.write((0..<3_000).map { reading(Int64($0), 0, [1]) })
    try recording.close()
    let trace = try SQLiteTrace(path: path, isInterrupted: { stops.withLock { $0 } })
    XCTAssertEqual(try trace.readAll().count, 3_000)
  }
}
