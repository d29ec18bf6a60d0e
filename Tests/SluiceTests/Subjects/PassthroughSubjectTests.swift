import Sluice
import SluiceTesting
import XCTest

final class PassthroughSubjectTests: XCTestCase {
  func testOnlyWhoeverAskedGetsIt() {
    let subject = PassthroughSubject<Int, Never>()
    let (all, two) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>(initial: .max(2)))
    subject.send(0)
    subject.subscribe(all)
    subject.subscribe(two)
    for value in 1...3 { subject.send(value) }
    XCTAssertEqual(all.values, [1, 2, 3])
    XCTAssertEqual(two.values, [1, 2])
  }

  func testALateSubscriberGetsTheEnd() {
    let subject = PassthroughSubject<Int, Boom>()
    subject.send(completion: .failure(Boom()))
    subject.send(1)
    subject.send(completion: .finished)
    let subscriber = TestSubscriber<Int, Boom>()
    subject.subscribe(subscriber)
    XCTAssertTrue(subscriber.isSubscribed)
    XCTAssertEqual(subscriber.failure, Boom())
    XCTAssertEqual(subscriber.values, [])
  }

  func testAsksItsUpstreamOnlyWhenSomebodyAsks() {
    let upstream = TestPublisher<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    upstream.subscribe(AnySubscriber(subject))
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    subject.subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [])
    subscriber.request(.max(1))
    subscriber.request(.max(1))
    XCTAssertEqual(upstream.requests, [.unlimited])
  }

  func testCancelsItsUpstreamWhenItGoes() {
    let upstream = TestPublisher<Int, Never>()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    subject?.send(subscription: subscription(of: upstream))
    XCTAssertEqual(upstream.cancels, 0)
    subject = nil
    XCTAssertEqual(upstream.cancels, 1)
  }

  private func subscription(of upstream: TestPublisher<Int, Never>) -> any Subscription {
    var taken: (any Subscription)?
    upstream.subscribe(AnySubscriber<Int, Never>(receiveSubscription: { taken = $0 }))
    return taken ?? Subscriptions.empty
  }

  func testSentFromWithinComesAfter() {
    let subject = PassthroughSubject<Int, Never>()
    let first = TestSubscriber<Int, Never> {
      if $0 < 3 { subject.send($0 + 1) }
      return .none
    }
    subject.subscribe(first)
    subject.send(1)
    XCTAssertEqual(first.values, [1, 2, 3])
    XCTAssertEqual(first.violations, [])
  }

  func testCancellingFromWithin() {
    let subject = PassthroughSubject<Int, Never>()
    var subscriber: TestSubscriber<Int, Never>?
    subscriber = TestSubscriber {
      if $0 == 2 { subscriber?.cancel() }
      return .none
    }
    subject.subscribe(subscriber!)
    for value in 1...4 { subject.send(value) }
    XCTAssertEqual(subscriber?.values, [1, 2])
  }
}
