import SluiceReadings

/// Which readings of one stream followed a gap, told an initial level or were late: a row of a file does not say.
struct FlaggedReadings: Hashable {
  /// Readings with one flag.
  struct Times: Hashable {
    /// More times than this are counted only, so that a sensor that always loses something fills no memory.
    static let limit = 1_000

    var count = 0
    var first: [Int64] = []

    mutating func add(_ time: Int64) {
      count += 1
      if first.count < Self.limit { first.append(time) }
    }
  }

  var gapBefore = Times()
  var initialLevel = Times()
  var late = Times()

  mutating func add(_ reading: Reading) {
    if reading.flags.contains(.gapBefore) { gapBefore.add(reading.time) }
    if reading.flags.contains(.initialLevel) { initialLevel.add(reading.time) }
    if reading.flags.contains(.late) { late.add(reading.time) }
  }
}
