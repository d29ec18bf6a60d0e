/// What a viewer asks for: the columns of a stream in a range of time.
extension LiveStream {
  /// The columns that have readings in a range of time, and those of the nearest readings before and after it.
  /// - Parameter power: A column is 2 to this power nanoseconds wide; one of the history may be wider.
  func columns(_ range: ClosedRange<Int64>, power: Int, _ memory: LiveBlocks) -> LiveColumns {
    var found = LiveColumns(channels: layout.channels)
    let first = range.lowerBound >> Int64(power)
    let last = range.upperBound >> Int64(power)
    // Of the history, columns that begin before the range may end in it.
    let group = max(power, history.power)
    // Columns as wide as those of the history, or wider, end here.
    let edge = exactFrom == .min ? Int64.min : roundedUp(exactFrom, group)
    let start = first << Int64(power)
    let end = (last &+ 1) << Int64(power)
    let before = start < edge ? start & ~((1 << Int64(group)) &- 1) : start
    let after = end < edge ? roundedUp(end, group) : end
    if let time = nearest(before: before, memory) { collect(time, time, power, group, edge, memory, into: &found) }
    collect(start, end &- 1, power, group, edge, memory, into: &found)
    if let time = nearest(from: after, memory) { collect(time, time, power, group, edge, memory, into: &found) }
    return found
  }

  private func roundedUp(_ time: Int64, _ power: Int) -> Int64 {
    let mask = (Int64(1) << Int64(power)) &- 1
    return (time &+ mask) & ~mask
  }

  /// The last time before another one at which a column begins.
  private func nearest(before time: Int64, _ memory: LiveBlocks) -> Int64? {
    let place = history.columns.place(of: time >> Int64(history.power)) - 1
    var nearest = place >= 0 ? history.columns.lastTimes[place] : nil
    for block in blocks where block.summary.count > 0 && block.summary.firstTime < time {
      if block.summary.lastTime < time {
        nearest = max(nearest ?? .min, block.summary.lastTime)
        continue
      }
      let times = memory.times(block.number, layout)
      for row in 0..<block.summary.count where times[row] < time { nearest = max(nearest ?? .min, times[row]) }
    }
    return nearest
  }

  /// The first time that is not before another one, at which a column begins.
  private func nearest(from time: Int64, _ memory: LiveBlocks) -> Int64? {
    let columns = history.columns
    let place = columns.place(of: ((time &- 1) >> Int64(history.power)) &+ 1)
    var nearest = place < columns.count ? columns.firstTimes[place] : nil
    for block in blocks where block.summary.count > 0 && block.summary.lastTime >= time {
      if block.summary.firstTime >= time {
        nearest = min(nearest ?? .max, block.summary.firstTime)
        continue
      }
      let times = memory.times(block.number, layout)
      for row in 0..<block.summary.count where times[row] >= time { nearest = min(nearest ?? .max, times[row]) }
    }
    return nearest
  }

  /// Adds the columns of a range. They are whole ones, so that a column has all of its readings.
  private func collect(
    _ from: Int64, _ to: Int64, _ power: Int, _ group: Int, _ edge: Int64, _ memory: LiveBlocks,
    into found: inout LiveColumns
  ) {
    if from < edge {
      var older = LiveColumns(channels: layout.channels)
      let (first, last) = (from >> Int64(group), min(to, edge &- 1) >> Int64(group))
      collectHistory(first...last, group, into: &older)
      let limits = (first << Int64(group))..<((last &+ 1) << Int64(group))
      for block in blocks { collect(block, limits, group, memory, into: &older) }
      for index in 0..<older.count {
        // A column that is wider than those of the picture stands where its first reading is.
        let place = found.column(older.firstTimes[index] >> Int64(power))
        found.add(older, index, to: place)
        if older.counts[index] == 1 { found.set(found.flags[place] | LiveColumns.exact, to: place) }
      }
    }
    guard to >= edge else { return }
    let first = max(from, edge) >> Int64(power)
    let limits = (first << Int64(power))..<(((to >> Int64(power)) &+ 1) << Int64(power))
    for block in blocks { collect(block, limits, power, memory, exact: LiveColumns.exact, into: &found) }
  }

  private func collectHistory(_ range: ClosedRange<Int64>, _ group: Int, into found: inout LiveColumns) {
    let columns = history.columns
    let shift = Int64(group - history.power)
    for index in columns.place(of: range.lowerBound << shift)..<columns.count {
      let number = columns.numbers[index] >> shift
      guard number <= range.upperBound else { return }
      found.add(columns, index, to: found.column(number))
    }
  }

  /// Adds the readings of a block whose times lie within limits, which are those of columns.
  private func collect(
    _ block: Block, _ limits: Range<Int64>, _ power: Int, _ memory: LiveBlocks, exact: UInt8 = 0,
    into found: inout LiveColumns
  ) {
    let summary = block.summary
    guard summary.count > 0, summary.lastTime >= limits.lowerBound, summary.firstTime < limits.upperBound else {
      return
    }
    let low = summary.firstTime >> Int64(power)
    if summary.count == layout.rows, low == summary.lastTime >> Int64(power) {
      let column = found.column(low)
      found.add(summary, memory.summary(block.number), to: column)
      return found.set(found.flags[column] | exact, to: column)
    }
    let rows = memory.rows(block, layout)
    var row = 0
    while row < summary.count {
      let number = rows.times[row] >> Int64(power)
      let own = (number << Int64(power))..<((number &+ 1) << Int64(power))
      let end = rows.end(from: row, to: summary.count, within: own)
      if limits.contains(rows.times[row]) {
        let column = found.column(number)
        found.add(rows, row..<end, to: column)
        found.set(found.flags[column] | exact, to: column)
      }
      row = end
    }
  }
}
