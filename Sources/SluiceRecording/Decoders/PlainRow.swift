import SluiceReadings

/// Decodes the rows that nearly all rows are: a line with nothing but plain numbers and empty cells, and in the long layout
/// names without quotes.
///
/// It answers nil for every other row, which then goes the long way through ``CSVFile/Row``: quotes, spaces, exponents,
/// `nan`, more than 19 digits, a wrong number of cells, whatever is an error, and a row that has not been read whole.
struct PlainRow {
  let columns: Int
  let timeIndex: Int
  /// Nanoseconds are ten to this power times smaller than the unit of time.
  let power: Int

  init(_ cells: TraceCells) {
    columns = cells.columns
    timeIndex = cells.timeIndex
    power = cells.unit.power
  }

  /// - Parameters:
  ///   - start: The first byte of the row; behind the last row that is there, ``DecimalDigits/slack`` zeros.
  ///   - reading: Becomes the row's; it is whatever it is if the answer is nil.
  /// - Returns: Where the next row starts.
  @inline(__always)
  func decode(
    _ start: UnsafePointer<UInt8>, into reading: UnsafeMutablePointer<Reading>
  ) -> UnsafePointer<UInt8>? {
    reading.pointee.stream = StreamID(0)
    reading.pointee.flags = []
    reading.pointee.values.removeAll()
    var next = start
    for column in 0..<columns {
      if column > 0 {
        guard next.pointee == UInt8(ascii: ",") else { return nil }
        next += 1
      }
      guard let value = Self.number(&next) else { return nil }
      if column == timeIndex {
        guard let time = time(value) else { return nil }
        reading.pointee.time = time
      } else {
        reading.pointee.values.appendFast(value)
      }
    }
    return Self.end(next)
  }

  /// A row of the long layout.
  struct Long {
    let time: Int64
    /// Stream and channel, with the comma between them.
    let name: UnsafeBufferPointer<UInt8>
    let value: ExactDecimal
    let next: UnsafePointer<UInt8>
  }

  /// - Parameter start: As for the wide layout.
  func decodeLong(_ start: UnsafePointer<UInt8>) -> Long? {
    var next = start
    guard let cell = Self.number(&next), let time = time(cell), next.pointee == UInt8(ascii: ",") else { return nil }
    let name = next + 1
    var commas = 0
    while true {
      next += 1
      switch next.pointee {
      case UInt8(ascii: ","): commas += 1
      // The bytes behind the last row end it here, too.
      case UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0: return nil
      default: continue
      }
      if commas == 2 { break }
    }
    let end = next
    next += 1
    guard let value = Self.number(&next), let row = Self.end(next) else { return nil }
    return Long(time: time, name: UnsafeBufferPointer(start: name, count: end - name), value: value, next: row)
  }

  // MARK: Cells

  @inline(__always)
  func time(_ value: ExactDecimal) -> Int64? {
    value.exponent == 0 && power == 0 ? value.significand : value.whole(power: power)
  }

  /// Where the next row starts, if this one ends here.
  @inline(__always)
  static func end(_ next: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
    let feed = next.pointee == UInt8(ascii: "\r") ? next + 1 : next
    return feed.pointee == UInt8(ascii: "\n") ? feed + 1 : nil
  }

  /// Reads a number, or nothing where there is none, and moves behind it.
  @inline(__always)
  static func number(_ next: inout UnsafePointer<UInt8>) -> ExactDecimal? {
    let negative = next.pointee == UInt8(ascii: "-")
    next += negative ? 1 : 0
    let start = next
    var magnitude: UInt64
    (magnitude, next) = DecimalDigits.read(next)
    var digits = next - start
    if digits == 0 { return negative || next.pointee == UInt8(ascii: ".") ? nil : .missing }
    var decimals = 0
    if next.pointee == UInt8(ascii: ".") {
      next += 1
      let point = next
      (magnitude, next) = DecimalDigits.read(next, behind: magnitude)
      decimals = next - point
      digits += decimals
    }
    guard digits <= 19, magnitude <= UInt64(Int64.max) else { return nil }  // Int64.min goes the long way
    let significand = Int64(bitPattern: magnitude)
    return ExactDecimal(
      significand: negative ? 0 &- significand : significand, exponent: Int8(truncatingIfNeeded: 0 &- decimals))
  }
}
