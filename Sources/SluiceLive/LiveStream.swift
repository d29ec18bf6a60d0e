import SluiceReadings

/// What is kept of one stream: its last readings, and columns of all that came before them.
///
/// A reading is in one of the two places. It goes to the columns with its whole block, so that nothing but its values is
/// looked at when it comes.
struct LiveStream {
  struct Block {
    var number: Int
    /// Its values are in the block once it is full.
    var summary = LiveSummary()
    /// Whether no reading has come after one with a later time.
    var isOrdered = true
  }

  let layout: LiveBlocks.Layout
  var history: LiveHistory
  private let scales: [ScaledDouble]
  /// Those for the exponents of the newest reading.
  private var steps: [ScaledDouble.Step]
  private var kept: [Block] = []
  /// The blocks before this place in `kept` are given away.
  private var begin = 0
  /// The last readings have every reading from this time on.
  private(set) var exactFrom = Int64.min
  private(set) var received = 0
  /// The time of the newest reading; nil before the first.
  private(set) var lastTime: Int64?
  /// The place of its values, unless they are in `older`.
  private var newest: (block: Int, row: Int)?
  private var older: [Double]

  /// - Parameters:
  ///   - scales: One per channel.
  ///   - columns: The number of columns of its history.
  init(_ scales: [ScaledDouble], columns: Int) {
    self.scales = scales
    steps = scales.map { ScaledDouble.Step($0, 0) }
    layout = LiveBlocks.Layout(channels: scales.count)
    history = LiveHistory(channels: scales.count, capacity: columns)
    older = Array(repeating: .nan, count: scales.count)
  }

  /// The blocks with the last readings.
  var blocks: ArraySlice<Block> { kept[begin...] }
  var blockCount: Int { kept.count - begin }

  /// Whether the next reading needs another block.
  var needsBlock: Bool { blockCount == 0 || kept[kept.count - 1].summary.count == layout.rows }

  /// The values of the newest reading; NaN before the first.
  func lastValues(_ memory: LiveBlocks) -> [Double] {
    guard let newest else { return older }
    let values = memory.values(newest.block, layout) + newest.row
    return (0..<layout.channels).map { values[$0 &* layout.rows] }
  }

  // MARK: Readings

  /// Takes as many readings as there is room for in a block.
  /// - Parameters:
  ///   - readings: Readings of this stream, at least one.
  ///   - block: A block if one is needed; nil if there is none to be had.
  /// - Returns: Their number, 1 or more, and the first and the last of their times.
  mutating func take(
    _ readings: UnsafeBufferPointer<Reading>, _ memory: LiveBlocks, block: Int?
  ) -> (count: Int, times: ClosedRange<Int64>) {
    if needsBlock {
      guard let block else { return (1, addToHistory(readings[0])) }
      kept.append(Block(number: block))
    }
    var block = kept[kept.count - 1]
    let row = block.summary.count
    let count = min(readings.count, layout.rows - row)
    let (times, flags) = (memory.times(block.number, layout) + row, memory.flags(block.number, layout) + row)
    var (low, high) = (Int64.max, Int64.min)
    for index in 0..<count {
      let time = LiveReadings.bounded(readings[index].time)
      times[index] = time
      flags[index] = readings[index].flags.rawValue
      block.summary.flags |= flags[index]
      if time < block.summary.lastTime { block.isOrdered = false }
      block.summary.lastTime = max(time, block.summary.lastTime)
      (low, high) = (min(low, time), max(high, time))
      if time >= lastTime ?? time { (lastTime, newest) = (time, (block.number, row &+ index)) }
    }
    let values = memory.values(block.number, layout) + row
    for index in 0..<count { convert(readings, index, to: values + index) }
    block.summary.firstTime = min(low, block.summary.firstTime)
    block.summary.count = row &+ count
    kept[kept.count - 1] = block
    received &+= count
    if block.summary.count == layout.rows { memory.summarise(block, layout) }
    return (count, low...high)
  }

  /// Writes the values of a reading, `layout.rows` numbers from each other.
  private mutating func convert(
    _ readings: UnsafeBufferPointer<Reading>, _ index: Int, to place: UnsafeMutablePointer<Double>
  ) {
    guard let reading = readings.baseAddress.map({ $0 + index }) else { return }
    let (stride, channels) = (layout.rows, layout.channels)
    let count = min(reading.pointee.values.count, channels)
    let scales = scales
    steps.withUnsafeMutableBufferPointer { steps in
      var channel = 0
      func write(_ value: ExactDecimal) {
        if let found = steps[channel](value) {
          place[channel &* stride] = found
        } else {
          steps[channel] = ScaledDouble.Step(scales[channel], value.exponent)
          place[channel &* stride] = scales[channel](value)
        }
        channel &+= 1
      }
      Values.forEachInline(reading, count, write)
      while channel < count { write(reading.pointee.values[channel]) }
      while channel < channels {
        place[channel &* stride] = .nan
        channel &+= 1
      }
    }
  }

  /// Adds a reading for which no block is to be had.
  private mutating func addToHistory(_ reading: Reading) -> ClosedRange<Int64> {
    let time = LiveReadings.bounded(reading.time)
    let values = scales.indices.map { $0 < reading.values.count ? scales[$0](reading.values[$0]) : .nan }
    values.withUnsafeBufferPointer { values in
      withUnsafePointer(to: 0.0) { history.add(time, reading.flags.rawValue, values.baseAddress ?? $0) }
    }
    exactFrom = max(exactFrom, time &+ 1)
    received &+= 1
    if time >= lastTime ?? time { (lastTime, newest, older) = (time, nil, values) }
    return time...time
  }

  /// Gives the oldest block away. Its readings go to the columns.
  mutating func giveBlock(_ memory: LiveBlocks) -> Int? {
    guard begin < kept.count else { return nil }
    let block = kept[begin]
    if newest?.block == block.number { (older, newest) = (lastValues(memory), nil) }
    begin += 1
    if block.summary.count > 0 {
      if block.summary.count < layout.rows { memory.summarise(block, layout) }
      history.add(memory.rows(block, layout), block.summary, memory.summary(block.number))
      exactFrom = max(exactFrom, block.summary.lastTime &+ 1)
    }
    if begin > 64, begin > kept.count / 2 {
      kept.removeSubrange(..<begin)
      begin = 0
    }
    return block.number
  }
}

extension LiveBlocks {
  func rows(_ block: LiveStream.Block, _ layout: Layout) -> LiveRows {
    LiveRows(
      times: times(block.number, layout), flags: flags(block.number, layout), values: values(block.number, layout),
      stride: layout.rows, channels: layout.channels, isOrdered: block.isOrdered)
  }

  /// Writes the values of the summary of a block.
  func summarise(_ block: LiveStream.Block, _ layout: Layout) {
    let values = summary(block.number)
    LiveSummary.clear(values, channels: layout.channels)
    var summary = LiveSummary()
    summary.add(rows(block, layout), 0..<block.summary.count, to: values)
  }
}
