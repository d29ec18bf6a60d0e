import SluiceReadings
import XCTest

@testable import SluiceSQLite

final class NamesTests: SQLiteTestCase {
  private let names = [
    "imu", "IMU", "Imu_2", "", "", "a\"b", "\"", "\"\u{301}x", "a\0b", "a_b", "sluice_streams", "SLUICE_Metadata",
    "sqlite_x",
    "SQLite_master", "select", "a.b", "x; DROP TABLE imu; --", "']`[", "🛂 ü", "e\u{301}", "é", "id", "time_ns", "rowid",
    "ROWID",
    "oid", "_rowid_", "flags", "Flags", "dbstat", "json_each", "pragma_table_info", "main", "temp", "a\nb", "\u{feff}",
    "1", "*",
    "imu", "stream", "value",
  ]

  func testAnyNameOfAStream() throws {
    let streams = names.map { stream($0, "v") }
    let readings = names.indices.map { reading(1, UInt16($0), [Int64($0)]) }
    let path = try record(readings, streams)
    XCTAssertEqual(try SQLiteTrace(path: path).streams.map { Array($0.name.utf8) }, names.map { Array($0.utf8) })
    XCTAssertEqual(try readAll(path), readings)
    let tables = Dictionary(
      try zip(query(path, "SELECT hex(name) FROM sluice_streams"), query(path, "SELECT table_name FROM sluice_streams"))
    ) { first, _ in first }
    func table(_ name: String) -> String? { tables[name.utf8.map { String(format: "%02X", $0) }.joined()] }
    XCTAssertEqual(table("imu"), "imu")
    XCTAssertEqual(table("IMU"), "IMU_2")
    XCTAssertEqual(table("Imu_2"), "Imu_2_2")
    XCTAssertEqual(table("sqlite_x"), "_sqlite_x")
    XCTAssertEqual(table("SLUICE_Metadata"), "_SLUICE_Metadata")
    XCTAssertEqual(table(""), "stream")
    XCTAssertEqual(table("id"), "id")
    XCTAssertEqual(try query(path, "SELECT count(*) FROM sqlite_master WHERE type = 'table'"), ["\(names.count + 3)"])
    // Again, and nothing is made.
    try record(readings, streams, appends: true, to: path)
    XCTAssertEqual(try readAll(path), readings + readings)
    XCTAssertEqual(try query(path, "SELECT count(*) FROM sqlite_master WHERE type = 'table'"), ["\(names.count + 3)"])
  }

  func testAnyNameOfAChannel() throws {
    let description = StreamDescription(name: "s", channels: names.map { .init(name: $0) })
    var values = Values()
    for index in names.indices { values.append(Int64(index)) }
    let path = try record([reading(1, 0, values)], [description])
    XCTAssertEqual(
      try SQLiteTrace(path: path).streams[0].channels.map { Array($0.name.utf8) }, names.map { Array($0.utf8) })
    XCTAssertEqual(try readAll(path), [reading(1, 0, values)])
    XCTAssertEqual(
      try query(
        path, "SELECT column_name FROM sluice_channels WHERE name IN ('id', 'Flags', 'rowid', 'ROWID', 'sqlite_x')"),
      ["sqlite_x", "id_2", "rowid_2", "ROWID_3", "Flags_3"])
    // Each of them as a channel that comes later, too.
    let later = try SQLiteRecording(path: file("later.db"), streams: [stream("s")], raw: false, appends: false)
    for count in 1...names.count {
      var part = description
      part.channels.removeLast(names.count - count)
      try later.add(streams: [part])
    }
    try later.write([reading(1, 0, values)])
    try later.close()
    XCTAssertEqual(try readAll(later.path), [reading(1, 0, values)])
  }

  func testAQuoteWithAnAccentIsAQuote() {
    XCTAssertEqual(Array(SQLiteNames.quoted("a\"\u{301}b").utf8), Array("\"a\"\"\u{301}b\"".utf8))
  }
}
