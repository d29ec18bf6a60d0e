import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

final class ShareTests: XCTestCase {
  /// As everybody writes it: nothing keeps the shared publisher but the subscription.
  func testASharedPublisherThatNobodyKeeps() {
    func check<P: Publisher>(_ name: String, _ make: (PassthroughSubject<Int, Never>) -> P)
    where P.Output == Int, P.Failure == Never {
      let subject = PassthroughSubject<Int, Never>()
      var seen: [Int] = []
      var finished = false
      let cancellable = make(subject).sink(
        receiveCompletion: { _ in finished = true }, receiveValue: { seen.append($0) })
      subject.send(1)
      subject.send(2)
      subject.send(completion: .finished)
      XCTAssertEqual(seen, [1, 2], name)
      XCTAssertTrue(finished, name)
      withExtendedLifetime(cancellable) {}
    }
    check("share") { $0.share() }
    check("share, erased") { $0.share().eraseToAnyPublisher() }
    check("shareReplay") { $0.shareReplay(capacity: 2) }
    check("autoconnect") { $0.multicast { PassthroughSubject() }.autoconnect() }
    check("makeConnectable") { $0.makeConnectable().autoconnect() }
  }

  /// As in CombineExt: what a hot upstream sends before anybody has asked is replayed too.
  func testAReplaySubjectAsksItsUpstreamForEverythingAtOnce() {
    let upstream = TestPublisher<Int, Never>()
    let subject = ReplaySubject<Int, Never>(bufferSize: 2)
    let subscription = upstream.subscribe(subject)
    XCTAssertEqual(upstream.requests, [.unlimited])
    for value in 1...3 { upstream.send(value) }
    let subscriber = TestSubscriber<Int, Never>()
    subject.subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [2, 3])
    subscription.cancel()
  }

  func testOneSubscriptionForAllAndNoneAfterTheLast() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share()
    let (first, second) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>())
    shared.subscribe(first)
    shared.subscribe(second)
    upstream.send(1)
    first.cancel()
    upstream.send(2)
    XCTAssertEqual(upstream.cancels, 0)
    second.cancel()
    XCTAssertEqual(upstream.cancels, 1)
    XCTAssertEqual(first.values, [1])
    XCTAssertEqual(second.values, [1, 2])
    XCTAssertEqual(upstream.requests, [.unlimited])
  }

  func testTheLastSubscriberDisconnectsEvenAfterTheEnd() {
    let upstream = TestPublisher<Int, Never>()
    let multicast = upstream.multicast { PassthroughSubject() }
    final class Counting: ConnectablePublisher {
      typealias Output = Int
      typealias Failure = Never
      let upstream: Publishers.Multicast<TestPublisher<Int, Never>, PassthroughSubject<Int, Never>>
      var disconnected = 0
      init(_ upstream: Publishers.Multicast<TestPublisher<Int, Never>, PassthroughSubject<Int, Never>>) {
        self.upstream = upstream
      }
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        upstream.receive(subscriber: subscriber)
      }
      func connect() -> any Cancellable {
        _ = upstream.connect()
        return AnyCancellable { self.disconnected += 1 }
      }
    }
    let counting = Counting(multicast)
    let shared = counting.autoconnect()
    let subscriber = TestSubscriber<Int, Never>()
    shared.subscribe(subscriber)
    let subscription = subscriber.subscription
    upstream.send(completion: .finished)
    subscription?.cancel()
    XCTAssertEqual(counting.disconnected, 1)
    subscription?.cancel()
    XCTAssertEqual(counting.disconnected, 1)
    withExtendedLifetime(shared) {}
  }

  /// Each connection gives the subject one more upstream, and takes it away again.
  func testManyConnectionsLeaveNothingInTheSubject() {
    final class Source: Publisher {
      typealias Output = Int
      typealias Failure = Never
      nonisolated(unsafe) static var alive = 0  // on one thread
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: Line())
      }
      final class Line: Subscription {
        init() { Source.alive += 1 }
        deinit { Source.alive -= 1 }
        func request(_ demand: Subscribers.Demand) {}
        func cancel() {}
      }
    }
    let subject = PassthroughSubject<Int, Never>()
    weak var first: AnyObject?
    for number in 0..<10 {
      let feeding = Source().subscribe(subject)
      if number == 0 { first = mirrored(subject).first }
      feeding.cancel()
    }
    XCTAssertNil(first)
    XCTAssertLessThanOrEqual(mirrored(subject).count, 1)
    XCTAssertEqual(Source.alive, 0)
  }

  /// The upstreams that a subject keeps.
  private func mirrored<T>(_ subject: PassthroughSubject<T, Never>) -> [AnyObject] {
    subject.broadcast.state.withLock { $0.upstreams.map { $0 as AnyObject } }
  }
}
