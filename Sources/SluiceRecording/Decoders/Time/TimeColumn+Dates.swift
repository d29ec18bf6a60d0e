import SluiceReadings

/// Times of which a part is in another column.
extension TimeColumn {
  /// A date beside a time of day: the column `Date`, or else the only column of dates.
  static func date(beside column: Int, _ names: [String], _ sample: [[String]]) -> Int? {
    guard let first = sample.first(column), isTimeOfDay(first) else { return nil }
    let others = names.indices.filter { $0 != column }
    if let named = others.first(where: { TimeNames.isDate(names[$0]) && Self.mayBeDate(sample, $0) }) {
      return named
    }
    let dates = others.filter { sample.first($0).map(isDateAlone) ?? false }
    return dates.count == 1 ? dates[0] : nil
  }

  /// The fault of dates whose time of day is elsewhere. Each row would be at midnight.
  static func missingTimeOfDay(
    _ column: Int, _ names: [String], _ sample: [[String]], _ format: TraceFormat, _ part: Part
  ) -> (cause: String, remedy: String)? {
    guard let first = sample.first(column), isDateAlone(first) else { return nil }
    let isTime: (Int) -> Bool = { $0 != column && sample.first($0).map(isTimeOfDay) ?? false }
    if let time = names.indices.first(where: isTime) {
      return (
        "it has dates alone, and \(title(time, of: names, part)), has the time of day",
        "give --time-column \(names[time].isEmpty ? "\(time + 1)" : shown(names[time])), which is read together with the date"
      )
    }
    let dates = sample.cells(column)
    guard format.timeUnit == nil, zip(dates, dates.dropFirst()).contains(where: ==) else { return nil }
    return (
      "it has dates alone, and several rows have the same date, so their times would all be midnight",
      "name the column of the time with --time-column, or give --time-unit iso too if midnight is right"
    )
  }

  /// A message if all first rows have one time, of which a part may be in another column.
  static func sameTime(_ column: Int, _ sample: [[String]], of name: String) -> String? {
    guard sample.count >= 10, let first = sample.first(column),
      sample.allSatisfy({ $0.indices.contains(column) && $0[column] == first })
    else { return nil }
    return "\(name): its first \(sample.count) rows all have the time \(shown(first)); "
      + "if another column has the exact time, give it with --time-column"
  }

  /// Whether all times of the first rows have a zone of their own.
  static func haveZone(_ column: Int, _ sample: [[String]], _ format: TraceFormat) -> Bool {
    let cells = sample.cells(column)
    let pattern = format.timeFormat.flatMap { try? TimePattern($0) }
    return !cells.isEmpty
      && cells.allSatisfy { cell in
        Array(cell.utf8).withUnsafeBufferPointer { text in
          if let pattern { return (try? pattern.time(text))?.isOfZone ?? false }
          let time = (try? CivilTime(text)) ?? (try? CivilTime(timeOfDay: text))
          return time?.isOfZone ?? false
        }
      }
  }

  /// The English word needs no date in its first row. Others, such as the Italian `data`, have other meanings too.
  private static func mayBeDate(_ sample: [[String]], _ column: Int) -> Bool {
    sample.first(column).map { isDateAlone($0) || DecimalText($0) == nil } ?? true
  }

  private static func isTimeOfDay(_ text: String) -> Bool {
    if case .failure(.noDate) = civil(text) { return true }
    return false
  }

  private static func isDateAlone(_ text: String) -> Bool {
    if case .success(let time) = civil(text) { return !time.hasTimeOfDay }
    return false
  }
}
