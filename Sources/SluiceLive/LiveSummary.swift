/// What some readings of one stream have in common: their number, their times and flags, and for each channel the
/// minimum, the maximum, the first and the last value.
///
/// The values of a channel are four numbers beside each other in memory that the caller has. A missing value is NaN and
/// changes nothing.
struct LiveSummary {
  var count = 0
  var firstTime = Int64.max
  var lastTime = Int64.min
  var flags: UInt8 = 0

  /// The numbers per channel: minimum, maximum, first, last.
  static var width: Int { 4 }

  /// Makes the values those of no reading.
  static func clear(_ values: UnsafeMutablePointer<Double>, channels: Int) {
    values.update(repeating: .nan, count: channels * width)
  }

  /// Adds a reading.
  /// - Parameters:
  ///   - values: Those of the summary.
  ///   - reading: The values of the reading, `stride` numbers from each other.
  mutating func add(
    _ time: Int64, _ flags: UInt8, _ reading: UnsafePointer<Double>, stride: Int = 1, channels: Int,
    to values: UnsafeMutablePointer<Double>
  ) {
    let (isFirst, isLast) = (time < firstTime, time >= lastTime)
    for channel in 0..<channels {
      let value = reading[channel &* stride]
      guard !value.isNaN else { continue }
      let place = values + channel &* Self.width
      // A comparison with NaN is false.
      if !(place[0] <= value) { place[0] = value }
      if !(place[1] >= value) { place[1] = value }
      if isFirst || place[2].isNaN { place[2] = value }
      if isLast || place[3].isNaN { place[3] = value }
    }
    count &+= 1
    if isFirst { firstTime = time }
    if isLast { lastTime = time }
    self.flags |= flags
  }

  /// Adds other readings of the stream.
  mutating func add(
    _ other: LiveSummary, _ others: UnsafePointer<Double>, channels: Int, to values: UnsafeMutablePointer<Double>
  ) {
    let (isFirst, isLast) = (other.firstTime < firstTime, other.lastTime >= lastTime)
    for channel in 0..<channels {
      let (place, more) = (values + channel &* Self.width, others + channel &* Self.width)
      guard !more[0].isNaN else { continue }
      if !(place[0] <= more[0]) { place[0] = more[0] }
      if !(place[1] >= more[1]) { place[1] = more[1] }
      if isFirst || place[2].isNaN { place[2] = more[2] }
      if isLast || place[3].isNaN { place[3] = more[3] }
    }
    count &+= other.count
    firstTime = min(firstTime, other.firstTime)
    lastTime = max(lastTime, other.lastTime)
    flags |= other.flags
  }
}
