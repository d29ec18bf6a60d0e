import SluiceReadings

/// Makes a reading from a row: the cells of one stream.
struct OneStreamCells {
  private let cells: TraceCells
  private let plain: PlainRow
  /// For each channel, the number of its value in a row; nil if both have the same order.
  private let order: [Int]?

  /// - Parameter channels: By value of a row, its channel.
  init(_ cells: TraceCells, channels: [Int]) {
    self.cells = cells
    plain = PlainRow(cells)
    order = channels == Array(channels.indices) ? nil : channels.indices.sorted { channels[$0] < channels[$1] }
  }

  /// Decodes rows up to one that is not plain.
  /// - Parameters:
  ///   - start: The first row.
  ///   - target: Where their readings go.
  /// - Returns: How many there are, and the row behind them.
  func decode(
    _ start: UnsafePointer<UInt8>, into target: UnsafeMutableBufferPointer<Reading>
  ) -> (count: Int, next: UnsafePointer<UInt8>) {
    guard let first = target.baseAddress else { return (0, start) }
    // A copy, because otherwise the compiler would read the property again for each cell.
    let plain = plain
    var next = start
    var count = 0
    while count < target.count, let end = plain.decode(next, into: first + count) {
      next = end
      count += 1
    }
    if order != nil { for index in 0..<count { arrange(&target[index].values) } }
    return (count, next)
  }

  /// The reading of any row.
  func reading(_ row: CSVRow, notes: inout RowNotes) throws(CellFault) -> Reading {
    var reading = try cells.reading(row, notes: &notes)
    arrange(&reading.values)
    return reading
  }

  private func arrange(_ values: inout Values) {
    guard let order else { return }
    var arranged = Values()
    for index in order { arranged.append(values[index]) }
    values = arranged
  }
}

/// Makes a reading from each row of a file: the wide layout of one stream.
struct OneStreamRows: TraceRows {
  let list: StreamList
  private let cells: OneStreamCells

  init(_ columns: TraceColumns, _ cells: TraceCells) {
    list = StreamList(columns.streams)
    self.cells = OneStreamCells(cells, channels: columns.places.compactMap { $0?.channel })
  }

  mutating func readPlain(_ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>) -> Int {
    guard file.ends.isPlain else { return 0 }
    let (count, next) = cells.decode(file.next, into: target)
    file.skip(to: next, lines: count)
    return count
  }

  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int {
    guard let row = try file.nextRow() else { return 0 }
    var notes = RowNotes()
    target[0] = try file.reporting { () throws(CellFault) in try cells.reading(row, notes: &notes) }
    file.say(notes)
    return 1
  }
}
