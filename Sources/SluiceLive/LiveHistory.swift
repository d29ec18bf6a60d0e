/// All readings of a stream since its begin, as columns of equal width in bounded memory.
///
/// If there are too many columns, their width is doubled, and neighbours become one. Only columns with readings are
/// kept: so a silence costs nothing, and a reading with a wrong time costs one column.
struct LiveHistory {
  private(set) var columns: LiveColumns
  /// A column is 2 to this power nanoseconds wide. The column `n` begins `n` widths after 1970.
  private(set) var power = 10
  private(set) var capacity: Int

  init(channels: Int, capacity: Int) {
    columns = LiveColumns(channels: channels)
    self.capacity = max(8, capacity)
  }

  /// The columns of some readings, which are in no column yet.
  /// - Parameters:
  ///   - summary: What all of them have in common.
  ///   - values: Those of the summary.
  mutating func add(_ rows: LiveRows, _ summary: LiveSummary, _ values: UnsafePointer<Double>) {
    guard summary.count > 0 else { return }
    let number = summary.firstTime >> Int64(power)
    if number == summary.lastTime >> Int64(power), columns.has(number) || columns.count < capacity {
      return columns.add(summary, values, to: columns.column(number))
    }
    var row = 0
    while row < summary.count {
      let number = self.number(of: rows.times[row])
      let end = rows.end(
        from: row, to: summary.count, within: (number << Int64(power))..<((number &+ 1) << Int64(power)))
      columns.add(rows, row..<end, to: columns.column(number))
      row = end
    }
  }

  /// The column of one reading, which is in no column yet.
  mutating func add(_ time: Int64, _ flags: UInt8, _ values: UnsafePointer<Double>) {
    columns.add(time, flags, values, to: columns.column(number(of: time)))
  }

  /// The number of the column of a time. There is room for it.
  private mutating func number(of time: Int64) -> Int64 {
    if columns.count >= capacity, !columns.has(time >> Int64(power)) { widen() }
    return time >> Int64(power)
  }

  mutating func limit(to capacity: Int) {
    self.capacity = max(8, capacity)
    // Otherwise it would be copied while it grows. The system gives the memory when it is used.
    if columns.count == 0 { columns.reserve(self.capacity) }
    if columns.count >= self.capacity {
      widen()
      // Lets go of the memory.
      var smaller = LiveColumns(channels: columns.channels)
      smaller.reserve(self.capacity)
      smaller.append(columns)
      columns = smaller
    }
  }

  /// Makes the columns so much wider that there is room for more.
  private mutating func widen() {
    var more = 1
    while columns.count(joinedBy: more) > capacity * 3 / 4, power + more < 62 { more += 1 }
    power += more
    columns.join(by: more)
  }
}
