import CSQLite
package import SluiceReadings

/// A prepared statement. As in SQLite, parameters are counted from 1 and columns from 0.
package final class SQLiteStatement {
  package enum Kind { case integer, real, text, blob, null }

  let database: SQLiteDatabase
  let handle: OpaquePointer

  init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: Parameters

  package func bind(_ value: Int64, at index: Int) throws(SluiceError) {
    try database.check(sqlite3_bind_int64(handle, Int32(index), value))
  }

  package func bind(_ value: Double, at index: Int) throws(SluiceError) {
    try database.check(sqlite3_bind_double(handle, Int32(index), value))
  }

  /// Binds a copy of the text, including NUL bytes; NULL for nil.
  package func bind(_ text: String?, at index: Int) throws(SluiceError) {
    guard let text else { return try bindNull(at: index) }
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let code = text.withCString {
      sqlite3_bind_text64(handle, Int32(index), $0, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
    }
    try database.check(code)
  }

  package func bindNull(at index: Int) throws(SluiceError) {
    try database.check(sqlite3_bind_null(handle, Int32(index)))
  }

  // MARK: Rows

  /// - Returns: Whether there is a row.
  package func step() throws(SluiceError) -> Bool {
    database.beginCall()
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.error(code)
    }
  }

  /// Runs the statement to its end, and prepares it for other values.
  package func run() throws(SluiceError) {
    defer { reset() }
    while try step() {}
  }

  /// Resets the statement; the values stay bound.
  package func reset() { sqlite3_reset(handle) }

  // MARK: Columns of the row

  package var columns: Int { Int(sqlite3_column_count(handle)) }

  package func kind(_ column: Int) -> Kind {
    switch sqlite3_column_type(handle, Int32(column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
  package func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }

  /// The text; nil for NULL. Invalid UTF-8 is replaced.
  package func text(_ column: Int) -> String? {
    kind(column) == .null ? nil : String(decoding: utf8(column), as: UTF8.self)
  }

  /// The number of bytes of a text or a blob, which stays what it is.
  func byteCount(_ column: Int) -> Int { Int(sqlite3_column_bytes(handle, Int32(column))) }

  /// The bytes of a text, valid until the next call.
  package func utf8(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(handle, Int32(column))
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column))))
  }
}
