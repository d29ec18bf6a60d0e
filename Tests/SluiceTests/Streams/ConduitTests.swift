import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// What all conduits have in common, shown with a subject.
final class ConduitTests: XCTestCase {
  func testARequestWhileSubscribingIsAnsweredAtOnce() {
    var log: [String] = []
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: {
        log.append("asks")
        $0.request(.max(1))
        log.append("has asked")
      },
      receiveValue: {
        log.append("value \($0)")
        return .none
      })
    CurrentValueSubject<Int, Never>(7).subscribe(subscriber)
    XCTAssertEqual(log, ["asks", "value 7", "has asked"])
  }

  func testCancellingWhileSubscribingLetsGoOfEverything() {
    let before = Token.alive
    let subject = CurrentValueSubject<Token, Never>(Token())
    var subscription: (any Subscription)?
    for asksFirst in [false, true] {
      var values = 0
      subject.subscribe(
        AnySubscriber(
          receiveSubscription: { [token = Token()] in
            subscription = $0
            if asksFirst { $0.request(.max(1)) }
            $0.cancel()
            $0.request(.max(1))
            withExtendedLifetime(token) {}
          },
          receiveValue: { _ in
            values += 1
            return .none
          }))
      XCTAssertEqual(values, asksFirst ? 1 : 0)
      XCTAssertEqual(Token.alive, before + 1, "the subject's own value")
    }
    withExtendedLifetime(subscription) {}
  }

  func testASubscriptionShowsWhatWasStillWantedAtTheEnd() {
    func children(_ subscription: (any Subscription)?) -> [String] {
      subscription.map { Mirror(reflecting: $0).children.map { "\($0.label ?? "_") \($0.value)" } } ?? []
    }
    for cancels in [false, true] {
      let subject = PassthroughSubject<Int, Never>()
      var subscription: (any Subscription)?
      subject.subscribe(
        AnySubscriber(receiveSubscription: {
          subscription = $0
          $0.request(.max(3))
        }))
      subject.send(1)
      XCTAssertEqual(children(subscription)[2], "demand max(2)")
      if cancels { subscription?.cancel() } else { subject.send(completion: .finished) }
      XCTAssertEqual(children(subscription), ["parent nil", "downstream nil", "demand max(2)", "subject nil"])
    }
  }

  func testAnUpstreamIsAskedAfterTheRequestToAnotherHasReturned() {
    let (a, b) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    let subscriber = TestSubscriber<(Int, Int), Never>(initial: .none)
    a.zip(b).subscribe(subscriber)
    a.onRequest = { _ in
      a.send(1)
      XCTAssertEqual(b.requests, [])
    }
    subscriber.request(.max(1))
    XCTAssertEqual(b.requests, [.max(1)])
  }

  func testAWaitingRequestIsNotMadeAfterACancel() {
    let (a, b) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    let subscriber = TestSubscriber<(Int, Int), Never>(initial: .none)
    a.zip(b).subscribe(subscriber)
    a.onRequest = { _ in
      a.send(1)
      subscriber.cancel()
    }
    subscriber.request(.max(1))
    XCTAssertEqual(b.requests, [])
    XCTAssertEqual(b.cancels, 1)
  }

  func testANewUpstreamDoesNotGetTheWaitingRequestOfTheOldOne() {
    let upstream = PassthroughSubject<TestPublisher<Int, Never>, Never>()
    let (a, b, c) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    upstream.flatMap { $0 }.subscribe(subscriber)
    upstream.send(a)
    upstream.send(b)
    a.send(1)
    b.send(2)
    a.onRequest = { _ in
      a.onRequest = nil
      a.send(3)
      b.send(completion: .finished)
      upstream.send(c)
    }
    subscriber.request(.max(4))
    XCTAssertEqual(subscriber.values, [1, 2, 3])
    XCTAssertEqual(b.requests, [.max(1)])
    XCTAssertEqual(c.requests, [.max(1)])
  }

  func testARequestOnOneThreadKeepsNoneWaitingOnAnother() {
    let (a, b) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    let subscriber = TestSubscriber<(Int, Int), Never>(initial: .none)
    a.zip(b).subscribe(subscriber)
    let (asked, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    a.onRequest = { _ in
      a.onRequest = nil
      asked.signal()
      XCTAssertEqual(goesOn.wait(timeout: .now() + 60), .success)
      a.send(1)
    }
    onThreads(2) { number in
      guard number == 1 else { return subscriber.request(.max(1)) }
      XCTAssertEqual(asked.wait(timeout: .now() + 60), .success)
      subscriber.request(.max(1))
      XCTAssertEqual(b.demand, .max(2))
      goesOn.signal()
    }
    XCTAssertEqual(a.demand, .max(2))
    XCTAssertEqual(b.demand, .max(2))
  }

  /// The timer has no inlet, because the first inner publisher would take it over.
  func testATimerBesideInputsThatComeLater() {
    let time = VirtualTimeScheduler()
    let (upstream, inner) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    let subscriber = TestSubscriber<Int, Never>()
    let core = LastCore(due: time.now.advanced(by: .seconds(1)))
    let conduit = Operators.Conduit("Last", core, subscriber, on: time, every: .seconds(1))
    conduit.open()
    upstream.subscribe(Operators.DynamicInlet(conduit) { _ in inner })
    upstream.send(1)
    inner.send(5)
    XCTAssertEqual(subscriber.values, [])
    time.advance(by: .seconds(1))
    XCTAssertEqual(subscriber.values, [5])
    XCTAssertEqual(inner.cancels, 0)
    subscriber.cancel()
    XCTAssertEqual([upstream.cancels, inner.cancels], [1, 1])
    XCTAssertEqual(time.scheduledCount, 0)
  }
}

/// Delivers at a certain time the last value that any of its publishers has sent.
private struct LastCore<Instant: Strideable>: Operators.DynamicCore, Operators.ScheduledCore {
  struct NewPort: Operators.Port {
    let inlet: Int
    func receive(_ input: Int, _ core: inout LastCore) { core.last = input }
    func receive(completion: Subscribers.Completion<Never>, _ core: inout LastCore) {}
  }
  typealias Output = Int
  typealias Failure = Never
  let due: Instant
  var last: Int?
  var isAsked = false
  var isDue = false

  func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }
  mutating func request(_ more: Subscribers.Demand) {}
  mutating func add() -> NewPort { NewPort(inlet: 1) }
  mutating func receive(completion: Subscribers.Completion<Never>) {}
  mutating func turn(_ turn: Operators.Turn<Instant>, at now: Instant, drains: Bool) { isDue = true }
  mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if isDue, let value = last.take() { return out.deliver(value) }
    if isAsked { return nil }
    isAsked = true
    return out.perform(.after(due))
  }
}
