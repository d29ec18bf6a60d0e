/// The meaning of the cells of a column.
enum CellRole: UInt8 {
  case value = 0
  /// The time of the row, or date and time.
  case time
  /// The time as a whole number of nanoseconds, as in every recording.
  case nanoseconds
  /// Date and time of day in two columns.
  case date, timeOfDay
  /// The column is left out.
  case skipped

  var isTime: Bool { self != .value && self != .skipped }
}
