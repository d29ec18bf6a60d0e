import SluiceTesting
import Synchronization
import XCTest

@testable import Sluice

final class PriorityInheritanceMutexTests: XCTestCase {
  func testOneThreadAtATime() {
    let mutex = PriorityInheritanceMutex(0)
    let inside = Atomic(0)
    let overlaps = Atomic(0)
    onThreads(4) { _ in
      for _ in 0..<5_000 {
        mutex.withLock { value in
          if inside.add(1, ordering: .relaxed).newValue != 1 { overlaps.add(1, ordering: .relaxed) }
          value += 1
          inside.subtract(1, ordering: .relaxed)
        }
      }
    }
    XCTAssertEqual(mutex.withLock { $0 }, 20_000)
    XCTAssertEqual(overlaps.load(ordering: .relaxed), 0)
  }

  func testAnErrorGivesItBack() {
    let mutex = PriorityInheritanceMutex(1)
    XCTAssertThrowsError(
      try mutex.withLock { (value) throws(Boom) in
        value = 2
        throw Boom()
      })
    XCTAssertEqual(mutex.withLock { $0 }, 2)
  }

  func testWhatItHoldsIsReleased() {
    let before = Token.alive
    var mutex: PriorityInheritanceMutex<Token>? = PriorityInheritanceMutex(Token())
    XCTAssertEqual(mutex?.withLock { $0.number }, 0)
    mutex = nil
    XCTAssertEqual(Token.alive, before)
  }
}
