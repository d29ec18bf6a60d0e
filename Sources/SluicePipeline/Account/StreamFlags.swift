package import SluiceReadings
package import SluiceRecording

/// The readings of one stream that followed a gap, were an initial level, were late, or have an uncertain time.
package struct StreamFlags: Hashable {
  package var gapBefore = FlaggedReadings()
  package var initialLevel = FlaggedReadings()
  package var late = FlaggedReadings()
  package var uncertainTime = FlaggedReadings()

  /// The readings of each flag.
  static var all: [WritableKeyPath<StreamFlags, FlaggedReadings>] {
    [\.gapBefore, \.initialLevel, \.late, \.uncertainTime]
  }

  /// Both together. Of the times, the first ones.
  func adding(_ other: StreamFlags) -> StreamFlags {
    var sum = self
    for flag in Self.all where other[keyPath: flag].count > 0 {
      sum[keyPath: flag].count += other[keyPath: flag].count
      let times = (self[keyPath: flag].times + other[keyPath: flag].times).sorted()
      sum[keyPath: flag].times = Array(times.prefix(FlaggedReadings.limit))
    }
    return sum
  }

  package mutating func add(_ reading: Reading) {
    if reading.flags.contains(.gapBefore) { gapBefore.add(reading.time) }
    if reading.flags.contains(.initialLevel) { initialLevel.add(reading.time) }
    if reading.flags.contains(.late) { late.add(reading.time) }
    if reading.flags.contains(.uncertainTime) { uncertainTime.add(reading.time) }
  }
}
