/// The time when each reading of a replay with a rate is due, in nanoseconds after the first reading.
///
/// It counts from the first reading, so that errors do not add up. A Double is exact to a nanosecond for 104 days. For
/// a time since 1970 it would be exact only to 256 ns.
struct PaceSchedule {
  private let rate: Double
  private let maxGap: UInt64?
  /// The latest time so far, and its distance to the first one, after long gaps were shortened.
  private var latest: (time: Int64, age: UInt64)?

  /// - Parameters:
  ///   - rate: Times faster than recorded, above 0.
  ///   - maxGap: The longest interval between readings that counts, in nanoseconds of the trace.
  init(rate: Double, maxGap: Int64? = nil) {
    self.rate = rate
    self.maxGap = maxGap.map { UInt64(clamping: $0) }
  }

  /// - Parameter time: The time of the next reading. If it goes back, the reading is due with the latest one before it.
  mutating func due(_ time: Int64) -> Int64 {
    var (before, age) = latest ?? (time, 0)
    if time > before {
      // The distance of two times may not fit in an Int64.
      let gap = UInt64(bitPattern: time &- before)
      let (sum, isOverflow) = age.addingReportingOverflow(maxGap.map { min(gap, $0) } ?? gap)
      (before, age) = (time, isOverflow ? .max : sum)
    }
    latest = (before, age)
    return Int64(exactly: (Double(age) / rate).rounded()) ?? .max
  }
}
