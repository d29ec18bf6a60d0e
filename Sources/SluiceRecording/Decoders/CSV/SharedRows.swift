import SluiceReadings

/// Makes readings from rows that streams share: the wide layout of several streams. A row has a reading of each stream
/// with at least one value. `nan` counts as a value: it stands for a reading without any value.
struct SharedRows: RowsOfStreams {
  let list: StreamList
  private let cells: TraceCells
  private let plain: PlainRow
  /// By column, the slot of its value. The slots of a stream are neighbours.
  private let slots: [Int]
  /// By slot, its stream.
  private let owners: [Int]
  /// By stream, its first slot, and at the end the number of all slots.
  private let firsts: [Int]
  /// By slot, the values of the current row; missing between two rows.
  private var values: [ExactDecimal]
  /// The streams with a value in the current row.
  private var touched: [Int] = []
  private var isTouched: [Bool]
  /// Whether the columns are in the order of the streams, so that touched streams need no sorting.
  private let isOrdered: Bool
  var pending = PendingReadings()

  init(_ columns: TraceColumns, _ cells: TraceCells) {
    list = StreamList(columns.streams)
    self.cells = cells
    plain = PlainRow(cells)
    var firsts = [0]
    for stream in columns.streams { firsts.append(firsts[firsts.count - 1] + stream.channels.count) }
    self.firsts = firsts
    owners = columns.streams.enumerated().flatMap { index, stream in stream.channels.map { _ in index } }
    slots = columns.places.map { place in place.map { firsts[$0.stream] + $0.channel } ?? 0 }
    values = Array(repeating: .missing, count: owners.count)
    isTouched = Array(repeating: false, count: columns.streams.count)
    let order = columns.places.compactMap { $0?.stream }
    isOrdered = zip(order, order.dropFirst()).allSatisfy { $0 <= $1 }
  }

  mutating func readRow(
    _ file: CSVFile, into target: UnsafeMutableBufferPointer<Reading>
  ) throws(SluiceError) -> Int {
    if hasPending { return pending.take(into: target) }
    guard let row = try file.nextRow() else { return 0 }
    do throws(SluiceError) {
      var notes = RowNotes()
      let time = try file.reporting { () throws(CellFault) in try take(row, notes: &notes) }
      file.say(notes)
      return deliver(time, target)
    } catch {
      reset()
      throw error
    }
  }

  private mutating func take(_ row: CSVRow, notes: inout RowNotes) throws(CellFault) -> Int64 {
    try cells.check(row)
    let time = try cells.time(row)
    for index in 0..<cells.columns where cells.isValue(index) && !row.isBlank(index) {
      put(try cells.value(row, index, notes: &notes), slots[index])
    }
    guard !touched.isEmpty else {
      throw CellFault(column: cells.timeIndex, cause: "the row has a time and nothing else")
    }
    return time
  }

  /// - Returns: Nil also if there is no value.
  @inline(__always)
  mutating func decode(_ start: UnsafePointer<UInt8>) -> (Int64, UnsafePointer<UInt8>)? {
    var next = start
    var time: Int64 = 0
    for column in 0..<cells.columns {
      if column > 0 {
        guard next.pointee == plain.delimiter else { return refuse() }
        next += 1
      }
      let role = plain.role(column)
      if role != .value {
        guard let parsed = plain.time(role, &next, behind: time) else { return refuse() }
        time = parsed
      } else if next.pointee != plain.delimiter {
        guard let value = plain.number(&next) else { return refuse() }
        // The last cell may be empty.
        if !value.isMissing { put(value, slots[column]) }
      }
    }
    guard !touched.isEmpty, let end = PlainRow.end(next) else { return refuse() }
    return (time, end)
  }

  private mutating func refuse() -> (Int64, UnsafePointer<UInt8>)? {
    reset()
    return nil
  }

  private mutating func reset() {
    for stream in touched {
      for slot in firsts[stream]..<firsts[stream + 1] { values[slot] = .missing }
      isTouched[stream] = false
    }
    touched.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  private mutating func put(_ value: ExactDecimal, _ slot: Int) {
    values[slot] = value
    let stream = owners[slot]
    guard !isTouched[stream] else { return }
    isTouched[stream] = true
    touched.append(stream)
  }

  mutating func deliver(_ time: Int64, _ target: UnsafeMutableBufferPointer<Reading>) -> Int {
    if !isOrdered { touched.sort() }
    var count = 0
    for stream in touched {
      if count < target.count {
        fill(&target[count], time, stream)
        count += 1
      } else {
        var reading = Reading.empty
        fill(&reading, time, stream)
        pending.append(reading)
      }
    }
    reset()
    return count
  }

  @inline(__always)
  private func fill(_ reading: inout Reading, _ time: Int64, _ stream: Int) {
    reading.time = time
    reading.stream = StreamID(UInt16(truncatingIfNeeded: stream))
    reading.flags = []
    reading.values.removeAll()
    for slot in firsts[stream]..<firsts[stream + 1] { reading.values.appendFast(values[slot]) }
  }
}
