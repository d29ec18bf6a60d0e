/// The length and the readings of a round, so that later rounds can be compared with the first and begin after the
/// previous round.
struct RoundMeasure {
  /// The number of intervals that are kept, so that memory does not grow with the trace.
  static let limit = 1_023
  /// The interval between rounds if the trace has only one time: one second.
  static let standardDistance: Int64 = 1_000_000_000

  private(set) var count = 0
  private(set) var first: Int64?
  private(set) var last: Int64?
  private var least = Int64.max
  private var greatest = Int64.min
  private var distances: [Int64] = []

  mutating func add(_ time: Int64) {
    count += 1
    if let last, distances.count < Self.limit, time > last {
      let (distance, isOverflow) = time.subtractingReportingOverflow(last)
      if !isOverflow { distances.append(distance) }
    }
    first = first ?? time
    last = time
    least = min(least, time)
    greatest = max(greatest, time)
  }

  /// The time from the first reading of a round to that of the next round: the length of the round plus the median of
  /// its first intervals. Nil if it does not fit in a time.
  var period: Int64? {
    let (length, isTooLong) = greatest.subtractingReportingOverflow(least)
    let distance = distances.isEmpty ? Self.standardDistance : distances.sorted()[distances.count / 2]
    let (sum, isOverflow) = length.addingReportingOverflow(distance)
    return isTooLong || isOverflow ? nil : sum
  }

  /// Whether a round had the same number of readings with the same times. The readings themselves are not kept.
  func fits(_ other: RoundMeasure) -> Bool {
    count == other.count && first == other.first && last == other.last && least == other.least
      && greatest == other.greatest
  }
}
