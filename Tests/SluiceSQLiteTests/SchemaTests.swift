import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class SchemaTests: SQLiteTestCase {
  /// What others rely on: a change of it is another version.
  func testTables() throws {
    let path = try record([reading(5, 0, [1, 2])], [stream("imu", "x", "y")])
    XCTAssertEqual(
      try query(path, "SELECT group_concat(name || ' ' || type, ', ') FROM pragma_table_info('imu')"),
      ["id INTEGER, time_ns INTEGER, x , y , flags INTEGER"])
    XCTAssertEqual(
      try query(
        path,
        "SELECT m.name, group_concat(c.name, ', ') FROM sqlite_master m, pragma_table_info(m.name) c "
          + "WHERE m.name LIKE 'sluice%' GROUP BY m.name"),
      [
        "sluice_channels|stream, channel, name, column_name, unit, format, scale, offset",
        "sluice_metadata|run, document",
        "sluice_streams|stream, name, table_name, device_path, device_bus, device_label, device_name, is_scaled, "
          + "has_foreign_columns",
      ])
    XCTAssertEqual(try query(path, "SELECT * FROM imu"), ["1|5|1|2|NULL"])
    XCTAssertEqual(try query(path, "SELECT * FROM sluice_streams"), ["0|imu|imu|NULL|NULL|NULL|NULL|1|0"])
    XCTAssertEqual(
      try query(path, "SELECT * FROM sluice_channels"), ["0|0|x|x|NULL|NULL|1|0", "0|1|y|y|NULL|NULL|1|0"])
    XCTAssertEqual(try query(path, "PRAGMA application_id"), ["1399616873"])
    XCTAssertEqual(try query(path, "PRAGMA user_version"), ["1"])
  }

  /// It needs no other file, and no folder that can be written to.
  func testOneFileIsLeft() throws {
    let recording = try SQLiteRecording(path: file(), streams: [stream("s", "a")], raw: false, appends: false)
    try recording.write([reading(1, 0, [1])])
    try recording.commit()
    XCTAssertEqual(folder.files, ["walk.db", "walk.db-shm", "walk.db-wal"])
    try recording.close()
    XCTAssertEqual(folder.files, ["walk.db"])
    XCTAssertEqual(try query(recording.path, "PRAGMA journal_mode"), ["delete"])
  }

  /// Whoever still reads at the end keeps the files, and the next recording tidies up.
  func testAReaderAtTheEnd() throws {
    let recording = try SQLiteRecording(
      path: file(), streams: [stream("s", "a")], raw: false, appends: false, timeout: 0)
    try recording.write([reading(1, 0, [1])])
    try recording.commit()
    let trace = try SQLiteTrace(path: recording.path)
    try recording.write([reading(2, 0, [2])])
    try recording.close()
    XCTAssertEqual(try trace.readAll().map(\.time), [1])
    trace.close()
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2])
    try record([reading(3, 0, [3])], [stream("s", "a")], appends: true, to: recording.path)
    XCTAssertEqual(folder.files, ["walk.db"])
    XCTAssertEqual(try readAll(recording.path).map(\.time), [1, 2, 3])
  }

  func testAReaderDuringTheRecording() throws {
    let recording = try SQLiteRecording(path: file(), streams: [stream("s", "a")], raw: false, appends: false)
    XCTAssertEqual(try readAll(recording.path), [])
    try recording.write([reading(1, 0, [1])])
    XCTAssertEqual(try readAll(recording.path), [])
    XCTAssertEqual(recording.committed, [0])
    try recording.commit()
    XCTAssertEqual(recording.committed, [1])
    XCTAssertEqual(try readAll(recording.path), [reading(1, 0, [1])])
    try recording.commit()
    try recording.write([reading(2, 0, [2])])
    try recording.close()
    XCTAssertEqual(try readAll(recording.path).count, 2)
    XCTAssertEqual(error { try recording.write([reading(3, 0, [3])]) }?.cause, "it has been closed")
    XCTAssertEqual(error { try recording.close() }?.cause, "it has been closed")
  }
}
