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

  /// Nobody will ever ask for anything: the other publisher is not left subscribed to.
  func testAnUpstreamThatEndsWithoutASubscriptionLetsGoOfTheOther() {
    struct Broken: Publisher {
      typealias Output = Int
      typealias Failure = Never
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(completion: .finished)
      }
    }
    let other = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    Broken().prefix(untilOutputFrom: other).subscribe(subscriber)
    XCTAssertEqual(other.cancels, 1)
    XCTAssertEqual(subscriber.violations, [])
    let first = TestPublisher<Int, Never>()
    first.zip(Broken()).map { $0 + $1 }.subscribe(subscriber)
    XCTAssertEqual(first.cancels, 1)
    // The other one may be broken: upstream goes on.
    let upstream = TestPublisher<Int, Never>()
    upstream.prefix(untilOutputFrom: Broken()).subscribe(subscriber)
    upstream.send(1)
    XCTAssertEqual(subscriber.values, [1])
  }

  func testUpstreamIsCancelledBeforeTheOther() {
    var cancelled: [String] = []
    func named(_ name: String) -> some Publisher<Int, Never> {
      PassthroughSubject<Int, Never>().handleEvents(receiveCancel: { cancelled.append(name) })
    }
    named("upstream").prefix(untilOutputFrom: named("other")).sink { _ in }.cancel()
    named("upstream").drop(untilOutputFrom: named("other")).sink { _ in }.cancel()
    named("a").zip(named("b")).sink { _ in }.cancel()
    XCTAssertEqual(cancelled, ["upstream", "other", "upstream", "other", "a", "b"])
  }
}
