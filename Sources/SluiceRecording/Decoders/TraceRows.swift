import SluiceReadings

/// Makes readings of the rows of one layout. One thread at a time uses it.
protocol TraceRows {
  var list: StreamList { get }
  /// Whether there are readings of rows that were read already.
  var hasPending: Bool { get }
  /// Decodes rows up to one that needs ``readRow(_:into:)``.
  /// - Returns: How many readings there are.
  mutating func readPlain(_ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>) -> Int
  /// Decodes rows of any kind until there is a reading.
  /// - Parameter target: Of one reading at least.
  /// - Returns: How many readings there are; 0 at the end.
  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int
}

extension TraceRows {
  var hasPending: Bool { false }
}

/// The cells of rows that are no ``PlainRow``.
struct TraceCells {
  let columns: Int
  let timeIndex: Int
  let unit: TraceFormat.Unit

  func check(_ row: CSVFile.Row, of file: CSVFile) throws(SluiceError) {
    guard row.count != columns else { return }
    throw file.malformed(
      column: min(row.count, columns) + 1, "the row has \(row.count) cells and the header \(columns)")
  }

  func time(_ row: CSVFile.Row, of file: CSVFile) throws(SluiceError) -> Int64 {
    guard let value = row.number(timeIndex), !value.isMissing else {
      throw file.malformed(column: timeIndex + 1, "\"\(row.text(timeIndex))\" is not a time")
    }
    guard let time = value.whole(power: unit.power) else {
      throw file.malformed(
        column: timeIndex + 1, "\(row.text(timeIndex)) \(unit.rawValue) is no whole number of nanoseconds in 64 bits")
    }
    return time
  }

  func value(_ row: CSVFile.Row, _ index: Int, of file: CSVFile) throws(SluiceError) -> ExactDecimal {
    guard let value = row.number(index) else {
      throw file.malformed(column: index + 1, "\"\(row.text(index))\" is not a number whose digits fit in 64 bits")
    }
    return value
  }
}
