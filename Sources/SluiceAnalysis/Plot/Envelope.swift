/// The values of a stream over time, in a constant number of buckets for any number of readings. The number of readings
/// and their time range need not be known before.
///
/// All buckets have the same width. If the times need more buckets than there are, the width is doubled, and each pair
/// of buckets becomes one. So at least half of the buckets are in use, and minimum and maximum stay exact.
package struct Envelope: Sendable {
  /// The longest intervals before the readings of a bucket.
  package struct Waits: Equatable, Sendable {
    /// The longest interval that ends in the bucket, and its end.
    package var longest: UInt64 = 0
    package var end: Int64 = 0
    /// The same for intervals before a flagged reading.
    package var longestFlagged: UInt64 = 0
    package var endFlagged: Int64 = 0
    package var isFlagged = false

    mutating func append(_ later: Waits) {
      if later.longest > longest { (longest, end) = (later.longest, later.end) }
      guard later.isFlagged else { return }
      if !isFlagged || later.longestFlagged > longestFlagged {
        (longestFlagged, endFlagged, isFlagged) = (later.longestFlagged, later.endFlagged, true)
      }
    }
  }

  /// The number of channels per reading.
  package private(set) var channels: Int
  /// The number of buckets, a power of two.
  package let capacity: Int
  /// The width of a bucket is 2 to this power, in nanoseconds.
  package private(set) var power: Int64 = 0
  /// The numbers of the first and of the last bucket. The bucket `n` begins `n` widths after 1970, and it is at the place
  /// `n` modulo the capacity, so that nothing has to move when an earlier time comes.
  private var numbers: ClosedRange<Int64>?
  /// The values of all buckets. It is allocated with the first reading, because a trace may have thousands of streams
  /// that are not drawn.
  private var extents: [Extent] = []
  private var waits: [Waits] = []
  private var times: [Times] = []

  /// The times of the earliest and the latest reading of a bucket.
  private struct Times {
    var first = Int64.max
    var last = Int64.min

    var range: ClosedRange<Int64>? { first <= last ? first...last : nil }

    @inline(__always)
    mutating func add(_ time: Int64) {
      if time < first { first = time }
      if time > last { last = time }
    }
  }

  /// - Parameter capacity: The smallest number of buckets.
  package init(channels: Int, capacity: Int) {
    var size = 2
    while size < capacity, size < 1 << 20 { size *= 2 }
    self.channels = channels
    self.capacity = size
  }

  private mutating func allocate() {
    extents = Array(repeating: .empty, count: capacity * channels)
    waits = Array(repeating: Waits(), count: capacity)
    times = Array(repeating: Times(), count: capacity)
  }

  package var isEmpty: Bool { numbers == nil }

  /// Prepares the bucket of a time.
  /// - Returns: The place of the bucket.
  @inline(__always)
  mutating func place(of time: Int64) -> Int {
    if !(numbers?.contains(time >> power) ?? false) { makeRoom(time) }
    let place = Int(truncatingIfNeeded: time >> power) & (capacity - 1)
    times[place].add(time)
    return place
  }

  @inline(__always)
  mutating func add(_ value: Double, channel: Int, at place: Int) { extents[place * channels + channel].add(value) }

  /// - Parameter length: The interval before the reading.
  mutating func addWait(_ length: UInt64, isFlagged: Bool, until time: Int64, at place: Int) {
    if length > waits[place].longest { (waits[place].longest, waits[place].end) = (length, time) }
    guard isFlagged else { return }
    waits[place].append(Waits(longestFlagged: length, endFlagged: time, isFlagged: true))
  }

  /// A trace from a pipe may get channels while it is read.
  mutating func setChannels(_ count: Int) {
    guard count > channels else { return }
    guard !isEmpty else { return channels = count }
    var wider = [Extent](repeating: .empty, count: capacity * count)
    for place in 0..<capacity {
      for channel in 0..<channels { wider[place * count + channel] = extents[place * channels + channel] }
    }
    (extents, channels) = (wider, count)
  }

  // MARK: Width

  @inline(never)
  private mutating func makeRoom(_ time: Int64) {
    if isEmpty { allocate() }
    while true {
      let number = time >> power
      let low = min(numbers?.lowerBound ?? number, number)
      let high = max(numbers?.upperBound ?? number, number)
      // The distance between two signed 64-bit numbers fits in an unsigned 64-bit number.
      if UInt64(bitPattern: high &- low) < UInt64(capacity) {
        numbers = low...high
        return
      }
      fold()
    }
  }

  /// Merges each pair of buckets into one.
  private mutating func fold() {
    power += 1
    guard let old = numbers else { return }
    let folded = (old.lowerBound >> 1)...(old.upperBound >> 1)
    var next = Envelope(channels: channels, capacity: capacity)
    next.allocate()
    for number in old {
      let from = Int(truncatingIfNeeded: number) & (capacity - 1)
      let to = Int(truncatingIfNeeded: number >> 1) & (capacity - 1)
      guard let range = times[from].range else { continue }
      next.times[to].add(range.lowerBound)
      next.times[to].add(range.upperBound)
      next.waits[to].append(waits[from])
      for channel in 0..<channels {
        next.extents[to * channels + channel].append(extents[from * channels + channel])
      }
    }
    (extents, waits, times, numbers) = (next.extents, next.waits, next.times, folded)
  }

  // MARK: Buckets

  /// The buckets with readings, in the order of time.
  package var buckets: [Bucket] {
    guard let numbers else { return [] }
    return numbers.compactMap { number in
      let place = Int(truncatingIfNeeded: number) & (capacity - 1)
      return times[place].range.map { Bucket(times: $0, place: place, waits: waits[place]) }
    }
  }

  package struct Bucket: Equatable, Sendable {
    /// The times of its earliest and its latest reading.
    package let times: ClosedRange<Int64>
    let place: Int
    package let waits: Waits
  }

  package func extent(of channel: Int, in bucket: Bucket) -> Extent {
    channel < channels ? extents[bucket.place * channels + channel] : .empty
  }
}
