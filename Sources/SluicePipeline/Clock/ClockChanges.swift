package import SluiceRecording

/// The first changes of the clock during a run, and the number of all changes.
package struct ClockChanges: Equatable, Sendable {
  /// The largest number of changes in the list.
  package static let limit = 100

  package private(set) var first: [TraceMetadata.ClockChange] = []
  package private(set) var count = 0
  /// The spans of time in which the wall clock was worse than ``RecordingPlan/Limits/maxClockError``. If there are more
  /// than ``limit``, the last one lasts from the first that has no place to the end of the latest.
  package private(set) var excesses: [TraceMetadata.ClockExcess] = []
  /// The number of all these spans.
  package private(set) var excessCount = 0

  package init() {}

  /// - Returns: Whether the change is in the list.
  @discardableResult package mutating func add(_ change: TraceMetadata.ClockChange) -> Bool {
    count += 1
    guard count <= Self.limit else { return false }
    first.append(change)
    return true
  }

  /// Notes that the wall clock is worse than allowed.
  /// - Parameter from: The time of the comparison before this one.
  /// - Returns: Whether that is new.
  mutating func exceed(from: Int64, _ error: Int64) -> Bool {
    if let last = excesses.indices.last, excesses[last].to == nil {
      excesses[last].greatest = max(excesses[last].greatest, error)
      return false
    }
    excessCount += 1
    guard excesses.count < Self.limit else {
      // Until the end of the run the file has the last span without an end, so that a clock that is bad every second is
      // not written as often.
      let last = Self.limit - 1
      (excesses[last].to, excesses[last].greatest) = (nil, max(excesses[last].greatest, error))
      return excessCount == Self.limit + 1
    }
    excesses.append(TraceMetadata.ClockExcess(from: from, greatest: error))
    return true
  }

  /// Notes that the wall clock is good again.
  /// - Returns: Whether that is new.
  mutating func recover(at time: Int64) -> Bool {
    guard let last = excesses.indices.last, excesses[last].to == nil else { return false }
    excesses[last].to = time
    return excessCount <= Self.limit
  }
}
