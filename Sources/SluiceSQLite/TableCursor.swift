import SluiceReadings

/// Reads the table of one stream, in the order of `id`.
final class TableCursor {
  let stream: StreamID
  private let database: SQLiteDatabase
  let table: String
  private let rows: SQLiteStatement
  /// The number of decimals of each channel.
  private let decimals: [Int]
  /// The id of the row that is decoded next.
  private(set) var id = Int64.min
  private var hasBegun = false
  /// Called with the id of each row with a number that was rounded.
  var sayRounded: (Int64) -> Void = { _ in }

  init(_ stored: StoredStream, _ stream: StreamID, of database: SQLiteDatabase) throws(SluiceError) {
    self.stream = stream
    self.database = database
    table = stored.table
    decimals = stored.description.channels.map { channel in
      // Raw values are whole numbers from the device.
      guard stored.description.isScaled else { return 0 }
      let offset = channel.offset.significand == 0 ? 0 : min(0, Int(channel.offset.exponent))
      return max(0, -(offset + Int(channel.scale.exponent)))
    }
    // With `t.` before it, a name is a column or an error. Otherwise, SQLite might read it as a text.
    let columns = ["id", "time_ns", "flags"] + stored.columns.map(\.name)
    let names = columns.map { "t." + SQLiteNames.quoted($0) }.joined(separator: ", ")
    rows = try database.prepareOrdered(
      "SELECT \(names) FROM \(SQLiteNames.quoted(stored.table)) AS t ORDER BY t.id", of: stored.table)
  }

  /// Moves to the next row.
  /// - Returns: Whether there is one.
  func advance() throws(SluiceError) -> Bool {
    guard try rows.step() else { return false }
    let next = rows.integer(0)
    // In a damaged file, pages may lead back to earlier ones.
    guard !hasBegun || next > id else { throw malformed("its id is not greater than the one before it", next) }
    hasBegun = true
    id = next
    return true
  }

  /// Decodes the row.
  @inline(__always)
  func decode(into reading: UnsafeMutablePointer<Reading>) throws(SluiceError) {
    guard rows.kind(1) == .integer else { throw malformed("its time_ns is no whole number", id) }
    reading.pointee.time = rows.integer(1)
    reading.pointee.stream = stream
    reading.pointee.flags = try flags()
    reading.pointee.values.removeAll()
    for channel in decimals.indices {
      let column = channel &+ 3
      if rows.kind(column) == .integer {
        reading.pointee.values.appendFast(ExactDecimal(significand: rows.integer(column)))
      } else {
        reading.pointee.values.appendFast(try value(channel))
      }
    }
  }

  private func flags() throws(SluiceError) -> Reading.Flags {
    switch rows.kind(2) {
    case .null: return []
    case .integer:
      if let flags = UInt8(exactly: rows.integer(2)) { return Reading.Flags(rawValue: flags) }
    default: break
    }
    throw malformed("its flags are not a number from 0 to 255", id)
  }

  private func value(_ channel: Int) throws(SluiceError) -> ExactDecimal {
    let column = channel + 3
    switch rows.kind(column) {
    case .null: return .missing
    case .integer: return ExactDecimal(significand: rows.integer(column))
    case .real:
      let real = rows.double(column)
      if let value = ExactDecimal(real, decimals: decimals[channel]) { return value }
      let number = ShortestDecimal(real).map { NearestDecimal(significand: $0.significand, exponent: $0.exponent) }
      guard let number, let value = number.value else { throw malformed("value \(channel + 1) is \(real)", id) }
      if number.isRounded { sayRounded(id) }
      return value
    case .text:
      let text = rows.utf8(column)
      let number = NearestDecimal(utf8: ExactDecimal.trim(text))
      guard let number, let value = number.value else {
        let shown = String(decoding: text.prefix(60), as: UTF8.self)
        let cause = number == nil ? "is not a number" : "is too large a number"
        throw malformed("value \(channel + 1), \"\(shown)\", \(cause)", id)
      }
      if number.isRounded { sayRounded(id) }
      return value
    case .blob: throw malformed("value \(channel + 1) is a blob", id)
    }
  }

  private func malformed(_ cause: String, _ id: Int64) -> SluiceError {
    SQLiteSchema.malformed(database, "table \"\(table)\", id \(id): \(cause)")
  }
}
