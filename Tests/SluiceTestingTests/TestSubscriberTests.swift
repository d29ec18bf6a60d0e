import Sluice
import SluiceTesting
import XCTest

/// What the subscriber notices of an upstream that goes on after it was cancelled.
final class TestSubscriberTests: XCTestCase {
  private let upstream = TestPublisher<Int, Never>()

  func testNothingIsWrongBeforeACancellation() {
    let subscriber = TestSubscriber<Int, Never>()
    upstream.subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .finished)
    subscriber.cancel()
    XCTAssertEqual(subscriber.callsAfterCancel, 0)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testEverythingOnTheThreadThatCancelled() {
    let subscriber = TestSubscriber<Int, Never>()
    upstream.subscribe(subscriber)
    subscriber.cancel()
    upstream.send(1)
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.callsAfterCancel, 2)
    XCTAssertEqual(
      subscriber.violations,
      [
        "a value after the cancellation, on the thread that cancelled",
        "a completion after the cancellation, on the thread that cancelled",
      ])
  }

  func testEverythingButTheFirstOnAnotherThread() {
    let subscriber = TestSubscriber<Int, Never>()
    upstream.subscribe(subscriber)
    subscriber.cancel()
    onThreads(1) { [upstream] _ in upstream.send(1) }
    XCTAssertEqual(subscriber.violations, [])
    onThreads(1) { [upstream] _ in upstream.send(completion: .finished) }
    XCTAssertEqual(subscriber.violations, ["a completion after the cancellation, and not the first"])
  }

  func testEverythingAfterACancellationFromWithin() {
    var subscriber: TestSubscriber<Int, Never>?
    subscriber = TestSubscriber { _ in
      subscriber?.cancel()
      return .none
    }
    subscriber.map { upstream.subscribe($0) }
    upstream.send(1)
    XCTAssertEqual(subscriber?.violations, [])
    onThreads(1) { [upstream] _ in upstream.send(completion: .finished) }
    XCTAssertEqual(subscriber?.violations, ["a completion after the cancellation from within"])
    subscriber = nil
  }
}
