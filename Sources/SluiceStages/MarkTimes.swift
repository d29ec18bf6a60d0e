import SluiceReadings
import Synchronization

/// The times of the marks of a recording, in their order. More may come while it runs.
package final class MarkTimes: Sendable {
  private let times: Mutex<[Int64]>
  /// The number of marks. It is apart, because it is read for each reading.
  private let number: Atomic<Int>

  package init(_ times: [Int64] = []) {
    self.times = Mutex(times.sorted())
    number = Atomic(times.count)
  }

  /// Adds a mark, which is not earlier than the others. Any thread may call it.
  package func add(_ time: Int64) {
    times.withLock { times in
      times.append(time)
      number.store(times.count, ordering: .releasing)
    }
  }

  package var count: Int { number.load(ordering: .acquiring) }

  subscript(index: Int) -> Int64 { times.withLock { $0[index] } }
}
