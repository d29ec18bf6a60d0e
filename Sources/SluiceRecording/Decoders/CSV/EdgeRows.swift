import SluiceReadings

/// Makes edges from the rows of a Saleae Logic 2 export. Logic 2 writes a row with the levels of all lines when a level
/// changes.
///
/// The first level of a line is its initial level. `X` means that the level is not known, because the channel was off
/// or the capture has a gap. So the next level follows a gap.
struct EdgeRows: RowsOfStreams {
  /// The state of a line.
  private enum Level: UInt8 {
    case low, high
    /// Before the first level, and after a gap.
    case unknown, gap
  }

  let list: StreamList
  private let cells: TraceCells
  private let plain: PlainRow
  /// The stream of each column.
  private let streams: [Int]
  /// For each stream, the level in the previous row and in the current row. They are equal between two rows.
  private var levels: [Level]
  private var next: [Level]
  var pending = PendingReadings()

  /// - Parameter columns: The columns, with one stream per channel.
  init(_ columns: TraceColumns, _ cells: TraceCells) {
    list = StreamList(columns.streams)
    self.cells = cells
    plain = PlainRow(cells)
    streams = columns.places.map { $0?.stream ?? 0 }
    levels = Array(repeating: .unknown, count: columns.streams.count)
    next = levels
  }

  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int {
    if hasPending { return pending.take(into: target) }
    while let row = try file.nextRow() {
      let time = try file.reporting { () throws(CellFault) in try take(row) }
      let count = deliver(time, target)
      if count > 0 { return count }
    }
    return 0
  }

  private mutating func take(_ row: CSVRow) throws(CellFault) -> Int64 {
    try cells.check(row)
    let time = try cells.time(row)
    next = levels
    for column in 0..<cells.columns where cells.isValue(column) && !row.isBlank(column) {
      take(try level(row, column), streams[column])
    }
    return time
  }

  /// - Returns: Nil for `X`.
  private func level(_ row: CSVRow, _ column: Int) throws(CellFault) -> Level? {
    let cell = row.withTrimmedText(column) { Array($0) }
    switch cell {
    case [UInt8(ascii: "0")]: return .low
    case [UInt8(ascii: "1")]: return .high
    case [UInt8(ascii: "X")], [UInt8(ascii: "x")]: return nil
    default:
      let text = cell.withUnsafeBufferPointer { shown($0) }
      throw CellFault(column: column, cause: "\(text) is not the level of a line: 0, 1 or X")
    }
  }

  private mutating func take(_ level: Level?, _ stream: Int) {
    next[stream] = level ?? (levels[stream] == .unknown ? .unknown : .gap)
  }

  @inline(__always)
  mutating func decode(_ start: UnsafePointer<UInt8>) -> (Int64, UnsafePointer<UInt8>)? {
    var next = start
    var time: Int64 = 0
    for column in 0..<cells.columns {
      if column > 0 {
        guard next.pointee == plain.delimiter else { return nil }
        next += 1
      }
      let role = plain.role(column)
      if role != .value {
        guard let parsed = plain.time(role, &next, behind: time) else { return nil }
        time = parsed
      } else {
        // If neither a delimiter nor the end of the row follows, `CSVRow` reads the row.
        let level = next.pointee &- UInt8(ascii: "0")
        guard level <= 1 else { return nil }
        self.next[streams[column]] = level == 0 ? .low : .high
        next += 1
      }
    }
    guard let end = PlainRow.end(next) else { return nil }
    return (time, end)
  }

  /// Makes readings for the lines that changed.
  mutating func deliver(_ time: Int64, _ target: UnsafeMutableBufferPointer<Reading>) -> Int {
    var count = 0
    for stream in levels.indices where next[stream] != levels[stream] {
      let before = levels[stream]
      levels[stream] = next[stream]
      guard next[stream] == .low || next[stream] == .high else { continue }
      let reading = Reading(
        time: time, stream: StreamID(UInt16(truncatingIfNeeded: stream)), values: Values(next[stream] == .high ? 1 : 0),
        flags: before == .unknown ? .initialLevel : before == .gap ? .gapBefore : [])
      if count < target.count {
        target[count] = reading
        count += 1
      } else {
        pending.append(reading)
      }
    }
    return count
  }
}
