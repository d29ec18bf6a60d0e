import CSQLite
import Foundation
import SluiceReadings
import XCTest

@testable import SluiceSQLite

/// Databases that no sluice made: each is read, or refused with a sentence.
final class HostileTests: SQLiteTestCase {
  private func good() throws -> String {
    let path = "\(folder)/hostile.db"
    try? FileManager.default.removeItem(atPath: path)
    return try record(
      [reading(1, 0, [1, 2]), reading(2, 1, [3]), reading(3, 0, [4, 5])], [stream("s", "a", "b"), stream("t", "a")],
      to: file("hostile.db"))
  }

  /// A virtual table whose row in the schema says that it has pages.
  func testAForgedVirtualTable() throws {
    let path = try good()
    var database: OpaquePointer?
    XCTAssertEqual(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil), SQLITE_OK)
    let sql = """
      DROP TABLE sluice_channels; CREATE VIRTUAL TABLE sluice_channels USING rtree(stream, channel, name);
      PRAGMA writable_schema = 1; UPDATE sqlite_master SET rootpage = 2 WHERE name = 'sluice_channels'
      """
    XCTAssertEqual(sqlite3_exec(database, sql, nil, nil, nil), SQLITE_OK)
    sqlite3_close_v2(database)
    let cause = error { _ = try readAll(path) }?.cause
    XCTAssertEqual(cause, "its \"sluice_channels\" is a view or a virtual table, and that of a recording is a table")
  }

  func testTablesThatAreNotAsTheyShouldBe() throws {
    let same = "its tables are not as they should be "
    let number = "or two channels have it"
    let cases: [(sql: String, cause: String)] = [
      ("DROP TABLE sluice_streams", same + "(no such table: sluice_streams)"),
      ("DROP TABLE sluice_channels", same + "(no such table: sluice_channels)"),
      (
        "DROP TABLE sluice_streams; CREATE VIEW sluice_streams AS SELECT * FROM s",
        "its \"sluice_streams\" is a view or a virtual table, and that of a recording is a table"
      ),
      (
        "DROP TABLE sluice_metadata; CREATE VIEW Sluice_metadata AS WITH RECURSIVE r(id) AS (SELECT 0 UNION ALL SELECT id + 1 FROM r) "
          + "SELECT id AS run, '{}' AS document FROM r WHERE id < 0",
        "its \"Sluice_metadata\" is a view or a virtual table, and that of a recording is a table"
      ),
      (
        "DROP TABLE sluice_channels; CREATE VIRTUAL TABLE sluice_channels USING rtree(stream, channel, name)",
        "its \"sluice_channels\" is a view or a virtual table, and that of a recording is a table"
      ),
      ("ALTER TABLE sluice_streams DROP COLUMN device_bus", same + "(no such column: device_bus)"),
      ("DROP TABLE s", "it has no table \"s\", or two streams have it"),
      (
        "ALTER TABLE s RENAME TO x; ALTER TABLE x RENAME TO S",
        "it has no table \"s\", or two streams have it"
      ),
      ("UPDATE sluice_streams SET table_name = 's'", "it has no table \"s\", or two streams have it"),
      (
        "UPDATE sluice_streams SET table_name = 's' || char(0) WHERE stream = 0",
        "it has no table \"s\0\", or two streams have it"
      ),
      (
        "UPDATE sluice_streams SET table_name = 'sqlite_master' WHERE stream = 0",
        "it has no table \"sqlite_master\", or two streams have it"
      ),
      (
        "UPDATE sluice_streams SET table_name = 'sluice_streams' WHERE stream = 0",
        "its table \"sluice_streams\" has no id INTEGER PRIMARY KEY"
      ),
      ("DROP TABLE s; CREATE VIEW s AS SELECT * FROM t", "it has no table \"s\", or two streams have it"),
      (
        "DROP TABLE s; CREATE VIRTUAL TABLE s USING rtree(id, time_ns, flags)",
        "it has no table \"s\", or two streams have it"
      ),
      (
        "DROP TABLE s; CREATE TABLE s (id INTEGER, time_ns, a, b, flags)",
        "its table \"s\" has no id INTEGER PRIMARY KEY"
      ),
      (
        "DROP TABLE s; CREATE TABLE s (id INT PRIMARY KEY, time_ns, a, b, flags)",
        "its table \"s\" has no id INTEGER PRIMARY KEY"
      ),
      (
        "DROP TABLE s; CREATE TABLE s (id INTEGER PRIMARY KEY, time_ns, a, b AS (abs(a)), flags)",
        "its table \"s\" has no column \"b\", \(number)"
      ),
      ("ALTER TABLE s DROP COLUMN flags", "its table \"s\" has no column \"flags\", \(number)"),
      ("ALTER TABLE s RENAME COLUMN time_ns TO time", "its table \"s\" has no column \"time_ns\", \(number)"),
      ("UPDATE sluice_channels SET column_name = 'A'", "its table \"s\" has no column \"A\", \(number)"),
      ("UPDATE sluice_channels SET column_name = '1.5'", "its table \"s\" has no column \"1.5\", \(number)"),
      ("UPDATE sluice_channels SET column_name = 'a'", "its table \"s\" has no column \"a\", \(number)"),
      (
        "UPDATE sluice_channels SET column_name = 'time_ns'", "its table \"s\" has no column \"time_ns\", \(number)"
      ),
      (
        "INSERT INTO sluice_channels VALUES (0, 64, 'x', 'x', NULL, NULL, NULL, NULL)",
        "its table \"s\" has a channel 64, and 64 channels is the limit"
      ),
      (
        "UPDATE sluice_channels SET channel = -9223372036854775807 - 1 WHERE channel = 1",
        "its table \"s\" has a channel -9223372036854775808, and 64 channels is the limit"
      ),
      (
        "UPDATE sluice_streams SET stream = 16384 WHERE stream = 1",
        "it has a stream 16384, and 16384 streams is the limit"
      ),
      (
        "UPDATE sluice_streams SET stream = -1 WHERE stream = 1", "it has a stream -1, and 16384 streams is the limit"
      ),
      (
        "UPDATE sluice_streams SET stream = 9223372036854775807 WHERE stream = 1",
        "it has a stream 9223372036854775807, and 16384 streams is the limit"
      ),
      (
        "UPDATE sluice_channels SET scale = 'many' WHERE stream = 0",
        "scale or offset of \"a\" of its table \"s\" is no number"
      ),
      (
        "UPDATE sluice_channels SET \"offset\" = x'00ff' WHERE channel = 1",
        "scale or offset of \"b\" of its table \"s\" is no number"
      ),
      (
        "DROP TABLE sluice_streams; CREATE TABLE sluice_streams (stream INTEGER PRIMARY KEY, name, table_name, device_path, device_bus, "
          + "device_label, device_name, is_scaled, has_foreign_columns); INSERT INTO sluice_streams (stream) VALUES (0)",
        "its stream 0 has no name or no table"
      ),
      (
        "DROP TABLE sluice_channels; CREATE TABLE sluice_channels (stream, channel, name, column_name, unit, format, scale, "
          + "\"offset\", PRIMARY KEY (stream, channel)); INSERT INTO sluice_channels (stream, channel) VALUES (0, 0)",
        "channel 0 of its table \"s\" has no name or no column"
      ),
    ]
    for (sql, cause) in cases {
      let path = try good()
      try execute(path, sql)
      XCTAssertEqual(error { _ = try readAll(path) }?.cause, cause, sql)
      let append = error { try record([reading(1, 0, [1])], [stream("s", "a", "b")], appends: true, to: path) }
      XCTAssertEqual(append?.cause, cause, sql)
    }
  }

  func testValuesThatAreNone() throws {
    let cases: [(sql: String, cause: String)] = [
      ("a = x'31'", "value 1 is a blob"), ("b = 'x'", "value 2, \"x\", is not a number"),
      ("b = ''", "value 2, \"\", is not a number"),
      ("b = '1' || char(0)", "value 2, \"1\0\", is not a number"),
      (
        "b = printf('%.*c', 100000, '9')",
        "value 2, \"\(String(repeating: "9", count: 60))\", is too large a number"
      ), ("a = 9e999", "value 1 is inf"), ("a = -1e300", "value 1 is -1e+300"),
      ("time_ns = 'noon'", "its time_ns is no whole number"), ("time_ns = 1.5", "its time_ns is no whole number"),
      ("flags = 256", "its flags are not a number from 0 to 255"),
      ("flags = -1", "its flags are not a number from 0 to 255"),
      ("flags = 'x'", "its flags are not a number from 0 to 255"),
    ]
    for (sql, cause) in cases {
      let path = try good()
      try execute(path, "UPDATE s SET \(sql) WHERE id = 3")
      let trace = try SQLiteTrace(path: path)
      var block = [Reading](repeating: .empty, count: 10)
      func read() throws -> Int {
        try block.withUnsafeMutableBufferPointer { block in
          try Result { () throws(SluiceError) in try trace.read(into: block) }.get()
        }
      }
      // What is before it comes first.
      XCTAssertEqual(try read(), 2, sql)
      for _ in 0..<2 {
        let error = error { _ = try read() }
        XCTAssertEqual(error?.description, "cannot read \(path): table \"s\", id 3: \(cause)")
        XCTAssertEqual(error?.code, .malformed)
      }
    }
  }

  /// Numbers that somebody else wrote, not as a recording would have them.
  func testValuesOfOthers() throws {
    let path = try good()
    try execute(path, "UPDATE s SET a = ' 1.50 ', b = '-7' WHERE id = 1; UPDATE s SET a = 1e30, b = -0.0 WHERE id = 3")
    XCTAssertEqual(
      try readAll(path).map { $0.values.map(\.description) },
      [["1.50", "-7"], ["3"], ["1000000000000000000000000000000", "0.0"]])
  }

  func testGreatestNumbers() throws {
    var path = try good()
    try execute(
      path,
      "UPDATE s SET id = 9223372036854775807 WHERE id = 3; UPDATE s SET id = -9223372036854775807 - 1 WHERE id = 1")
    XCTAssertEqual(try readAll(path).map(\.time), [1, 2, 3])
    XCTAssertEqual(
      error { try record([reading(1, 0, [1])], [stream("s", "a", "b")], appends: true, to: path) }?.cause,
      "one of its readings has the id 9223372036854775807")
    path = try good()
    try execute(path, "INSERT INTO sluice_metadata VALUES (9223372036854775807, 'last')")
    _ = try SQLiteMetadata.append("x", to: path)
    XCTAssertEqual(try SQLiteMetadata.documents(of: path).count, 2)
  }

  /// In both tables: neither is lost.
  func testTheSameNumberTwice() throws {
    let path = try good()
    try execute(path, "UPDATE t SET id = 1")
    XCTAssertEqual(try readAll(path).map(\.time), [1, 2, 3])
  }

  func testTenThousandTables() throws {
    let count = 10_000
    let path = try record([], [])
    let database = try SQLiteDatabase(path: path, mode: .writing)
    try database.execute("BEGIN")
    for number in 0..<count {
      try database.execute(
        """
        CREATE TABLE s\(number) (id INTEGER PRIMARY KEY, time_ns INTEGER NOT NULL, v, flags INTEGER);
        INSERT INTO s\(number) VALUES (\(count - number), \(number), 1, NULL);
        INSERT INTO sluice_streams VALUES (\(number), 's\(number)', 's\(number)', NULL, NULL, NULL, NULL, 1, 0);
        INSERT INTO sluice_channels VALUES (\(number), 0, 'v', 'v', NULL, NULL, '1', '0');
        """)
    }
    try database.execute("COMMIT")
    database.close()
    XCTAssertEqual(try readAll(path).map(\.time), (0..<Int64(count)).reversed())
  }

  /// A page that is there twice could be there without end.
  func testAPageInAnothersPlace() throws {
    let path = try record((0..<2_000).map { reading(Int64($0), 0, [1]) }, [stream("s", "a")])
    var bytes = [UInt8](try XCTUnwrap(FileManager.default.contents(atPath: path)))
    // Leaves of a table, with many rows.
    var leaves: [Int] = []
    for page in stride(from: 4096, to: bytes.count, by: 4096) where bytes[page] == 0x0d {
      let (upper, lower) = (Int(bytes[page + 3]), Int(bytes[page + 4]))
      if upper * 256 + lower > 50 { leaves.append(page) }
    }
    XCTAssertGreaterThan(leaves.count, 3)
    bytes.replaceSubrange(leaves[2]..<leaves[2] + 4096, with: bytes[leaves[1]..<leaves[1] + 4096])
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let refused = error { _ = try readAll(path) }
    XCTAssertTrue(
      refused?.cause.hasSuffix("its id is not greater than the one before it") ?? false, "\(refused as Any)")
  }

  /// What would be calculated for each row that is written. Reading calculates none of it.
  func testExpressionsOfStrangers() throws {
    for (sql, what) in [
      (
        "ALTER TABLE s ADD COLUMN e text GENERATED ALWAYS AS (hex(zeroblob(9000))) VIRTUAL",
        "a computed column, or a default that is an expression"
      ),
      (
        "ALTER TABLE s RENAME TO x; CREATE TABLE s (id INTEGER PRIMARY KEY, time_ns, flags, a, b, d DEFAULT (hex(zeroblob(9000)))); "
          + "INSERT INTO s (id, time_ns, flags, a, b) SELECT id, time_ns, flags, a, b FROM x; DROP TABLE x",
        "a computed column, or a default that is an expression"
      ),
      ("CREATE INDEX i ON s (hex(a))", "an index that is unique, partial or of an expression"),
      ("CREATE INDEX i ON s (a) WHERE length(a) > 1", "an index that is unique, partial or of an expression"),
      ("CREATE INDEX i ON sluice_metadata (length(document))", "an index that is unique, partial or of an expression"),
      ("CREATE UNIQUE INDEX i ON s (a)", "an index that is unique, partial or of an expression"),
      (
        "DROP TABLE sluice_metadata; CREATE TABLE Sluice_Metadata (run INTEGER PRIMARY KEY, document TEXT, CHECK (length(document) > 0))",
        "a check"
      ),
      ("ALTER TABLE s ADD COLUMN c CHECK (length(hex(c)) < 9)", "a check"),
    ] {
      let path = try good()
      try execute(path, sql)
      XCTAssertEqual(try readAll(path).count, 3, sql)
      let refused = error { _ = try record([], [stream("s", "a", "b"), stream("t", "a")], appends: true, to: path) }
      XCTAssertTrue(
        refused?.cause.contains("has \(what), which sluice never creates") ?? false, refused?.cause ?? "-")
    }
    XCTAssertFalse(
      SQLiteSchema.hasCheck("CREATE TABLE \"check\" (id INTEGER PRIMARY KEY, [Check (V)], 'check (', `a check (`)"))
    XCTAssertTrue(SQLiteSchema.hasCheck("create table t (a, b\n check(a > 1))"))
    // SQLite would wait for its writer.
    let waiting = try good()
    XCTAssertEqual(mkfifo(waiting + "-journal", 0o600), 0)
    XCTAssertEqual(error { _ = try readAll(waiting) }?.cause, "it is no regular file")
    unlink(waiting + "-journal")
    // An index of a column is a user's own.
    let path = try good()
    try execute(path, "CREATE INDEX i ON s (time_ns)")
    _ = try record([reading(9, 0, [1, 2])], [stream("s", "a", "b"), stream("t", "a")], appends: true, to: path)
    XCTAssertEqual(try readAll(path).count, 4)
  }

  func testAValueThatIsTooLong() throws {
    let path = try good()
    var database: OpaquePointer?
    XCTAssertEqual(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil), SQLITE_OK)
    XCTAssertEqual(sqlite3_exec(database, "UPDATE s SET a = zeroblob(66 << 20) WHERE id = 3", nil, nil, nil), SQLITE_OK)
    sqlite3_close_v2(database)
    XCTAssertEqual(error { _ = try readAll(path) }?.cause, "a text or a row in it is too long")
  }

  /// Bytes anywhere in the file are others: it is read or refused, and ends.
  func testDamagedFiles() throws {
    var random = Random(state: 6)
    let readings = (0..<400).map { reading(Int64($0), UInt16($0 % 3), [Int64($0), 1, 2]) }
    let whole = try XCTUnwrap(
      FileManager.default.contents(
        atPath: try record(readings, [stream("s", "a", "b", "c"), stream("t", "a"), stream("u", "a", "b")])))
    let path = "\(folder)/damaged.db"
    var (read, refused, codes) = (0, 0, Set<SluiceError.Code>())
    for turn in 0..<600 {
      var bytes = [UInt8](whole)
      switch turn % 3 {
      case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      case 1:
        for _ in 0..<Int.random(in: 1...20, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8(truncatingIfNeeded: random.next())
        }
      default:
        // A page in another's place.
        let page = { (random: inout Random) in Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096 }
        let (from, to) = (page(&random), page(&random))
        bytes.replaceSubrange(to..<to + 4096, with: bytes[from..<from + 4096])
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      if let error = error(of: { _ = try readAll(path) }) {
        refused += 1
        codes.insert(error.code)
      } else {
        read += 1
      }
      _ = error { try record(readings, [stream("s", "a", "b", "c"), stream("new", "v")], appends: true, to: path) }
      for end in ["-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: path + end) }
    }
    XCTAssertGreaterThan(read, 30)
    XCTAssertGreaterThan(refused, 200)
    XCTAssertTrue(codes.isSubset(of: [.malformed, .unsupported]), "\(codes)")
  }
}
