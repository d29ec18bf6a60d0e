import Dispatch
import Sluice
import SluiceTesting
import Synchronization
import XCTest

final class OnThreadsTests: XCTestCase {
  /// Each waits for all the others, which comes to an end only if none has to wait for a processor of its own.
  func testAllRunAtOnceHoweverFewProcessorsThereAre() {
    let count = 16
    let arrived = Atomic(0)
    let met = Atomic(0)
    let deadline = DispatchTime.now() + 60
    onThreads(count) { _ in
      arrived.add(1, ordering: .sequentiallyConsistent)
      while arrived.load(ordering: .sequentiallyConsistent) < count, DispatchTime.now() < deadline { sched_yield() }
      if arrived.load(ordering: .sequentiallyConsistent) == count { met.add(1, ordering: .sequentiallyConsistent) }
    }
    XCTAssertEqual(met.load(ordering: .sequentiallyConsistent), count)
  }

  func testEachNumberOnce() {
    let numbers = Locked(Set<Int>())
    onThreads(5) { number in numbers.withLock { _ = $0.insert(number) } }
    XCTAssertEqual(numbers.withLock { $0 }, [0, 1, 2, 3, 4])
  }
}
