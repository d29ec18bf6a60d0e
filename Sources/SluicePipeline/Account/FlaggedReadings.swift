package import SluiceReadings

/// Which readings of one stream followed a gap, told an initial level or were late: a row of a file does not say.
package struct FlaggedReadings: Hashable {
  /// Readings with one flag.
  package struct Times: Hashable {
    /// More times than this are counted only, so that a sensor that always loses something fills no memory.
    package static let limit = 1_000

    package var count = 0
    package var first: [Int64] = []

    package mutating func add(_ time: Int64) {
      count += 1
      if first.count < Self.limit { first.append(time) }
    }
  }

  package var gapBefore = Times()
  package var initialLevel = Times()
  package var late = Times()

  package mutating func add(_ reading: Reading) {
    if reading.flags.contains(.gapBefore) { gapBefore.add(reading.time) }
    if reading.flags.contains(.initialLevel) { initialLevel.add(reading.time) }
    if reading.flags.contains(.late) { late.add(reading.time) }
  }
}
