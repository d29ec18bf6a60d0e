package import SluiceReadings
package import SluiceRecording

/// The readings of one stream that followed a gap, were an initial level, or were late.
package struct StreamFlags: Hashable {
  package var gapBefore = FlaggedReadings()
  package var initialLevel = FlaggedReadings()
  package var late = FlaggedReadings()

  package mutating func add(_ reading: Reading) {
    if reading.flags.contains(.gapBefore) { gapBefore.add(reading.time) }
    if reading.flags.contains(.initialLevel) { initialLevel.add(reading.time) }
    if reading.flags.contains(.late) { late.add(reading.time) }
  }
}
