import SluiceReadings

/// Makes a reading of each row: the wide layout of one stream.
struct OneStreamRows: TraceRows {
  let list: StreamList
  private let cells: TraceCells
  private let plain: PlainRow

  init(_ stream: StreamDescription, _ cells: TraceCells) {
    list = StreamList([stream])
    self.cells = cells
    plain = PlainRow(cells)
  }

  mutating func readPlain(_ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>) -> Int {
    guard let start = target.baseAddress else { return 0 }
    var next = file.next
    var count = 0
    while count < target.count, let end = plain.decode(next, into: start + count) {
      next = end
      count += 1
    }
    file.skip(to: next, lines: count)
    return count
  }

  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int {
    guard let row = try file.nextRow() else { return 0 }
    try cells.check(row, of: file)
    var reading = Reading(time: try cells.time(row, of: file), stream: StreamID(0), values: Values())
    for index in 0..<cells.columns where index != cells.timeIndex {
      reading.values.append(try cells.value(row, index, of: file))
    }
    target[0] = reading
    return 1
  }
}
