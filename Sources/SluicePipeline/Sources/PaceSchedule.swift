/// When each reading of a paced replay is due, in nanoseconds since the first one was.
///
/// It counts from the first reading, so that nothing adds up. A Double has each nanosecond of the first 104 days; of a
/// time since 1970 it would have only each 256th.
struct PaceSchedule {
  private let rate: Double
  private let maxGap: UInt64?
  /// The latest time so far, and how far it is behind the first one, without what was left out of idle stretches.
  private var latest: (time: Int64, age: UInt64)?

  /// - Parameters:
  ///   - rate: Times faster than recorded, above 0.
  ///   - maxGap: Longer distances between the readings count as so many nanoseconds of the trace.
  init(rate: Double, maxGap: Int64? = nil) {
    self.rate = rate
    self.maxGap = maxGap.map { UInt64(clamping: $0) }
  }

  /// - Parameter time: Of the next reading. One that is earlier than another before it is due with that one.
  mutating func due(_ time: Int64) -> Int64 {
    var (before, age) = latest ?? (time, 0)
    if time > before {
      // Two times may lie further apart than an Int64 says.
      let gap = UInt64(bitPattern: time &- before)
      let (sum, isOverflow) = age.addingReportingOverflow(maxGap.map { min(gap, $0) } ?? gap)
      (before, age) = (time, isOverflow ? .max : sum)
    }
    latest = (before, age)
    return Int64(exactly: (Double(age) / rate).rounded()) ?? .max
  }
}
