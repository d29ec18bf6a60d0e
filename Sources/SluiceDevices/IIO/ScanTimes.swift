/// Times of scans that carry none: interpolated, back from the moment at which they were read, by their period.
///
/// Those that one read took came one after the other, while nobody looked. Where the period is not known, or they would
/// begin before the scan before them, they are spread evenly between that one and the read.
struct ScanTimes {
  private let period: Double?
  private var last: Double
  private var step = 0.0

  /// - Parameters:
  ///   - rate: In Hz; nil, or what cannot be a rate, where it is not known.
  ///   - start: Before which there is no scan, in nanoseconds.
  init(rate: Double?, from start: Int64) {
    period = rate.flatMap { $0 > 0 && $0 <= 1e9 && (1e9 / $0).isFinite ? 1e9 / $0 : nil }
    base = start
    last = 0
  }

  /// Where times are counted from: a number of nanoseconds since the epoch has more digits than a `Double` keeps.
  private let base: Int64

  /// The device was set up again: no later scan is older.
  mutating func begin(at start: Int64) { last = max(last, Double(start &- base)) }

  /// So many scans were read.
  /// - Parameters:
  ///   - waiting: How many younger ones are still to be read.
  ///   - moment: Of the read, in nanoseconds.
  ///   - isHeld: They filled the FIFO, beginning after the scan before them, and are older than the read tells.
  mutating func read(_ count: Int, waiting: Int, at moment: Int64, isHeld: Bool = false) {
    guard count > 0 else { return }
    let span = max(0, Double(moment &- base) - last)
    let even = span / Double(count + waiting)
    guard let period, !isHeld else {
      step = min(even, period ?? even)
      return
    }
    let room = span - period * Double(waiting)
    step = min(period, max(0, room / Double(count)))
    // What is not filled by these is before the first of them.
    last += max(0, room - step * Double(count))
  }

  /// The time of the next scan.
  mutating func next() -> Int64 {
    last += step
    return base &+ (Int64(exactly: last.rounded()) ?? .max)
  }
}
