import DequeModule
import HeapModule
import SluiceReadings
import Synchronization

/// Sorts readings by their times if they are out of order by no more than a window. Readings of the same time keep
/// their order.
///
/// A reading is passed on when a reading comes that is later by more than the window. A reading that comes after a
/// later one was passed on is late, as in `MergeByTime`. It is flagged and passed on at once.
struct TimeOrder {
  /// The largest number of readings that wait: 8 MB if they have up to eight values.
  static let limit = 65_536

  private struct Entry: Comparable {
    let number: Int  // in the order of arrival
    let reading: Reading

    static func < (a: Entry, b: Entry) -> Bool {
      a.reading.time == b.reading.time ? a.number < b.number : a.reading.time < b.reading.time
    }
    static func == (a: Entry, b: Entry) -> Bool { a.number == b.number }
  }

  private let window: Int64
  private let limit: Int
  private let counts: ReorderCounts
  private var held = Heap<Entry>()
  private var arrivals = 0
  /// The latest time received, and the latest time passed on.
  private var shown: Int64?
  private var released: Int64?
  /// Readings in order, ready to be passed on.
  var ready: Deque<Reading> = []

  /// - Parameter window: The window in nanoseconds, above 0.
  init(window: Int64, limit: Int = Self.limit, counts: ReorderCounts = ReorderCounts()) {
    self.window = window
    self.limit = limit
    self.counts = counts
  }

  mutating func add(_ reading: Reading) {
    if let released, reading.time < released {
      counts.late.add(1, ordering: .relaxed)
      var late = reading
      late.flags.insert(.late)
      ready.append(late)
      return
    }
    if let shown, reading.time < shown { counts.moved.add(1, ordering: .relaxed) }
    let shown = max(shown ?? reading.time, reading.time)
    self.shown = shown
    arrivals += 1
    held.insert(Entry(number: arrivals, reading: reading))
    // Below the smallest possible time there is nothing to pass on.
    let (end, isOverflow) = shown.subtractingReportingOverflow(window)
    if !isOverflow { while let first = held.min, first.reading.time <= end { releaseFirst() } }
    while held.count > limit {
      counts.early.add(1, ordering: .relaxed)
      releaseFirst()
    }
  }

  /// Passes on everything, at the end of the input.
  mutating func finish() { while !held.isEmpty { releaseFirst() } }

  private mutating func releaseFirst() {
    guard let entry = held.popMin() else { return }
    released = entry.reading.time
    ready.append(entry.reading)
  }
}
