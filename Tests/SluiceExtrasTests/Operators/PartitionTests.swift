import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

final class PartitionTests: XCTestCase {
  func testEachPartGetsItsOwn() {
    let parts = (1...9).publisher.partition(into: 3) { $0 % 3 }
    let subscribers = parts.map { part in
      let subscriber = TestSubscriber<Int, Never>(initial: .none)
      part.subscribe(subscriber)
      return subscriber
    }
    for subscriber in subscribers { subscriber.request(.unlimited) }
    XCTAssertEqual(subscribers.map(\.values), [[3, 6, 9], [1, 4, 7], [2, 5, 8]])
    XCTAssertTrue(subscribers.allSatisfy(\.isFinished))
  }

  func testNoMoreIsAskedForThanEveryPartWants() {
    let upstream = TestPublisher<Int, Never>()
    let parts = upstream.partition(into: 2) { $0 % 2 }
    let (even, odd) = (TestSubscriber<Int, Never>(initial: .max(2)), TestSubscriber<Int, Never>(initial: .none))
    parts[0].subscribe(even)
    parts[1].subscribe(odd)
    XCTAssertEqual(upstream.requests, [])
    odd.request(.max(1))
    XCTAssertEqual(upstream.requests, [.max(1)])
    XCTAssertEqual(upstream.send(2), .max(1), "each part wants one more")
    odd.request(.max(5))
    XCTAssertEqual(upstream.requests, [.max(1)], "the even part still wants but one")
    XCTAssertEqual(upstream.send(4), .none)
    XCTAssertEqual(even.values, [2, 4])
    even.cancel()
    XCTAssertEqual(upstream.requests.last, .max(6), "a part that is cancelled no longer counts")
    XCTAssertEqual(upstream.cancels, 0)
    odd.cancel()
    XCTAssertEqual(upstream.cancels, 1)
    XCTAssertEqual(even.violations + odd.violations, [])
  }

  func testAFailureReachesAll() {
    let upstream = TestPublisher<Int, Boom>()
    let subscribers = upstream.partition(into: 2) { $0 }.map { part in
      let subscriber = TestSubscriber<Int, Boom>()
      part.subscribe(subscriber)
      return subscriber
    }
    upstream.send(7)
    upstream.send(completion: .failure(Boom()))
    XCTAssertEqual(subscribers.map(\.failure), [Boom(), Boom()])
    XCTAssertEqual(subscribers.map(\.values), [[], []])
  }
}
