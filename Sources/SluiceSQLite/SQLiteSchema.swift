import SluiceReadings
import SluiceRecording

/// The tables of a recording: one per stream, and three that describe them.
enum SQLiteSchema {
  /// "Slui": `file` and other programs recognize a recording by it.
  static let applicationID: Int64 = 0x536c_7569
  static let version: Int64 = 1
  /// The largest number of streams.
  static let streamLimit = TraceMetadata.mostStreams

  /// Creates the tables in an empty database, in the open transaction.
  static func create(in database: SQLiteDatabase) throws(SluiceError) {
    try database.execute(
      """
      PRAGMA application_id = \(applicationID);
      PRAGMA user_version = \(version);
      CREATE TABLE sluice_streams (
        stream INTEGER PRIMARY KEY, name TEXT NOT NULL, table_name TEXT NOT NULL, device_path TEXT, device_bus TEXT,
        device_label TEXT, device_name TEXT, is_scaled INTEGER NOT NULL, has_foreign_columns INTEGER NOT NULL);
      CREATE TABLE sluice_channels (
        stream INTEGER NOT NULL, channel INTEGER NOT NULL, name TEXT NOT NULL, column_name TEXT NOT NULL, unit TEXT,
        format TEXT, scale TEXT, "offset" TEXT, PRIMARY KEY (stream, channel)) WITHOUT ROWID;
      CREATE TABLE sluice_metadata (run INTEGER PRIMARY KEY, document TEXT NOT NULL);
      """)
  }

  static func isEmpty(_ database: SQLiteDatabase) throws(SluiceError) -> Bool {
    if try database.integer("PRAGMA page_count") == 0 { return true }
    return try database.integer("PRAGMA schema_version") == 0
  }

  /// Refuses a database that is not a recording, or that has another version.
  static func check(_ database: SQLiteDatabase) throws(SluiceError) {
    let id = try database.integer("PRAGMA application_id")
    guard id == applicationID else {
      let isEmpty = try isEmpty(database)
      throw SluiceError(
        .malformed, database.action, database.path,
        because: isEmpty ? "it is empty" : "it is a database, but not a recording of sluice")
    }
    let version = try database.integer("PRAGMA user_version") ?? 0
    guard version == Self.version else {
      throw SluiceError(
        .unsupported, database.action, database.path,
        because: "its schema is version \(version), and this sluice knows \(Self.version)",
        remedy: version > Self.version ? "use a newer sluice" : nil)
    }
    // Reading a view or a virtual table could run any query, also one that never ends.
    let strange = try database.prepare(
      """
      SELECT name FROM sqlite_master WHERE (type <> 'table' OR rootpage = 0 OR sql LIKE 'create%virtual%')
      AND name COLLATE NOCASE IN ('sluice_streams', 'sluice_channels', 'sluice_metadata')
      """)
    if try strange.step(), let name = strange.text(0) {
      throw malformed(database, "its \"\(name)\" is a view or a virtual table, and that of a recording is a table")
    }
  }
}

/// A stream of a recording, with its table and columns.
struct StoredStream {
  /// Its key in `sluice_streams`. It differs from the number of the stream if somebody has removed another stream.
  var key: Int64
  var table: String
  var description: StreamDescription
  var columns: [StoredColumn]

  struct StoredColumn {
    var key: Int64
    var name: String
  }
}

extension SQLiteSchema {
  /// The streams of a recording. It checks that their tables exist and have the right columns.
  static func streams(of database: SQLiteDatabase) throws(SluiceError) -> [StoredStream] {
    var streams = try listed(database)
    try readChannels(of: &streams, database)
    try checkTables(of: streams, database)
    return streams
  }

  private static func listed(_ database: SQLiteDatabase) throws(SluiceError) -> [StoredStream] {
    let rows = try database.prepareOrdered(
      """
      SELECT stream, name, table_name, device_path, device_bus, device_label, device_name, is_scaled, has_foreign_columns
      FROM sluice_streams ORDER BY stream
      """, of: "sluice_streams")
    var streams: [StoredStream] = []
    var kept = KeptText()
    while try rows.step() {
      let key = rows.integer(0)
      guard (0..<Int64(streamLimit)).contains(key), streams.count < streamLimit else {
        throw SluiceError(
          .unsupported, database.action, database.path,
          because: "it has a stream \(key), and \(streamLimit) streams is the limit")
      }
      if let last = streams.last, key <= last.key {
        throw malformed(database, "in sluice_streams, stream \(key) comes after stream \(last.key)")
      }
      try kept.add(rows, 1..<7, "descriptions of streams")
      guard let name = rows.text(1), let table = rows.text(2) else {
        throw malformed(database, "its stream \(key) has no name or no table")
      }
      let device = StreamDescription.Device(
        path: rows.text(3), bus: rows.text(4), label: rows.text(5), name: rows.text(6))
      var description = StreamDescription(
        name: name, channels: [], device: device == StreamDescription.Device() ? nil : device)
      description.isScaled = rows.integer(7) != 0
      description.hasForeignColumns = rows.integer(8) != 0
      streams.append(StoredStream(key: key, table: table, description: description, columns: []))
    }
    return streams
  }

  private static func readChannels(
    of streams: inout [StoredStream], _ database: SQLiteDatabase
  ) throws(SluiceError) {
    let rows = try database.prepareOrdered(
      """
      SELECT stream, channel, name, column_name, unit, format, scale, "offset"
      FROM sluice_channels ORDER BY stream, channel
      """, of: "sluice_channels")
    var index = 0
    var (last, kept) = ((stream: Int64, channel: Int64)?.none, KeptText())
    while try rows.step() {
      let (key, number) = (rows.integer(0), rows.integer(1))
      // In a damaged file, pages may lead back to earlier ones. Those of a removed stream would be read without end.
      if let last, (key, number) <= (last.stream, last.channel) {
        throw malformed(
          database,
          "in sluice_channels, channel \(number) of stream \(key) comes after channel \(last.channel) of stream \(last.stream)"
        )
      }
      last = (key, number)
      while index < streams.count, streams[index].key < key { index += 1 }
      // The row of a stream that somebody has removed.
      guard index < streams.count, streams[index].key == key else { continue }
      let table = streams[index].table
      guard streams[index].columns.count < Values.capacity, (0..<Int64(Values.capacity)).contains(number) else {
        throw SluiceError(
          .unsupported, database.action, database.path,
          because: "its table \"\(table)\" has a channel \(number), and \(Values.capacity) channels is the limit")
      }
      try kept.add(rows, 2..<8, "descriptions of channels")
      guard let name = rows.text(2), let column = rows.text(3) else {
        throw malformed(database, "channel \(number) of its table \"\(table)\" has no name or no column")
      }
      guard let scale = decimal(rows, 6, or: .one), let offset = decimal(rows, 7, or: .zero) else {
        throw malformed(database, "scale or offset of \"\(column)\" of its table \"\(table)\" is no number")
      }
      streams[index].description.channels.append(
        StreamDescription.Channel(
          name: name, unit: rows.text(4), format: rows.text(5), scale: scale, offset: offset))
      streams[index].columns.append(StoredStream.StoredColumn(key: number, name: column))
    }
  }

  private static func decimal(_ row: SQLiteStatement, _ column: Int, or missing: ExactDecimal) -> ExactDecimal? {
    row.kind(column) == .null ? missing : ExactDecimal(utf8: row.utf8(column))
  }

  /// Checks the kinds of tables, because a view, a virtual table or a computed column could do anything, and never end.
  private static func checkTables(
    of streams: [StoredStream], _ database: SQLiteDatabase
  ) throws(SluiceError) {
    var tables: Set<[UInt8]> = []
    let list = try database.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 AND sql NOT LIKE 'create%virtual%table%using%'"
    )
    var kept = KeptText()
    while try list.step() {
      try kept.add(list, 0..<1, "names of tables")
      tables.insert(Array(list.utf8(0)))
    }
    let columns = try database.prepare("SELECT name, type, pk, hidden FROM pragma_table_xinfo(?1)")
    for stream in streams {
      guard tables.remove(Array(stream.table.utf8)) != nil else {
        throw malformed(database, "it has no table \"\(stream.table)\", or two streams have it")
      }
      var names: Set<[UInt8]> = []
      var hasNumbers = false
      try columns.bind(stream.table, at: 1)
      while try columns.step() {
        let name = Array(columns.utf8(0))
        if columns.integer(3) == 0 { names.insert(name) }
        if name.elementsEqual("id".utf8), columns.integer(2) == 1, columns.text(1)?.uppercased() == "INTEGER" {
          hasNumbers = true
        }
      }
      columns.reset()
      guard hasNumbers else {
        throw malformed(database, "its table \"\(stream.table)\" has no id INTEGER PRIMARY KEY")
      }
      for column in ["id", "time_ns", "flags"] + stream.columns.map(\.name) {
        guard names.remove(Array(column.utf8)) != nil else {
          throw malformed(
            database, "its table \"\(stream.table)\" has no column \"\(column)\", or two channels have it")
        }
      }
    }
  }

  /// Refuses tables that would run an expression for each row that is read or written, or that would leave rows out: computed
  /// columns, defaults that are expressions, checks, and indexes that are unique, partial or of expressions. sluice creates none
  /// of these. In a file of a stranger, they could use all memory, or leave out readings.
  static func checkExpressions(of tables: [String], _ database: SQLiteDatabase) throws(SluiceError) {
    let found = try database.prepare(
      """
      SELECT 'a computed column, or a default that is an expression' FROM pragma_table_xinfo(?1) WHERE hidden <> 0 OR dflt_value LIKE '%(%'
      UNION ALL SELECT 'an index that is unique, partial or of an expression' FROM pragma_index_list(?1) AS list
        WHERE list.partial OR list."unique" AND list.origin <> 'pk'
          OR EXISTS (SELECT 1 FROM pragma_index_xinfo(list.name) WHERE cid = -2)
      """)
    let made = try database.prepare("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE")
    for table in tables {
      try found.bind(table, at: 1)
      try made.bind(table, at: 1)
      var what = try found.step() ? found.text(0) : nil
      while what == nil, try made.step() { if hasCheck(made.text(0) ?? "") { what = "a check" } }
      found.reset()
      made.reset()
      guard let what else { continue }
      throw SluiceError(
        .unsupported, "append to", database.path,
        because: "its table \"\(table)\" has \(what), which sluice never creates",
        remedy: "record into another file, or append to one that only sluice has written")
    }
  }

  /// Whether the word CHECK stands outside of quotes.
  static func hasCheck(_ sql: String) -> Bool {
    var (plain, end): (String, Character?) = ("", nil)
    for character in sql {
      if let quote = end {
        if character == quote { end = nil }
      } else if let quote = ["\"": "\"", "'": "'", "`": "`", "[": "]"][character] as Character? {
        end = quote
        plain.append(" ")
      } else {
        plain.append(character)
      }
    }
    return plain.uppercased().split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains("CHECK")
  }

  static func malformed(_ database: SQLiteDatabase, _ cause: String) -> SluiceError {
    SluiceError(.malformed, database.action, database.path, because: cause)
  }
}
