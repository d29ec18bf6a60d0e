package import SluiceReadings

/// The readings of one stream that followed a gap, were an initial level, or were late. The rows of a file do not show
/// these flags.
package struct FlaggedReadings: Hashable {
  /// Readings with one flag.
  package struct Times: Hashable {
    /// The largest number of times that are kept; more are only counted. So a sensor that always loses readings does
    /// not fill the memory.
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
