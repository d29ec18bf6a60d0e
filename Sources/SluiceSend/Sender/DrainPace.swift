/// How fast a backlog is sent: 20 times as fast as readings come, but at least 100,000 readings per second. It is a value.
///
/// Without it, all boards of a site would send as fast as they can when their server is back.
struct DrainPace {
  static let times = 20.0
  static let least = 100_000.0
  private static let second: Int64 = 1_000_000_000

  /// The readings that have come since `began`, and their rate before it.
  private var (count, rate) = (0, 0.0)
  private var began: Int64?
  /// When the next batch may be sent.
  private(set) var next = Int64.min

  /// Readings have come.
  mutating func came(_ readings: Int, at now: Int64) {
    let began = self.began ?? now
    self.began = began
    let age = now - began
    if age >= Self.second {
      (rate, count) = (Double(count) / Double(age) * 1e9, 0)
      self.began = now
    }
    count += readings
  }

  /// Readings are sent.
  mutating func sends(_ readings: Int, at now: Int64) {
    let allowed = max(Self.least, Self.times * max(rate, Double(count)))
    next = max(next, now) + Int64(Double(readings) / allowed * 1e9)
  }
}
