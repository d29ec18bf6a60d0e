/// Readings of one stream as they stand in a block: the times, the flags, and the values channel by channel.
struct LiveRows {
  let times: UnsafePointer<Int64>
  let flags: UnsafePointer<UInt8>
  /// The values of the first channel; those of the next one are `stride` further.
  let values: UnsafePointer<Double>
  let stride: Int
  let channels: Int
  /// Whether no time is before that of an earlier row.
  let isOrdered: Bool

  /// The end of the rows from a place on whose times lie within bounds.
  @inline(__always)
  func end(from begin: Int, to limit: Int, within times: Range<Int64>) -> Int {
    var end = begin
    while end < limit, times.contains(self.times[end]) { end &+= 1 }
    return end
  }
}

extension LiveSummary {
  /// Adds rows, of which there is at least one.
  mutating func add(_ rows: LiveRows, _ range: Range<Int>, to values: UnsafeMutablePointer<Double>) {
    let (begin, end) = (range.lowerBound, range.upperBound)
    guard rows.isOrdered, rows.times[begin] >= lastTime || count == 0 else {
      for row in range {
        add(
          rows.times[row], rows.flags[row], rows.values + row, stride: rows.stride, channels: rows.channels, to: values)
      }
      return
    }
    for channel in 0..<rows.channels {
      let own = rows.values + channel &* rows.stride
      var (first, last) = (begin, end &- 1)
      while first < end, own[first].isNaN { first &+= 1 }
      guard first < end else { continue }
      while own[last].isNaN { last &-= 1 }
      var (low, high) = (own[first], own[first])
      // A comparison with NaN is false.
      for row in first...last {
        let value = own[row]
        low = value < low ? value : low
        high = value > high ? value : high
      }
      let place = values + channel &* Self.width
      if !(place[0] <= low) { place[0] = low }
      if !(place[1] >= high) { place[1] = high }
      if place[2].isNaN { place[2] = own[first] }
      place[3] = own[last]
    }
    if count == 0 { firstTime = rows.times[begin] }
    lastTime = rows.times[end &- 1]
    count &+= range.count
    for row in range { flags |= rows.flags[row] }
  }
}
