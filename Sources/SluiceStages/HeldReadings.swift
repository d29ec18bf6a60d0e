import DequeModule
import SluiceReadings

/// Readings that wait, in the order in which they came: the newest in memory, and the oldest in a store, if memory is too
/// small for all.
struct HeldReadings {
  /// Readings in the store, and what has to be known to leave them out unread.
  struct Block {
    let count: Int
    /// The time of the first one.
    let time: Int64
    /// The latest time.
    let latest: Int64
    /// By stream, the flags of its readings.
    let streams: [StreamID: Reading.Flags]

    init(_ readings: [Reading]) {
      count = readings.count
      time = readings.first?.time ?? 0
      latest = readings.map(\.time).max() ?? 0
      streams = readings.reduce(into: [:]) { $0[$1.stream, default: []].formUnion($1.flags) }
    }
  }

  enum Oldest {
    case reading(Reading)
    case block(Block)
  }

  struct Limits: Sendable {
    /// The most readings in memory, if they have at most eight values each. Of those with more, fewer are there.
    var most = 131_072
    /// The readings of a block.
    var block = 1_024
  }

  private let limits: Limits
  private let store: (any ReadingStore)?
  /// Those that were read from the store again. They are before the blocks, and the blocks are before the last ones.
  private var first: Deque<Reading> = []
  private var blocks: Deque<Block> = []
  private var last: Deque<Reading> = []
  /// The readings for which the store is not asked again, because a full disk costs many system calls.
  private var refused = 0
  /// The bytes of the values of the readings in memory that have memory of their own.
  private var valueBytes = 0

  init(_ limits: Limits, store: (any ReadingStore)?) { (self.limits, self.store) = (limits, store) }

  var isEmpty: Bool { last.isEmpty && first.isEmpty && blocks.isEmpty }

  /// The time of the first one; nil if there are none.
  var time: Int64? { first.first?.time ?? blocks.first?.time ?? last.first?.time }

  /// The latest time of what ``oldest`` gives; nil if there is nothing.
  var latestOfOldest: Int64? { first.first?.time ?? blocks.first?.latest ?? last.first?.time }

  /// The first reading, or the block that has it.
  var oldest: Oldest? {
    if let reading = first.first { return .reading(reading) }
    if let block = blocks.first { return .block(block) }
    return last.first.map { .reading($0) }
  }

  mutating func append(_ reading: Reading) {
    last.append(reading)
    valueBytes += Self.bytes(of: reading)
  }

  /// Removes what ``oldest`` gives.
  mutating func removeOldest() {
    if let reading = first.popFirst() {
      valueBytes -= Self.bytes(of: reading)
    } else if let block = blocks.popFirst() {
      store?.removeFirst(block.count)
    } else if let reading = last.popFirst() {
      valueBytes -= Self.bytes(of: reading)
    }
  }

  /// Removes all. Nothing comes any more.
  mutating func close() {
    (first, blocks, last, valueBytes) = ([], [], [], 0)
    store?.close()
  }

  /// Reads the block that is the oldest.
  /// - Returns: False if it cannot be read. It is gone then.
  mutating func openOldest() -> Bool {
    guard first.isEmpty, let block = blocks.popFirst() else { return true }
    guard let readings = store?.takeFirst(block.count) else { return false }
    first.append(contentsOf: readings)
    for reading in readings { valueBytes += Self.bytes(of: reading) }
    return true
  }

  /// Whether memory has too many, and the store takes none of them.
  mutating func isFull() -> Bool {
    let count = first.count + last.count
    let stride = MemoryLayout<Reading>.stride
    guard count > limits.most || count * stride + valueBytes > limits.most * stride else { return false }
    guard let store, last.count > limits.block, refused == 0 else {
      refused = max(0, refused - 1)
      return true
    }
    let readings = Array(last.prefix(limits.block))
    guard store.append(readings) else {
      refused = limits.block
      return true
    }
    blocks.append(Block(readings))
    for reading in readings { valueBytes -= Self.bytes(of: reading) }
    last.removeFirst(readings.count)
    return false
  }

  /// The bytes of the values of a reading that have memory of their own.
  private static func bytes(of reading: Reading) -> Int {
    reading.values.count > Values.inlineCapacity
      ? 32 + (reading.values.count - Values.inlineCapacity) * MemoryLayout<ExactDecimal>.stride : 0
  }
}
