import SluiceReadings

/// How the cells of a row are found, and where its time is. Nearly all rows have delimiters, and their time in a cell.
struct RowForm: Equatable {
  /// What separates the cells.
  enum Cells: Equatable {
    /// The delimiter of the ``CSVDialect``.
    case delimiters
    /// Spaces or tabs, any number of them.
    case spaces
    /// The cells have their names before a colon. The columns are in the order of these names.
    case pairs(delimiter: UInt8, names: [[UInt8]])
  }

  /// Where the time of a row comes from. If it is not in a cell, it is the first column all the same.
  enum Clock: Equatable {
    case cells
    /// The rows follow each other by this time.
    case period(RowPeriod)
    /// Seconds, counted from a start. If the rows have numbers, they are in the first cell.
    case counted(start: Double, increment: Double, hasNumber: Bool)

    /// The time of a row, in nanoseconds or in seconds. Its reader says if it is none.
    func text(of row: CSVRow) -> String {
      switch self {
      case .cells: return row.text(0)
      case .period(let period): return period.time(ofRow: row.number).map { "\($0)" } ?? "the end of time"
      case .counted(let start, let increment, let hasNumber):
        let number = hasNumber ? Double(row.text(0).filter { $0 != " " }) ?? .nan : Double(row.number)
        return Self.seconds(start + number * increment)
      }
    }

    /// Seconds without the error of binary numbers, if they are whole nanoseconds.
    private static func seconds(_ time: Double) -> String {
      let nanoseconds = (time * 1e9).rounded()
      guard abs(time * 1e9 - nanoseconds) < 1e-3, let whole = Int64(exactly: nanoseconds) else { return "\(time)" }
      return "\(whole)e-9"
    }
  }

  var cells = Cells.delimiters
  /// Whether a time stands before ` -> `, as the serial monitor of the Arduino writes it.
  var hasArrow = false
  /// The cells that are taken; nil takes all.
  var taken: Range<Int>?
  var clock = Clock.cells

  /// Whether ``PlainRow`` can read the rows.
  var isPlain: Bool { self == RowForm() }

  // MARK: Parts of a line

  typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The place of ` -> `; nil if there is none.
  static func arrow(in line: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let arrow = Array(" -> ".utf8)
    return line.indices.dropLast(arrow.count - 1).first { line[$0..<($0 + arrow.count)].elementsEqual(arrow) }
      .map { $0..<($0 + arrow.count) }
  }

  /// `temp` and `20.0` of `temp:20.0`. A cell without a colon has no name. Quotes may stand around both.
  static func pair(_ cell: Bytes) -> (name: Bytes, value: Bytes) {
    func isOutside(_ byte: UInt8) -> Bool { isSpace(byte) || byte == UInt8(ascii: "\"") }
    guard let colon = cell.firstIndex(of: UInt8(ascii: ":")) else {
      return (cell[cell.startIndex..<cell.startIndex], cell)
    }
    var value = cell[(colon + 1)...].drop(while: isOutside)
    while let last = value.last, isOutside(last) { value = value.dropLast() }
    return (cell[..<colon].drop(while: isOutside), value)
  }

  /// The names of cells that are all pairs of a name and a number; nil if one is not.
  static func names(_ line: Bytes, _ delimiter: UInt8) -> [[UInt8]]? {
    let cells = fields(line, delimiter)
    guard cells.count > 1 || !line.contains(0x20) else { return nil }
    let names = cells.compactMap { cell -> [UInt8]? in
      let (name, value) = pair(cell)
      guard let letter = String(decoding: name, as: UTF8.self).first, letter.isLetter || letter == "_",
        DecimalText(String(decoding: value, as: UTF8.self)) != nil
      else { return nil }
      return Array(name)
    }
    return names.count == cells.count && !names.isEmpty ? names : nil
  }

  /// The cells of a line without quotes. Spaces may be several.
  static func fields(_ line: Bytes, _ delimiter: UInt8) -> [Bytes] {
    delimiter == 0x20
      ? line.split(whereSeparator: isSpace) : line.split(separator: delimiter, omittingEmptySubsequences: false)
  }

  /// The values of pairs in the order of the columns, with an empty cell for a name that is not there. What has no column
  /// stands behind them, so that the row has too many cells, which its reader says.
  static func values(of cells: [Bytes], _ names: [[UInt8]]) -> [Bytes] {
    var values: [Bytes?] = Array(repeating: nil, count: names.count)
    var others: [Bytes] = []
    for (index, cell) in cells.enumerated() {
      let (name, value) = pair(cell)
      func isColumn(_ place: Int) -> Bool { values[place] == nil && name.elementsEqual(names[place]) }
      // Nearly always they are in the order of the first row.
      let place = index < names.count && isColumn(index) ? index : names.indices.first(where: isColumn)
      if let place { values[place] = value } else { others.append(cell) }
    }
    return values.map { $0 ?? Slice(base: UnsafeBufferPointer(start: nil, count: 0), bounds: 0..<0) } + others
  }
}
