import SluiceReadings

/// The pace of a replay with a rate, and its late readings.
public struct PaceAccount: Hashable, Sendable {
  /// Times faster than recorded.
  public var rate: Double
  /// Readings that were delivered more than ``tolerance`` late.
  public var late = 0
  /// The longest delay of a reading, in nanoseconds.
  public var greatestLateness: Int64 = 0

  /// The longest delay of a reading that is not late: 1 ms, in nanoseconds.
  public static let tolerance: Int64 = 1_000_000

  package init(rate: Double) { self.rate = rate }

  mutating func add(lateness: Int64) {
    if lateness > Self.tolerance { late += 1 }
    greatestLateness = max(greatestLateness, lateness)
  }

  /// `2 readings came more than 1 ms late, 13.20 ms at most`
  var text: String {
    "\(late == 0 ? "no" : grouped(late)) reading\(late == 1 ? "" : "s") came more than 1 ms late"
      + (late == 0 ? "" : ", \(grouped(Double(greatestLateness) / 1e6, 2)) ms at most")
  }
}

extension PaceAccount: Codable {
  private enum CodingKeys: String, CodingKey {
    case rate, late
    case greatestLateness = "greatest_lateness_ns"
  }
}
