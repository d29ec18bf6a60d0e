import Sluice
import SluiceTesting
import XCTest

final class PrefixUntilOutputTests: XCTestCase {
  func testEndsWithTheOthersFirstValue() {
    let (upstream, stop) = (TestPublisher<Int, Never>(), TestPublisher<String, Boom>())
    let subscriber = TestSubscriber<Int, Never>(initial: .max(5))
    upstream.prefix(untilOutputFrom: stop).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.max(5)])
    XCTAssertEqual(stop.requests, [.max(1)])
    upstream.send(1)
    stop.send("now")
    upstream.send(2)
    XCTAssertEqual(subscriber.values, [1])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(upstream.cancels, 1)
  }

  func testTheOthersEndMeansNothing() {
    let (upstream, stop) = (TestPublisher<Int, Never>(), TestPublisher<String, Boom>())
    let subscriber = TestSubscriber<Int, Never>()
    upstream.prefix(untilOutputFrom: stop).subscribe(subscriber)
    stop.send(completion: .failure(Boom()))
    upstream.send(1)
    XCTAssertNil(subscriber.completion)
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.values, [1])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(stop.cancels, 0)
  }
}
