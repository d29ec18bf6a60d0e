/// The sequence numbers of an epoch that have come, by the run that has numbered the readings.
///
/// A run gives each number once. So a reading is known by its epoch, run and number. What comes twice is told from what
/// another run has numbered alike, with a copy of the spool or with one that was restored.
struct LandedEpoch: Equatable, Sendable {
  private struct Run: Equatable {
    var numbers = NumberRanges()
    /// The count of messages at its last one.
    var latest = 0
  }

  /// By the random number of the run; empty for rows of which it is not known.
  private var runs: [String: Run] = [:]
  /// The numbers of all runs, also of those that were forgotten.
  private var all = NumberRanges()
  /// The number behind the last reading, as the board says it at its end; 0 before that.
  var end: UInt64 = 0
  /// The count of the board's messages at its last one.
  private(set) var latest = 0
  /// The ranges of all sets.
  private(set) var rangeCount = 0

  var runCount: Int { runs.count }

  /// The name of all runs that were forgotten. No run has it.
  private static let forgotten = "-"

  /// The numbers of each run, in the order of their last messages.
  var numbers: [(run: String, numbers: NumberRanges)] {
    runs.sorted { ($0.value.latest, $0.key) < ($1.value.latest, $1.key) }.map { ($0.key, $0.value.numbers) }
  }

  /// The numbers of which nobody knows the run.
  private var unknown: NumberRanges {
    var unknown = runs[""]?.numbers ?? NumberRanges()
    for range in runs[Self.forgotten]?.numbers.ranges ?? [] { unknown.insert(range) }
    return unknown
  }

  /// The numbers that have not come from this run.
  func missing(_ numbers: Range<UInt64>, of run: String) -> [Range<UInt64>] {
    runs[run]?.numbers.missing(numbers) ?? [numbers]
  }

  /// Whether it needs more memory with these numbers.
  func grows(with numbers: Range<UInt64>, of run: String) -> Bool {
    guard let known = runs[run]?.numbers else { return true }
    return known.grows(with: numbers) || all.grows(with: numbers)
  }

  /// Adds numbers of a run.
  /// - Parameter message: The count of the board's messages.
  /// - Returns: How many of the numbers are new for this run, and had come from another one that is known.
  mutating func insert(_ numbers: Range<UInt64>, of run: String, message: Int) -> Int {
    let new = missing(numbers, of: run)
    let before = (runs[run]?.numbers.ranges.count ?? 0) + all.ranges.count
    let others = new.flatMap { all.present($0) }
    let unknown = others.isEmpty ? NumberRanges() : self.unknown
    let shared = others.flatMap { unknown.missing($0) }
    runs[run, default: Run()].numbers.insert(numbers)
    runs[run]?.latest = message
    all.insert(numbers)
    latest = message
    rangeCount += (runs[run]?.numbers.ranges.count ?? 0) + all.ranges.count - before
    return shared.reduce(0) { $0 + $1.count }
  }

  /// Makes one of the runs without a message for the longest time. A reading of them that comes again is taken for a new one.
  mutating func forgetRuns(but most: Int) {
    for (run, state) in runs.sorted(by: { ($0.value.latest, $0.key) < ($1.value.latest, $1.key) }).dropLast(most)
    where run != Self.forgotten {
      runs[run] = nil
      for range in state.numbers.ranges { runs[Self.forgotten, default: Run()].numbers.insert(range) }
    }
    rangeCount = runs.values.reduce(all.ranges.count) { $0 + $1.numbers.ranges.count }
  }

  /// The numbers that are missing. If two runs have used the same numbers, a gap of the one is not filled by the other.
  var gaps: [Range<UInt64>] {
    var found = all.gaps(before: end)
    let unknown = self.unknown
    for (run, state) in runs where !run.isEmpty && run != Self.forgotten {
      let ranges = state.numbers.ranges
      for (before, after) in zip(ranges, ranges.dropFirst()) {
        found += unknown.missing(before.upperBound..<after.lowerBound)
      }
    }
    var gaps = NumberRanges()
    // In their order, each insertion is at the end.
    for gap in found.sorted(by: { $0.lowerBound < $1.lowerBound }) { gaps.insert(gap) }
    return gaps.ranges
  }
}
