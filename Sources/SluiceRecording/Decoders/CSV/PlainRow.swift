import SluiceReadings

/// Decodes a row with plain numbers, times and empty cells, and without quotes. Nearly all rows are like this. It also
/// decodes the names of the long layout, and any text in columns that are left out.
///
/// It returns nil for every other row, which ``CSVRow`` then decodes: rows with quotes, spaces, exponents, `nan`,
/// more than 19 digits, a wrong number of cells or any error, and incomplete rows.
struct PlainRow {
  let columns: Int
  let delimiter: UInt8
  private let pointBits: UInt8
  /// The role of each column. `owner` keeps them alive.
  private let roles: UnsafePointer<CellRole>
  private let runs: UnsafePointer<CellRun>
  private let runCount: Int
  private let owner: CellRoles
  private let times: TimeParser

  init(_ cells: TraceCells) {
    columns = cells.columns
    delimiter = cells.dialect.delimiter
    pointBits = cells.dialect.pointBits
    owner = cells.roles
    roles = cells.roles.byColumn
    runs = cells.roles.runs
    runCount = cells.roles.runCount
    times = cells.times
  }

  /// - Parameters:
  ///   - start: The first byte of the row. ``DecimalDigits/slack`` zeros follow the last row.
  ///   - reading: Becomes the reading of the row; undefined if the result is nil.
  /// - Returns: The start of the next row.
  @inline(__always)
  func decode(
    _ start: UnsafePointer<UInt8>, into reading: UnsafeMutablePointer<Reading>
  ) -> UnsafePointer<UInt8>? {
    reading.pointee.time = 0
    reading.pointee.stream = StreamID(0)
    reading.pointee.flags = []
    reading.pointee.values.removeAll()
    var next = start
    for run in 0..<runCount {
      if run > 0 {
        guard next.pointee == delimiter else { return nil }
        next += 1
      }
      let cells = runs[run]
      if cells.role == .value {
        guard let value = number(&next) else { return nil }
        reading.pointee.values.appendFast(value)
      } else {
        guard let time = time(cells.role, &next, behind: reading.pointee.time) else { return nil }
        reading.pointee.time = time
      }
      for _ in 0..<cells.values {
        guard next.pointee == delimiter else { return nil }
        next += 1
        guard let value = number(&next) else { return nil }
        reading.pointee.values.appendFast(value)
      }
    }
    return Self.end(next)
  }

  /// A row of the long layout.
  struct Long {
    let time: Int64
    /// Stream and channel, with the delimiter between them.
    let name: UnsafeBufferPointer<UInt8>
    let value: ExactDecimal
    let next: UnsafePointer<UInt8>
  }

  /// - Parameter start: The first byte, as in the wide layout.
  func decodeLong(_ start: UnsafePointer<UInt8>) -> Long? {
    var next = start
    guard let time = time(role(0), &next, behind: 0), next.pointee == delimiter else { return nil }
    let name = next + 1
    var delimiters = 0
    while true {
      next += 1
      switch next.pointee {
      case delimiter: delimiters += 1
      // The zeros after the last row end the cell here, too.
      case UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0: return nil
      default: continue
      }
      if delimiters == 2 { break }
    }
    let end = next
    next += 1
    guard let value = number(&next), let row = Self.end(next) else { return nil }
    return Long(time: time, name: UnsafeBufferPointer(start: name, count: end - name), value: value, next: row)
  }

  // MARK: Cells

  @inline(__always)
  func role(_ column: Int) -> CellRole { roles[column] }

  @inline(__always)
  func number(_ next: inout UnsafePointer<UInt8>) -> ExactDecimal? { Self.number(&next, pointBits: pointBits) }

  /// Reads a cell that is not a value, and moves to the next one.
  /// - Parameter time: The time from earlier cells of the row.
  /// - Returns: The time of the row so far.
  @inline(__always)
  func time(_ role: CellRole, _ next: inout UnsafePointer<UInt8>, behind time: Int64) -> Int64? {
    if role == .nanoseconds {
      // `CSVRow` reads a time finer than a nanosecond, and a time that does not fit in 64 bits.
      guard let value = number(&next), value.exponent == 0 else { return nil }
      return value.significand
    }
    guard let read = readCell(role, next, behind: time) else { return nil }
    next = read.end
    return read.time
  }

  /// Not inlined, and without an `inout` argument: see ``time(_:_:behind:)``.
  @inline(never)
  private func readCell(
    _ role: CellRole, _ start: UnsafePointer<UInt8>, behind time: Int64
  ) -> (time: Int64, end: UnsafePointer<UInt8>)? {
    var end = start
    if role == .time, times.unit != .iso8601, let value = number(&end) {
      let isWhole = isEnd(end.pointee)
      if let time = times.time(value, isWhole: isWhole) { return (time, end) }
    }
    end = start
    while !isEnd(end.pointee) {
      // The zeros after the last row end the cell here, too.
      if end.pointee == UInt8(ascii: "\"") || end.pointee == 0 { return nil }
      end += 1
    }
    if role == .skipped { return (time, end) }
    // A zone is that of both, and `TraceCells` joins them. Without one, the sum is the time.
    if role != .time, times.isOfZone { return nil }
    let cell = ExactDecimal.trim(UnsafeBufferPointer(start: start, count: end - start))
    do throws(TimeParser.Fault) {
      let (sum, overflow) = time.addingReportingOverflow(
        try role == .time ? times.time(cell) : times.part(role, cell))
      return overflow ? nil : (sum, end)
    } catch {
      return nil  // `CSVRow` reports the fault
    }
  }

  /// Whether a cell ends before this byte.
  @inline(__always)
  private func isEnd(_ byte: UInt8) -> Bool {
    byte == delimiter || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  /// The start of the next row, if this row ends here.
  @inline(__always)
  static func end(_ next: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let feed = next.pointee == UInt8(ascii: "\r") ? next + 1 : next
    return feed.pointee == UInt8(ascii: "\n") ? feed + 1 : nil
  }

  /// Reads a number, or nothing if there is none, and moves past it.
  /// - Parameter pointBits: See ``CSVDialect/pointBits``.
  @inline(__always)
  static func number(_ next: inout UnsafePointer<UInt8>, pointBits: UInt8 = 0) -> ExactDecimal? {
    let negative = next.pointee == UInt8(ascii: "-")
    next += negative ? 1 : 0
    let start = next
    var magnitude: UInt64
    (magnitude, next) = DecimalDigits.read(next)
    var digits = next - start
    if digits == 0 { return negative || next.pointee ^ pointBits == UInt8(ascii: ".") ? nil : .missing }
    var decimals = 0
    if next.pointee ^ pointBits == UInt8(ascii: ".") {
      next += 1
      let point = next
      (magnitude, next) = DecimalDigits.read(next, behind: magnitude)
      decimals = next - point
      digits += decimals
    }
    // `CSVRow` reads Int64.min. Leading zeros do not count, because phones write 0.0003897357306683825.
    guard magnitude <= UInt64(Int64.max), digits <= 19 || isShort(start, digits, decimals) else { return nil }
    let significand = Int64(bitPattern: magnitude)
    return ExactDecimal(
      significand: negative ? 0 &- significand : significand, exponent: Int8(truncatingIfNeeded: 0 &- decimals))
  }

  /// Whether a number of more than 19 digits has at most 19 after its leading zeros.
  @inline(never)
  private static func isShort(_ start: UnsafePointer<UInt8>, _ digits: Int, _ decimals: Int) -> Bool {
    guard decimals <= 100 else { return false }
    var zeros = 0
    var next = start
    while next.pointee == UInt8(ascii: "0") || next.pointee &- 0x30 >= 10, zeros < digits {
      zeros += next.pointee == UInt8(ascii: "0") ? 1 : 0
      next += 1
    }
    return digits - zeros <= 19
  }
}
