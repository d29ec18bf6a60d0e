import CSQLite
import SluiceReadings

/// Writes the readings of one stream into its table.
final class StreamTable {
  /// Its index among the streams of the file.
  let stored: Int
  let channels: Int
  private let insert: SQLiteStatement
  private let rules: [Rule]
  /// Whether a flag is bound, since the last reading with flags.
  private var hasFlags = false
  /// Buffers for values that are stored as text, one per channel. SQLite does not copy them.
  private var texts: UnsafeMutablePointer<UInt8>?
  /// The numbers of readings in the open transaction, and in earlier transactions.
  var pending = 0
  var committed = 0

  private struct Rule {
    var isPlain: Bool  // stored unchanged, without scale and offset
    var scale: ExactDecimal
    var offset: ExactDecimal
  }

  /// - Parameter columns: The columns, one per channel of the stream.
  init(
    _ stream: StreamDescription, isRaw: Bool, table: String, columns: [String], stored: Int,
    of database: SQLiteDatabase
  ) throws(SluiceError) {
    self.stored = stored
    channels = columns.count
    rules = stream.channels.map { channel in
      Rule(isPlain: isRaw || stream.isScaled || channel.isPlain, scale: channel.scale, offset: channel.offset)
    }
    let names = (["id", "time_ns", "flags"] + columns).map(SQLiteNames.quoted).joined(separator: ", ")
    let places = (1...columns.count + 3).map { "?\($0)" }.joined(separator: ", ")
    insert = try database.prepare("INSERT INTO \(SQLiteNames.quoted(table)) (\(names)) VALUES (\(places))")
  }

  deinit {
    // The statement owns the texts until its bindings are cleared.
    sqlite3_clear_bindings(insert.handle)
    texts?.deallocate()
  }

  /// - Returns: The result code of SQLite.
  @inline(__always)
  func write(_ reading: UnsafePointer<Reading>, id: Int64) -> Int32 {
    let statement = insert.handle
    var code = sqlite3_bind_int64(statement, 1, id) | sqlite3_bind_int64(statement, 2, reading.pointee.time)
    let flags = reading.pointee.flags.rawValue
    if flags != 0 || hasFlags {
      code |= flags == 0 ? sqlite3_bind_null(statement, 3) : sqlite3_bind_int64(statement, 3, Int64(flags))
      hasFlags = flags != 0
    }
    let count = min(reading.pointee.values.count, channels)
    var next = 0
    Values.forEachInline(reading, count) { value in
      code |= bind(value, next)
      next += 1
    }
    while next < count {
      code |= bind(reading.pointee.values[next], next)
      next += 1
    }
    while next < channels {
      code |= sqlite3_bind_null(statement, Int32(truncatingIfNeeded: next &+ 4))
      next += 1
    }
    guard code == SQLITE_OK else { return sqlite3_errcode(sqlite3_db_handle(statement)) }
    code = sqlite3_step(statement)
    // If the step failed, the reset returns the same error.
    let again = sqlite3_reset(statement)
    return code == SQLITE_DONE ? SQLITE_OK : again != SQLITE_OK ? again : code
  }

  @inline(__always)
  private func bind(_ value: ExactDecimal, _ channel: Int) -> Int32 {
    if rules[channel].isPlain, value.exponent == 0 {
      return sqlite3_bind_int64(insert.handle, Int32(truncatingIfNeeded: channel &+ 4), value.significand)
    }
    return bindDecimal(value, channel)
  }

  @inline(never)
  private func bindDecimal(_ value: ExactDecimal, _ channel: Int) -> Int32 {
    let column = Int32(truncatingIfNeeded: channel &+ 4)
    let rule = rules[channel]
    if value.isMissing { return sqlite3_bind_null(insert.handle, column) }
    if rule.isPlain { return bind(value.significand, Int(value.exponent), channel) }
    guard let scaled = value.scaled(by: rule.scale, offset: rule.offset) else {
      return sqlite3_bind_null(insert.handle, column)
    }
    if let narrow = Int64(exactly: scaled.significand) { return bind(narrow, scaled.exponent, channel) }
    return bind(StoredNumber(wide: scaled.significand, scaled.exponent), scaled.significand, scaled.exponent, channel)
  }

  @inline(__always)
  private func bind(_ significand: Int64, _ exponent: Int, _ channel: Int) -> Int32 {
    bind(StoredNumber(significand, exponent), Int128(significand), exponent, channel)
  }

  @inline(__always)
  private func bind(_ number: StoredNumber, _ significand: Int128, _ exponent: Int, _ channel: Int) -> Int32 {
    let column = Int32(truncatingIfNeeded: channel &+ 4)
    switch number {
    case .integer(let value): return sqlite3_bind_int64(insert.handle, column, value)
    case .real(let value): return sqlite3_bind_double(insert.handle, column, value)
    case .text: return bindText(significand, exponent, channel)
    }
  }

  @inline(never)
  private func bindText(_ significand: Int128, _ exponent: Int, _ channel: Int) -> Int32 {
    let room = texts ?? .allocate(capacity: channels * PlainNotation.longest)
    texts = room
    let text = PlainNotation.write(
      significand, exponent, endingAt: room + (channel + 1) * PlainNotation.longest)
    return text.withMemoryRebound(to: CChar.self) {
      sqlite3_bind_text(
        insert.handle, Int32(truncatingIfNeeded: channel &+ 4), $0.baseAddress, Int32(truncatingIfNeeded: $0.count), nil
      )
    }
  }
}

extension StreamDescription.Channel {
  /// Whether scale and offset change nothing.
  var isPlain: Bool { scale == .one && offset.significand == 0 }
}
