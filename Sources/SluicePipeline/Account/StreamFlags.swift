package import SluiceReadings
package import SluiceRecording

/// The readings of one stream that followed a gap, were an initial level, were late, have an uncertain time or level,
/// or may be in the file twice.
package struct StreamFlags: Equatable {
  package var gapBefore = FlaggedReadings()
  package var initialLevel = FlaggedReadings()
  package var late = FlaggedReadings()
  package var uncertainTime = FlaggedReadings()
  package var possibleDuplicate = FlaggedReadings()
  package var uncertainLevel = FlaggedReadings()

  /// The readings of each flag.
  static var all: [WritableKeyPath<StreamFlags, FlaggedReadings>] {
    [\.gapBefore, \.initialLevel, \.late, \.uncertainTime, \.possibleDuplicate, \.uncertainLevel]
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

  package mutating func add(_ reading: Reading) { add(reading.flags, at: reading.time) }

  mutating func add(_ flags: Reading.Flags, at time: Int64) {
    if flags.contains(.gapBefore) { gapBefore.add(time) }
    if flags.contains(.initialLevel) { initialLevel.add(time) }
    if flags.contains(.late) { late.add(time) }
    if flags.contains(.uncertainTime) { uncertainTime.add(time) }
    if flags.contains(.possibleDuplicate) { possibleDuplicate.add(time) }
    if flags.contains(.uncertainLevel) { uncertainLevel.add(time) }
  }
}
