import SluiceReadings

/// Makes a reading from each row: the wide layout of one stream.
struct OneStreamRows: TraceRows {
  let list: StreamList
  private let cells: TraceCells
  private let plain: PlainRow
  /// For each channel, the number of its value in a row; nil if both have the same order.
  private let order: [Int]?

  init(_ columns: TraceColumns, _ cells: TraceCells) {
    list = StreamList(columns.streams)
    self.cells = cells
    plain = PlainRow(cells)
    let channels = columns.places.compactMap { $0?.channel }
    order = channels == Array(channels.indices) ? nil : channels.indices.sorted { channels[$0] < channels[$1] }
  }

  mutating func readPlain(_ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>) -> Int {
    guard let start = target.baseAddress else { return 0 }
    // A copy, because otherwise the compiler would read the property again for each cell.
    let plain = plain
    var next = file.next
    var count = 0
    while count < target.count, let end = plain.decode(next, into: start + count) {
      next = end
      count += 1
    }
    file.skip(to: next, lines: count)
    if let order { for index in 0..<count { arrange(&target[index].values, order) } }
    return count
  }

  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int {
    guard let row = try file.nextRow() else { return 0 }
    try cells.check(row, of: file)
    var reading = Reading(time: try cells.time(row, of: file), stream: StreamID(0), values: Values())
    for index in 0..<cells.columns where cells.isValue(index) {
      reading.values.append(try cells.value(row, index, of: file))
    }
    if let order { arrange(&reading.values, order) }
    target[0] = reading
    return 1
  }

  private func arrange(_ values: inout Values, _ order: [Int]) {
    var arranged = Values()
    for index in order { arranged.append(values[index]) }
    values = arranged
  }
}
