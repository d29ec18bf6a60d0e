import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// As in CombineExt: the other's value alone, and upstream waits for it.
final class WithLatestFromTests: XCTestCase {
  func testUpstreamIsAskedOnceTheOtherHasSpoken() {
    let (upstream, other) = (TestPublisher<Int, Never>(), TestPublisher<String, Never>())
    let subscriber = TestSubscriber<String, Never>(initial: .max(2))
    upstream.withLatestFrom(other).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [])
    XCTAssertEqual(other.requests, [.unlimited])
    other.send("a")
    XCTAssertEqual(upstream.requests, [.max(2)])
    upstream.send(1)
    other.send("b")
    upstream.send(2)
    XCTAssertEqual(subscriber.values, ["a", "b"])
    XCTAssertEqual(subscriber.violations, [])
  }

  func testAColdUpstreamLosesNothing() {
    let other = PassthroughSubject<String, Never>()
    let subscriber = TestSubscriber<String, Never>()
    (1...2).publisher.withLatestFrom(other) { "\($0)\($1)" }.subscribe(subscriber)
    other.send("a")
    XCTAssertEqual(subscriber.values, ["1a", "2a"])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testTheOthersEnd() {
    let (upstream, other) = (TestPublisher<Int, Boom>(), TestPublisher<String, Boom>())
    let subscriber = TestSubscriber<String, Boom>()
    upstream.withLatestFrom(other).subscribe(subscriber)
    other.send("a")
    other.send(completion: .finished)
    upstream.send(1)
    XCTAssertEqual(subscriber.values, ["a"])
    XCTAssertNil(subscriber.completion)

    let silent = TestSubscriber<Int, Boom>()
    let first = TestPublisher<Int, Boom>()
    first.withLatestFrom(Empty<Int, Boom>()).subscribe(silent)
    XCTAssertTrue(silent.isFinished, "nothing can ever come")
    XCTAssertEqual(first.cancels, 1)

    let failing = TestSubscriber<Int, Boom>()
    TestPublisher<Int, Boom>().withLatestFrom(Fail<Int, Boom>(error: Boom())).subscribe(failing)
    XCTAssertEqual(failing.failure, Boom())
  }
}
