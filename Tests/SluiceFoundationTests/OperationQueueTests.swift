import Foundation
import SluiceFoundation
import SluiceTesting
import XCTest

@testable import Sluice

final class OperationQueueTests: XCTestCase {
  private let queue = OperationQueue()

  /// Waits for the queue to be empty, though not for ever.
  private func waitUntilFinished(_ message: String) {
    let finished = expectation(description: message)
    DispatchQueue.global().async { [queue] in
      queue.waitUntilAllOperationsAreFinished()
      finished.fulfill()
    }
    wait(for: [finished], timeout: 60)
  }

  func testASerialQueueKeepsTheOrder() {
    queue.maxConcurrentOperationCount = 1
    let done = expectation(description: "all")
    let subscriber = TestSubscriber<Int, Never>(ended: { _ in done.fulfill() })
    (0..<1_000).publisher.receive(on: queue).subscribe(subscriber)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(subscriber.values, Array(0..<1_000))
    XCTAssertEqual(subscriber.violations, [])
  }

  func testTheQueueHasNotFinishedBeforeWhatIsDueLaterHasRun() {
    let ran = Locked(0)
    let due = queue.now.advanced(by: .milliseconds(20))
    queue.schedule(after: due) { [queue] in
      XCTAssertGreaterThanOrEqual(queue.now, due.advanced(by: .milliseconds(-1)), "the clocks differ by a little")
      ran.withLock { $0 += 1 }
    }
    let operation = queue.operations.first
    XCTAssertEqual(operation?.isReady, false)
    waitUntilFinished("it has run")
    XCTAssertEqual(ran.withLock { $0 }, 1)
    operation?.main()
    XCTAssertEqual(ran.withLock { $0 }, 1, "once")
  }

  func testRepeatsUntilItIsCancelled() {
    let third = expectation(description: "three times")
    let count = Locked(0)
    let repetition = Locked((any Cancellable)?.none)
    queue.isSuspended = true
    let cancellable = queue.schedule(after: queue.now, interval: .milliseconds(2)) {
      let now = count.withLock { count in
        count += 1
        return count
      }
      guard now == 3 else { return }
      repetition.withLock { $0 }?.cancel()
      third.fulfill()
    }
    repetition.withLock { $0 = cancellable }
    queue.isSuspended = false
    wait(for: [third], timeout: 60)
    waitUntilFinished("nothing waits")
    XCTAssertEqual(count.withLock { $0 }, 3)
  }

  func testWhatIsCancelledLeavesTheQueueAtOnce() {
    let future = queue.schedule(after: queue.now.advanced(by: .seconds(.infinity)), interval: 1) {
      XCTFail("before its time")
    }
    XCTAssertEqual(queue.operationCount, 1, "the one that waits for ever")
    future.cancel()
    waitUntilFinished("nothing waits")
  }

  func testTheQueueCanEndWhatRepeatsItself() {
    let ran = expectation(description: "ran")
    ran.assertForOverFulfill = false
    let repetition = queue.schedule(after: queue.now, interval: .milliseconds(1)) { ran.fulfill() }
    wait(for: [ran], timeout: 60)
    queue.cancelAllOperations()
    waitUntilFinished("nothing waits")
    repetition.cancel()
  }

  /// All operations are cancelled in the moment before the next one is in the queue.
  func testACancelBeforeTheNextIsAddedEndsIt() {
    final class CancellingQueue: OperationQueue, @unchecked Sendable {
      // The lock protects it.
      let added = Locked(0)

      override func addOperation(_ operation: Operation) {
        let count = added.withLock { added in
          added += 1
          return added
        }
        if count == 2 { cancelAllOperations() }
        super.addOperation(operation)
      }
    }
    let queue = CancellingQueue()
    let repetition = queue.schedule(after: queue.now, interval: .milliseconds(1)) {}
    let finished = expectation(description: "nothing waits")
    DispatchQueue.global().async {
      queue.waitUntilAllOperationsAreFinished()
      finished.fulfill()
    }
    wait(for: [finished], timeout: 60)
    XCTAssertEqual(queue.added.withLock { $0 }, 2)
    repetition.cancel()
  }

  func testTheNextDoesNotBeginBeforeTheLastHasEnded() {
    let entered = DispatchSemaphore(value: 0)
    let leave = DispatchSemaphore(value: 0)
    let running = Locked(0)
    let repetition = queue.schedule(after: queue.now, interval: .nanoseconds(1)) {
      XCTAssertEqual(
        running.withLock { running in
          running += 1
          return running
        }, 1)
      entered.signal()
      leave.wait()
      running.withLock { $0 -= 1 }
    }
    for _ in 1...20 {
      XCTAssertEqual(entered.wait(timeout: .now() + 60), .success)
      XCTAssertEqual(queue.operations.filter { !$0.isReady }.count, 1, "the next waits for it")
      leave.signal()
    }
    XCTAssertEqual(entered.wait(timeout: .now() + 60), .success)
    repetition.cancel()
    leave.signal()
    waitUntilFinished("nothing waits")
  }

  func testLetsGoOfTheActionWhenCancelled() {
    weak var weakToken: NSObject?
    do {
      let token = NSObject()
      weakToken = token
      let repetition = queue.schedule(after: queue.now.advanced(by: 3_600), interval: 1) { _ = token }
      repetition.cancel()
    }
    waitUntilFinished("nothing waits")
    XCTAssertNil(weakToken)
  }
}
