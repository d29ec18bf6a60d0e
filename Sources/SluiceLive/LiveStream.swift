import SluiceReadings

/// What is kept of one stream: its last readings, and columns of all.
struct LiveStream {
  private struct Block {
    var number: Int
    var summary = LiveSummary()
  }

  let layout: LiveBlocks.Layout
  var history: LiveHistory
  private var blocks: [Block] = []
  /// The blocks before this place in `blocks` are given away.
  private var begin = 0
  /// The last readings have every reading from this time on.
  private(set) var exactFrom = Int64.min
  private(set) var received = 0
  /// The time and the values of the newest reading; none before the first.
  private(set) var lastTime: Int64?
  private(set) var lastValues: [Double]

  init(channels: Int, columns: Int) {
    layout = LiveBlocks.Layout(channels: channels)
    history = LiveHistory(channels: channels, capacity: columns)
    lastValues = Array(repeating: .nan, count: channels)
  }

  var blockCount: Int { blocks.count - begin }

  /// Whether the next reading needs another block.
  var needsBlock: Bool { blockCount == 0 || blocks[blocks.count - 1].summary.count == layout.rows }

  /// - Parameters:
  ///   - values: One per channel.
  ///   - block: A block if one is needed; nil if there is none to be had.
  mutating func add(
    _ time: Int64, _ flags: UInt8, _ values: UnsafeMutableBufferPointer<Double>, _ memory: LiveBlocks, block: Int?
  ) {
    guard let base = values.baseAddress else { return }
    received += 1
    history.add(time, flags, base)
    if time >= lastTime ?? time {
      lastTime = time
      for channel in 0..<layout.channels { lastValues[channel] = base[channel] }
    }
    if needsBlock {
      guard let block else {
        exactFrom = max(exactFrom, time &+ 1)
        return
      }
      LiveSummary.clear(memory.summary(block), channels: layout.channels)
      blocks.append(Block(number: block))
    }
    let (index, row) = (blocks.count - 1, blocks[blocks.count - 1].summary.count)
    let number = blocks[index].number
    memory.times(number, layout)[row] = time
    memory.flags(number, layout)[row] = flags
    let place = memory.values(number, layout)
    for channel in 0..<layout.channels { place[channel &* layout.rows &+ row] = base[channel] }
    blocks[index].summary.add(time, flags, base, channels: layout.channels, to: memory.summary(number))
  }

  /// Gives the oldest block away.
  mutating func giveBlock() -> Int? {
    guard begin < blocks.count else { return nil }
    let block = blocks[begin]
    begin += 1
    if block.summary.count > 0 { exactFrom = max(exactFrom, block.summary.lastTime &+ 1) }
    if begin > 64, begin > blocks.count / 2 {
      blocks.removeSubrange(..<begin)
      begin = 0
    }
    return block.number
  }

  // MARK: Looking

  /// The columns that have readings in a range of time, and those of the nearest readings before and after it.
  /// - Parameter power: A column is 2 to this power nanoseconds wide; one of the history may be wider.
  func columns(_ range: ClosedRange<Int64>, power: Int, _ memory: LiveBlocks) -> LiveColumns {
    var found = LiveColumns(channels: layout.channels)
    let first = range.lowerBound >> Int64(power)
    let last = range.upperBound >> Int64(power)
    let (start, end) = (first << Int64(power), (last &+ 1) << Int64(power))
    let columns = history.columns
    // Columns of the history that are wider than the columns of the picture may begin before it.
    let before = columns.place(of: start >> Int64(history.power)) - 1
    let earlier = [before >= 0 ? columns.lastTimes[before] : nil, nearest(before: start, memory)]
    if let time = earlier.compactMap({ $0 }).max() { collect(time...time, power, memory, into: &found) }
    collect(range, power, memory, into: &found)
    let after = columns.place(of: ((end &- 1) >> Int64(history.power)) &+ 1)
    let later = [after < columns.count ? columns.firstTimes[after] : nil, nearest(from: end, memory)]
    if let time = later.compactMap({ $0 }).min() { collect(time...time, power, memory, into: &found) }
    return found
  }

  /// The last time before another one, of the last readings.
  private func nearest(before time: Int64, _ memory: LiveBlocks) -> Int64? {
    var nearest: Int64?
    for block in blocks[begin...] where block.summary.count > 0 && block.summary.firstTime < time {
      if block.summary.lastTime < time {
        nearest = max(nearest ?? .min, block.summary.lastTime)
        continue
      }
      let times = memory.times(block.number, layout)
      for row in 0..<block.summary.count where times[row] < time { nearest = max(nearest ?? .min, times[row]) }
    }
    return nearest
  }

  /// The first time that is not before another one, of the last readings.
  private func nearest(from time: Int64, _ memory: LiveBlocks) -> Int64? {
    var nearest: Int64?
    for block in blocks[begin...] where block.summary.count > 0 && block.summary.lastTime >= time {
      if block.summary.firstTime >= time {
        nearest = min(nearest ?? .max, block.summary.firstTime)
        continue
      }
      let times = memory.times(block.number, layout)
      for row in 0..<block.summary.count where times[row] >= time { nearest = min(nearest ?? .max, times[row]) }
    }
    return nearest
  }

  private func collect(
    _ range: ClosedRange<Int64>, _ power: Int, _ memory: LiveBlocks, into found: inout LiveColumns
  ) {
    // Whole columns, so that a column has all of its readings.
    let first = range.lowerBound >> Int64(power)
    let last = range.upperBound >> Int64(power)
    // The last readings are taken from the begin of a column on.
    let wider = max(power, history.power)
    let edge =
      exactFrom == .min ? Int64.min >> Int64(wider) : (exactFrom >> Int64(wider)) &+ (isWhole(exactFrom, wider) ? 0 : 1)
    collectHistory(first...last, power, before: edge << Int64(wider - history.power), into: &found)
    collectBlocks(first...last, power, from: edge << Int64(wider - power), memory, into: &found)
  }

  private func isWhole(_ time: Int64, _ power: Int) -> Bool { time & ((1 << Int64(power)) &- 1) == 0 }

  /// - Parameter edge: The number of the first column of the history that is not taken.
  private func collectHistory(
    _ range: ClosedRange<Int64>, _ power: Int, before edge: Int64, into found: inout LiveColumns
  ) {
    let columns = history.columns
    guard columns.count > 0 else { return }
    let isCoarser = history.power > power
    let shift = Int64(isCoarser ? history.power - power : power - history.power)
    let start = columns.place(of: isCoarser ? range.lowerBound >> shift : range.lowerBound << shift)
    columns.values.withUnsafeBufferPointer { values in
      guard let base = values.baseAddress else { return }
      for index in start..<max(start, columns.count) {
        let number = columns.numbers[index]
        guard number < edge else { return }
        // A column of the history that is wider stands where its first reading is.
        let place = isCoarser ? columns.firstTimes[index] >> Int64(power) : number >> shift
        guard (isCoarser ? number << shift : place) <= range.upperBound else { return }
        let column = found.column(place)
        var summary = columns.summary(index)
        if summary.count == 1 { summary.flags |= LiveColumns.exact }
        found.add(summary, base + index &* columns.width, to: column)
        if found.counts[column] > 1 { found.flags[column] &= ~LiveColumns.exact }
      }
    }
  }

  /// - Parameter edge: The number of the first column that is taken.
  private func collectBlocks(
    _ range: ClosedRange<Int64>, _ power: Int, from edge: Int64, _ memory: LiveBlocks, into found: inout LiveColumns
  ) {
    let first = max(range.lowerBound, edge)
    guard first <= range.upperBound else { return }
    for block in blocks[begin...] where block.summary.count > 0 {
      let low = block.summary.firstTime >> Int64(power)
      let high = block.summary.lastTime >> Int64(power)
      guard high >= first, low <= range.upperBound else { continue }
      if low == high {
        let column = found.column(low)
        found.add(block.summary, memory.summary(block.number), to: column)
        found.flags[column] |= LiveColumns.exact
        continue
      }
      let times = memory.times(block.number, layout)
      let flags = memory.flags(block.number, layout)
      let values = memory.values(block.number, layout)
      var (number, column) = (Int64.min, 0)
      for row in 0..<block.summary.count {
        let own = times[row] >> Int64(power)
        guard own >= first, own <= range.upperBound else { continue }
        if own != number || column >= found.count { (number, column) = (own, found.column(own)) }
        found.add(times[row], flags[row] | LiveColumns.exact, values + row, stride: layout.rows, to: column)
      }
    }
  }
}
