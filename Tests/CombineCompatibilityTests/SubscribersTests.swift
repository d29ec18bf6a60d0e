import Sluice
import XCTest

final class SubscribersTests: XCTestCase {
  func testDemand() {
    var demand: Subscribers.Demand = .none
    demand += 2
    demand += .max(3)
    XCTAssertEqual(demand, .max(5))
    XCTAssertTrue(demand == 5 && 5 == demand && demand > 4 && demand <= .unlimited && demand != .none)
    demand -= 1
    demand *= 2
    XCTAssertEqual(demand.max, 8)
    XCTAssertEqual(demand - .max(3), .max(5))
    XCTAssertEqual(demand + .unlimited, .unlimited)
    XCTAssertNil((.unlimited - Subscribers.Demand.max(1)).max)
    XCTAssertEqual("\(Subscribers.Demand.max(1)) \(Subscribers.Demand.unlimited)", "max(1) unlimited")
    XCTAssertEqual(Set([Subscribers.Demand.none, .max(0)]).count, 1)
  }

  func testCompletion() {
    let finished: Subscribers.Completion<TestError> = .finished
    XCTAssertNotEqual(finished, .failure(.first))
    if case .failure(let error) = Subscribers.Completion<TestError>.failure(.second) {
      XCTAssertEqual(error, .second)
    } else {
      XCTFail("no failure")
    }
  }

  func testAnySubscriber() {
    var log: [String] = []
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { subscription in subscription.request(.max(1)) },
      receiveValue: { value -> Subscribers.Demand in
        log.append("\(value)")
        return value < 3 ? .max(1) : .none
      },
      receiveCompletion: { log.append("\($0)") })
    (1...5).publisher.subscribe(subscriber)
    XCTAssertEqual(log, ["1", "2", "3"])
    let erased: AnySubscriber<Int, Never> = AnySubscriber(
      Subscribers.Sink<Int, Never>(
        receiveCompletion: { _ in }, receiveValue: { log.append("sink \($0)") }))
    Just(4).receive(subscriber: erased)
    XCTAssertEqual(log.last, "sink 4")
    XCTAssertNotEqual(subscriber.combineIdentifier, erased.combineIdentifier)
  }

  func testAnyCancellable() {
    var count = 0
    do {
      let cancellable = AnyCancellable { count += 1 }
      XCTAssertEqual(Set([cancellable, cancellable]).count, 1)
    }
    XCTAssertEqual(count, 1)
    struct Canceller: Cancellable {
      let onCancel: () -> Void
      func cancel() { onCancel() }
    }
    var array: [AnyCancellable] = []
    var set = Set<AnyCancellable>()
    Canceller { count += 10 }.store(in: &array)
    AnyCancellable(Canceller { count += 100 }).store(in: &set)
    array.removeAll()
    set.forEach { $0.cancel() }
    set.removeAll()
    XCTAssertEqual(count, 111)
  }

  func testSinkAndAssignByHand() {
    final class Box {
      var value = 0
    }
    let box = Box()
    var values: [Int] = []
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
    [1, 2].publisher.subscribe(sink)
    sink.receiveValue(3)
    XCTAssertEqual(values.prefix(2), [1, 2])
    let subject = PassthroughSubject<Int, Never>()
    let assign = Subscribers.Assign(object: box, keyPath: \.value)
    subject.subscribe(assign)
    subject.send(4)
    XCTAssertTrue(assign.object === box)
    assign.cancel()
    subject.send(5)
    XCTAssertEqual(box.value, 4)
    XCTAssertNil(assign.object)
  }

  // MARK: As blog posts have it

  /// A publisher whose subscription is a class that holds its subscriber.
  private struct Countdown: Publisher {
    typealias Output = Int
    typealias Failure = Never
    let start: Int

    func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
      let subscription = CountdownSubscription(start: start, subscriber: subscriber)
      subscriber.receive(subscription: subscription)
    }
  }

  private final class CountdownSubscription<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
    private var next: Int
    private var subscriber: S?
    private var demand: Subscribers.Demand = .none

    init(start: Int, subscriber: S) {
      next = start
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
      self.demand += demand
      while self.demand > 0, let subscriber = subscriber {
        if next == 0 {
          self.subscriber = nil
          subscriber.receive(completion: .finished)
          return
        }
        self.demand -= 1
        next -= 1
        self.demand += subscriber.receive(next + 1)
      }
    }

    func cancel() { subscriber = nil }
  }

  private final class IntSubscriber: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    var received: [Int] = []
    var completed = false
    func receive(subscription: Subscription) { subscription.request(.max(2)) }
    func receive(_ input: Int) -> Subscribers.Demand {
      received.append(input)
      return input == 4 ? .max(1) : .none
    }
    func receive(completion: Subscribers.Completion<Never>) { completed = true }
  }

  func testAPublisherOfOnesOwn() {
    let subscriber = IntSubscriber()
    Countdown(start: 5).subscribe(subscriber)
    XCTAssertEqual(subscriber.received, [5, 4, 3])
    XCTAssertFalse(subscriber.completed)
    XCTAssertEqual(history(Countdown(start: 3).map { $0 * 2 }.filter { $0 > 2 }), ["6", "4", "finished"])
    XCTAssertEqual(history(Countdown(start: 4).zip(Countdown(start: 2)).prefix(1)), ["(4, 2)", "finished"])
    XCTAssertEqual(history(Countdown(start: 4).collect(3)), ["[4, 3, 2]", "[1]", "finished"])
  }

  /// A subscription may be a value, too.
  private struct Once<Downstream: Subscriber>: Subscription where Downstream.Input == String {
    let combineIdentifier = CombineIdentifier()
    let downstream: Downstream
    func request(_ demand: Subscribers.Demand) {
      _ = downstream.receive("once")
      downstream.receive(completion: .finished)
    }
    func cancel() {}
  }

  func testASubscriptionThatIsAStruct() {
    struct OncePublisher: Publisher {
      typealias Output = String
      typealias Failure = TestError
      func receive<S: Subscriber>(subscriber: S) where S.Input == String, S.Failure == TestError {
        subscriber.receive(subscription: Once(downstream: subscriber))
      }
    }
    XCTAssertEqual(history(OncePublisher()), ["once", "finished"])
    XCTAssertEqual(history(OncePublisher().map(\.count).first()), ["4", "finished"])
    XCTAssertNotEqual(CombineIdentifier(), CombineIdentifier())
    let object = IntSubscriber()
    XCTAssertEqual(CombineIdentifier(object), object.combineIdentifier)
    Just(1).receive(subscriber: object)
    Subscriptions.empty.request(.max(1))
    XCTAssertEqual(object.received, [1])
  }
}

// MARK: An operator of one's own, in the namespace of the others

extension Publishers {
  struct Doubled<Upstream: Publisher>: Publisher where Upstream.Output == Int {
    typealias Output = Int
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Upstream.Failure {
      upstream.receive(subscriber: Inner(downstream: subscriber))
    }

    private final class Inner<S: Subscriber>: Subscriber where S.Input == Int, S.Failure == Upstream.Failure {
      typealias Input = Int
      typealias Failure = Upstream.Failure
      private let downstream: S
      init(downstream: S) { self.downstream = downstream }
      func receive(subscription: Subscription) { downstream.receive(subscription: subscription) }
      func receive(_ input: Int) -> Subscribers.Demand { downstream.receive(input * 2) }
      func receive(completion: Subscribers.Completion<Upstream.Failure>) { downstream.receive(completion: completion) }
    }
  }
}

extension Publisher where Output == Int {
  func doubled() -> Publishers.Doubled<Self> { Publishers.Doubled(upstream: self) }
}

extension Publisher where Failure == Never {
  /// A frequent helper: no retain cycle through `self`.
  func weakAssign<Root: AnyObject>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on root: Root) -> AnyCancellable
  {
    sink { [weak root] value in root?[keyPath: keyPath] = value }
  }
}

final class OwnOperatorTests: XCTestCase {
  private final class Box {
    var value = 0
  }

  func testOperatorsOfOnesOwn() {
    XCTAssertEqual(history([1, 2].publisher.doubled()), ["2", "4", "finished"])
    XCTAssertEqual(history([1, 2].publisher.doubled().doubled().prefix(1)), ["4", "finished"])
    let box = Box()
    let cancellable = Just(3).doubled().weakAssign(to: \.value, on: box)
    XCTAssertEqual(box.value, 6)
    cancellable.cancel()
  }
}
