/// Interpolates the times of scans without times, by their period, back from the time of the read.
///
/// The scans of one read came one after the other, unobserved. If the period is not known, or if the first of them
/// would be before the previous scan, they are spread evenly between that scan and the read.
struct ScanTimes {
  private let period: Double?
  private var last: Double
  private var step = 0.0

  /// - Parameters:
  ///   - rate: Scans per second; nil or an impossible rate if it is not known.
  ///   - start: The time in nanoseconds before which there is no scan.
  init(rate: Double?, from start: Int64) {
    period = rate.flatMap { $0 > 0 && $0 <= 1e9 && (1e9 / $0).isFinite ? 1e9 / $0 : nil }
    base = start
    last = 0
  }

  /// The origin of times. Nanoseconds since the epoch have more digits than a `Double` can keep.
  private let base: Int64

  /// Call it when the device was set up again. No later scan is older.
  mutating func begin(at start: Int64) { last = max(last, Double(start &- base)) }

  /// Call it after each read, with the number of scans.
  /// - Parameters:
  ///   - waiting: The number of younger scans that are still to be read.
  ///   - moment: The time of the read, in nanoseconds.
  ///   - isHeld: Whether they filled the FIFO right after the previous scan, so that they are older than the read
  ///     suggests.
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
    // Time that these scans do not fill comes before the first of them.
    last += max(0, room - step * Double(count))
  }

  /// The time of the next scan.
  mutating func next() -> Int64 {
    last += step
    return base &+ (Int64(exactly: last.rounded()) ?? .max)
  }
}
