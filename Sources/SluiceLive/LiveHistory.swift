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

  mutating func add(_ time: Int64, _ flags: UInt8, _ values: UnsafePointer<Double>) {
    var number = time >> Int64(power)
    if let last = columns.numbers.last, last == number {
      return columns.add(time, flags, values, to: columns.count - 1)
    }
    if columns.count >= capacity {
      widen()
      number = time >> Int64(power)
    }
    columns.add(time, flags, values, to: columns.column(number))
  }

  mutating func limit(to capacity: Int) {
    self.capacity = max(8, capacity)
    if columns.count >= self.capacity {
      widen()
      // Lets go of the memory.
      var smaller = LiveColumns(channels: columns.channels)
      smaller.reserve(self.capacity)
      smaller.append(columns)
      columns = smaller
    }
  }

  private mutating func widen() {
    while columns.count > capacity * 3 / 4, power < 62 {
      power += 1
      columns.join(by: 1)
    }
  }
}
