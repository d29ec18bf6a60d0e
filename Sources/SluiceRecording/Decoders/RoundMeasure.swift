/// What is known of the rounds of a looped trace, so that further rounds can be compared with the first, and begin behind
/// the one before.
struct RoundMeasure {
  /// More distances than these are not looked at, so that a long trace fills no memory.
  static let limit = 1_023
  /// Between rounds of a trace without two times: one second.
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

  /// From the earliest reading of a round to that of the next: its length, and the median of the distances of its first
  /// readings. Nil if it is too long for a time.
  var period: Int64? {
    let (length, isTooLong) = greatest.subtractingReportingOverflow(least)
    let distance = distances.isEmpty ? Self.standardDistance : distances.sorted()[distances.count / 2]
    let (sum, isOverflow) = length.addingReportingOverflow(distance)
    return isTooLong || isOverflow ? nil : sum
  }

  /// Whether a round had the same readings, as far as one can say without keeping them.
  func fits(_ other: RoundMeasure) -> Bool {
    count == other.count && first == other.first && last == other.last && least == other.least
      && greatest == other.greatest
  }
}
