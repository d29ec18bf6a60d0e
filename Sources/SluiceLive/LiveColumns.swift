/// Columns of one stream in the order of their times: what a picture shows side by side.
package struct LiveColumns: Sendable {
  /// A flag of a column beside those of its readings: each reading in it can be had alone, by a closer look.
  package static let exact: UInt8 = 128

  package let channels: Int
  /// The numbers of the columns. Which times have which number, the owner of the columns knows.
  package internal(set) var numbers: [Int64] = []
  package internal(set) var counts: [Int] = []
  package internal(set) var firstTimes: [Int64] = []
  package internal(set) var lastTimes: [Int64] = []
  /// The flags of all readings of a column together.
  package internal(set) var flags: [UInt8] = []
  /// By column and channel, the minimum, the maximum, the first and the last value; NaN if there is none.
  package internal(set) var values: [Double] = []

  package init(channels: Int) { self.channels = channels }

  package var count: Int { numbers.count }
  var width: Int { channels &* LiveSummary.width }

  /// The bytes of a column.
  static func bytes(channels: Int) -> Int { 33 + channels * LiveSummary.width * 8 }

  func summary(_ index: Int) -> LiveSummary {
    LiveSummary(
      count: counts[index], firstTime: firstTimes[index], lastTime: lastTimes[index], flags: flags[index])
  }

  private mutating func set(_ index: Int, _ summary: LiveSummary) {
    counts[index] = summary.count
    firstTimes[index] = summary.firstTime
    lastTimes[index] = summary.lastTime
    flags[index] = summary.flags
  }

  /// The place of the first column that has at least this number.
  func place(of number: Int64) -> Int {
    guard let last = numbers.last, number <= last else { return numbers.count }
    if number == last { return numbers.count - 1 }
    var (low, high) = (0, numbers.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether there is a column of a number.
  func has(_ number: Int64) -> Bool {
    let index = place(of: number)
    return index < numbers.count && numbers[index] == number
  }

  /// Makes an empty column unless it is there.
  mutating func column(_ number: Int64) -> Int {
    let index = place(of: number)
    if index < numbers.count, numbers[index] == number { return index }
    let none = LiveSummary()
    numbers.insert(number, at: index)
    counts.insert(none.count, at: index)
    firstTimes.insert(none.firstTime, at: index)
    lastTimes.insert(none.lastTime, at: index)
    flags.insert(none.flags, at: index)
    values.insert(contentsOf: repeatElement(.nan, count: width), at: index &* width)
    return index
  }

  mutating func add(_ time: Int64, _ readingFlags: UInt8, _ reading: UnsafePointer<Double>, to index: Int) {
    let channels = channels
    change(index) { $0.add(time, readingFlags, reading, channels: channels, to: $1) }
  }

  mutating func add(_ rows: LiveRows, _ range: Range<Int>, to index: Int) {
    change(index) { $0.add(rows, range, to: $1) }
  }

  mutating func add(_ other: LiveSummary, _ others: UnsafePointer<Double>, to index: Int) {
    let channels = channels
    change(index) { $0.add(other, others, channels: channels, to: $1) }
  }

  @inline(__always)
  private mutating func change(_ index: Int, _ change: (inout LiveSummary, UnsafeMutablePointer<Double>) -> Void) {
    var sum = summary(index)
    let width = width
    values.withUnsafeMutableBufferPointer { change(&sum, $0.baseAddress.map { $0 + index &* width } ?? Self.none) }
    set(index, sum)
  }

  /// Memory for the values of a stream without channels; nothing is written there.
  private nonisolated(unsafe) static let none = UnsafeMutablePointer<Double>.allocate(capacity: 1)

  /// The number of the columns if those were put together whose numbers become equal.
  func count(joinedBy power: Int) -> Int {
    var (count, last) = (0, Int64.min)
    for number in numbers where number >> Int64(power) != last {
      (count, last) = (count &+ 1, number >> Int64(power))
    }
    return count
  }

  /// Puts columns together whose numbers become equal.
  /// - Parameter power: Each number is divided by 2 to this power.
  mutating func join(by power: Int) {
    var kept = -1
    let (channels, width) = (channels, width)
    for index in numbers.indices {
      let number = numbers[index] >> Int64(power)
      if kept >= 0, numbers[kept] == number {
        var sum = summary(kept)
        let more = summary(index)
        values.withUnsafeMutableBufferPointer { values in
          guard let base = values.baseAddress else { return sum.add(more, Self.none, channels: 0, to: Self.none) }
          sum.add(more, base + index &* width, channels: channels, to: base + kept &* width)
        }
        set(kept, sum)
      } else {
        kept += 1
        if kept != index {
          set(kept, summary(index))
          for place in 0..<width { values[kept &* width &+ place] = values[index &* width &+ place] }
        }
        numbers[kept] = number
      }
    }
    keep(kept + 1)
  }

  private mutating func keep(_ count: Int) {
    numbers.removeSubrange(count...)
    counts.removeSubrange(count...)
    firstTimes.removeSubrange(count...)
    lastTimes.removeSubrange(count...)
    flags.removeSubrange(count...)
    values.removeSubrange((count * width)...)
  }

  mutating func reserve(_ count: Int) {
    numbers.reserveCapacity(count)
    counts.reserveCapacity(count)
    firstTimes.reserveCapacity(count)
    lastTimes.reserveCapacity(count)
    flags.reserveCapacity(count)
    values.reserveCapacity(count * width)
  }

  /// Appends columns that come after those that are there. If the first of them is at the same place as the last, both
  /// become one.
  mutating func append(_ other: LiveColumns) {
    for index in other.numbers.indices { add(other, index, to: column(other.numbers[index])) }
  }

  /// Adds a column of others.
  mutating func add(_ other: LiveColumns, _ place: Int, to index: Int) {
    other.values.withUnsafeBufferPointer { values in
      add(other.summary(place), values.baseAddress.map { $0 + place &* width } ?? UnsafePointer(Self.none), to: index)
    }
  }

  /// Changes the flags of a column.
  mutating func set(_ newFlags: UInt8, to index: Int) { flags[index] = newFlags }
}
