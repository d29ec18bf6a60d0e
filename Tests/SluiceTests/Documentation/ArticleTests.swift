import Foundation
import Sluice
import SluiceExtras
import SluiceTesting
import TestFiles
import XCTest

// What the articles of the documentation show, word for word, compiled and run as it is for those who read it.

extension Publisher where Output == Int {
  func differences() -> Publishers.Map<Publishers.Nwise<Self>, Int> { pair().map { $0[1] - $0[0] } }
}

struct Above<Upstream: Publisher>: Publisher where Upstream.Output: Comparable {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure
  let upstream: Upstream
  let limit: Output

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(AboveSubscriber(downstream: subscriber, limit: limit))
  }
}

struct AboveSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Input: Comparable {
  let downstream: Downstream
  let limit: Downstream.Input
  let combineIdentifier = CombineIdentifier()

  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    input > limit ? downstream.receive(input) : .max(1)
  }
  func receive(completion: Subscribers.Completion<Downstream.Failure>) { downstream.receive(completion: completion) }
}

/// Ends after the first value that is followed by a smaller one.
struct RisingStage<Input: Comparable, Failure: Error>: Operators.Stage {
  var last: Input?

  mutating func receive(_ input: Input) -> Operators.Step<Input, Failure> {
    if let last, input < last { return .finish }
    last = input
    return .emit(input)
  }
}

extension Publishers {
  struct Rising<Upstream: Publisher>: Publisher where Upstream.Output: Comparable {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Operators.StageConduit("Rising", RisingStage<Output, Failure>(), subscriber))
    }
  }
}

/// The difference between the largest and the smallest value.
struct SpreadFold<Failure: Error>: Operators.Fold {
  var range: ClosedRange<Double>?
  var result: Double? { range.map { $0.upperBound - $0.lowerBound } }

  mutating func receive(_ input: Double) throws(Failure) -> Bool {
    range = min(range?.lowerBound ?? input, input)...max(range?.upperBound ?? input, input)
    return true
  }
}

extension Publishers {
  struct Spread<Upstream: Publisher>: Publisher where Upstream.Output == Double {
    typealias Output = Double
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Double, S.Failure == Failure {
      upstream.subscribe(Operators.FoldConduit("Spread", SpreadFold<Failure>(), subscriber))
    }
  }
}

/// Keeps the latest value until it is asked for.
struct LatestCore<Value, Failure: Error>: Operators.SingleInputCore {
  typealias Output = Value
  var latest: Value?
  var demand = Subscribers.Demand.none
  var end: Subscribers.Completion<Failure>?

  func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }
  mutating func request(_ more: Subscribers.Demand) { demand += more }
  mutating func receive(_ input: Value) -> Value? {
    defer { latest = input }
    return latest  // let go of outside the lock: a deinit is foreign code
  }
  mutating func receive(completion: Subscribers.Completion<Failure>) { end = completion }

  mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .failure? = end, let end { return out.complete(end) }
    if demand != .none, let value = latest {
      latest = nil
      demand -= 1
      return out.deliver(value)
    }
    if let end, latest == nil { return out.complete(end) }
    return nil
  }
}

extension Publishers {
  struct Latest<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Latest", LatestCore<Output, Failure>(), subscriber)
      upstream.subscribe(Operators.Inlet(conduit, Operators.OnlyPort()))
    }
  }
}

/// Publishes a value when no other has come for a while.
struct SettledCore<Value, Failure: Error, Instant: Strideable>: Operators.TimedCore {
  typealias Output = Value
  let time: Instant.Stride
  var latest: (value: Value, due: Instant)?
  var isAsked = false  // a turn has been asked for
  var now: Instant?  // during a turn
  var demand = Subscribers.Demand.none
  var end: Subscribers.Completion<Failure>?

  init(time: Instant.Stride) { self.time = time }

  func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }
  mutating func request(_ more: Subscribers.Demand) { demand += more }
  mutating func receive(_ input: Value, at now: Instant) -> Value? {
    defer { latest = (input, now.advanced(by: time)) }
    return latest?.value
  }
  mutating func receive(completion: Subscribers.Completion<Failure>, at now: Instant) { end = completion }
  mutating func turn(_ turn: Operators.Turn<Instant>, at now: Instant, drains: Bool) {
    isAsked = false
    if drains { self.now = now }
  }

  mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let end { return out.complete(end) }
    guard let (value, due) = latest else {
      now = nil
      return nil
    }
    if let now, now >= due, demand != .none {
      latest = nil
      demand -= 1
      return out.deliver(value)
    }
    now = nil
    if isAsked || demand == .none { return nil }
    isAsked = true
    return out.perform(.after(due))
  }
}

extension Publishers {
  struct Settled<Upstream: Publisher, Context: Scheduler>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let time: Context.SchedulerTimeType.Stride
    let scheduler: Context

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = SettledCore<Output, Failure, Context.SchedulerTimeType>(time: time)
      let conduit = Operators.Conduit("Settled", core, subscriber, on: scheduler, every: time)
      upstream.subscribe(Operators.TimedInlet(conduit, scheduler))
    }
  }
}

/// The input of one of the two publishers.
struct RacePort<Value, Failure: Error>: Operators.Port {
  let inlet: Int
  func receive(_ input: Value, _ core: inout RaceCore<Value, Failure>) -> Value? { core.receive(input, from: inlet) }
  func receive(completion: Subscribers.Completion<Failure>, _ core: inout RaceCore<Value, Failure>) {
    core.receive(completion: completion, from: inlet)
  }
}

/// Publishes the values of the publisher that sends first, and cancels the other.
struct RaceCore<Value, Failure: Error>: Operators.Core {
  typealias Output = Value
  static var hasManyInlets: Bool { true }
  var inlets: Int { 2 }
  var running: Set = [0, 1]
  var winner: Int?
  var toCancel: Int?
  var toAsk: [(demand: Subscribers.Demand, inlet: Int)] = []
  var queue: [Value] = []
  var end: Subscribers.Completion<Failure>?

  mutating func request(_ more: Subscribers.Demand) { for inlet in running.sorted() { toAsk.append((more, inlet)) } }
  mutating func receive(_ input: Value, from inlet: Int) -> Value? {
    if winner == nil {
      winner = inlet
      toCancel = running.remove(1 - inlet)
      toAsk.removeAll { $0.inlet != inlet }
    }
    guard inlet == winner else { return input }
    queue.append(input)
    return nil
  }
  mutating func receive(completion: Subscribers.Completion<Failure>, from inlet: Int) {
    running.remove(inlet)
    if inlet == winner || running.isEmpty { end = completion }
  }

  mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let inlet = toCancel {
      toCancel = nil
      return .cancel(inlet: inlet)
    }
    if case .failure? = end, let end { return out.complete(end) }
    if !queue.isEmpty { return out.deliver(queue.removeFirst()) }
    if let end { return out.complete(end) }
    if toAsk.isEmpty { return nil }
    let (demand, inlet) = toAsk.removeFirst()
    return .request(demand, inlet: inlet)
  }
}

extension Publishers {
  struct Race<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
    typealias Output = A.Output
    typealias Failure = A.Failure
    let a: A
    let b: B

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Race", RaceCore<Output, Failure>(), subscriber)
      a.subscribe(Operators.Inlet(conduit, RacePort(inlet: 0)))
      b.subscribe(Operators.Inlet(conduit, RacePort(inlet: 1)))
    }
  }
}

/// Where one of the publishers enters.
struct TogetherPort<Value, Failure: Error>: Operators.Port {
  let inlet: Int
  func receive(_ input: Value, _ core: inout TogetherCore<Value, Failure>) { core.queue.append((input, inlet)) }
  func receive(completion: Subscribers.Completion<Failure>, _ core: inout TogetherCore<Value, Failure>) {
    core.receive(completion: completion)
  }
}

/// Publishes what all of upstream's publishers publish, and asks each for one value at a time.
struct TogetherCore<Value, Failure: Error>: Operators.DynamicCore {
  typealias Output = Value
  static var hasManyInlets: Bool { true }
  var queue: [(value: Value, inlet: Int)] = []
  var toAsk: [Int] = []
  var count = 0  // of the publishers so far
  var running = 1  // with upstream
  var demand = Subscribers.Demand.none
  var failure: Failure?

  func prefetch(_ inlet: Int) -> Subscribers.Demand { inlet == 0 ? .unlimited : .max(1) }
  mutating func request(_ more: Subscribers.Demand) { demand += more }
  mutating func add() -> TogetherPort<Value, Failure> {
    count += 1
    running += 1
    return TogetherPort(inlet: count)
  }
  mutating func receive(completion: Subscribers.Completion<Failure>) {
    running -= 1
    if case .failure(let error) = completion { failure = failure ?? error }
  }

  mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let failure { return out.complete(.failure(failure)) }
    if demand != .none, !queue.isEmpty {
      let (value, inlet) = queue.removeFirst()
      demand -= 1
      toAsk.append(inlet)
      return out.deliver(value)
    }
    if let inlet = toAsk.popLast() { return .request(.max(1), inlet: inlet) }
    return running == 0 && queue.isEmpty ? out.complete(.finished) : nil
  }
}

extension Publishers {
  struct Together<Upstream: Publisher, Inner: Publisher>: Publisher where Inner.Failure == Upstream.Failure {
    typealias Output = Inner.Output
    typealias Failure = Upstream.Failure
    let upstream: Upstream
    let transform: (Upstream.Output) -> Inner

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Together", TogetherCore<Output, Failure>(), subscriber)
      conduit.open()
      upstream.subscribe(Operators.DynamicInlet(conduit, transform: transform))
    }
  }
}

final class ArticleTests: XCTestCase {
  func testOverview() {
    let subscriber = AnySubscriber<[Int], Never>(
      receiveSubscription: { $0.request(.max(2)) },
      receiveValue: { value in
        print(value)
        return .none
      })
    (1...1_000_000).publisher.pair().subscribe(subscriber)  // [1, 2] [2, 3], and no third one is made
  }

  func testBackpressure() {
    let numbers = PassthroughSubject<Int, Never>()
    let two = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.max(2)) },
      receiveValue: { value in value == 1 ? .max(1) : .none })
    numbers.subscribe(two)  // takes 1, 2 and 3: two were asked for, and with the first one more

    var made = 0
    let source = (1...1_000_000).publisher.handleEvents(receiveOutput: { _ in made += 1 })
    let ten = AnySubscriber<Int, Never>(receiveSubscription: { $0.request(.max(10)) })
    source.subscribe(ten)  // makes ten
    XCTAssertEqual(made, 10)

    let sink = (1...6).publisher.pausableSink(
      receiveCompletion: { _ in },
      receiveValue: { value in value % 2 == 0 })  // takes 1
    sink.resume()  // takes 2 and 3
    XCTAssertTrue(sink.paused)

    let sensor = PassthroughSubject<Int, Never>()
    var lost = 0
    let held = sensor.buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest) { _ in lost += 1 }
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    held.subscribe(subscriber)
    for value in 1...103 { sensor.send(value) }
    XCTAssertEqual(lost, 3)
  }

  func testThreads() {
    let echo = PassthroughSubject<Int, Never>()
    var heard: [Int] = []
    let listener = echo.sink { value in
      if value < 3 { echo.send(value + 1) }
      heard.append(value)
    }
    echo.send(1)  // heard is [1, 2, 3]: each is delivered when the one before has been dealt with
    XCTAssertEqual(heard, [1, 2, 3])
    listener.cancel()

    let time = VirtualTimeScheduler()
    let events = PassthroughSubject<String, Never>()
    var log: [String] = []
    let debounced = events.debounce(for: .milliseconds(20), scheduler: time).sink { log.append($0) }
    events.send("a")
    time.advance(by: .milliseconds(10))
    events.send("b")
    time.advance(by: .seconds(60))  // at once: log is ["b"]
    XCTAssertEqual(log, ["b"])
    debounced.cancel()
  }

  func testResumingLater() {
    let queue = VirtualTimeScheduler()
    let sink = (1...6).publisher.pausableSink(receiveCompletion: { _ in }, receiveValue: { $0 % 2 == 0 })
    let resuming = Just(()).delay(for: .seconds(1), scheduler: queue).sink { sink.resume() }
    XCTAssertTrue(sink.paused)
    queue.advance(by: .seconds(1))
    sink.resume()
    sink.resume()
    XCTAssertFalse(sink.paused)  // 1 | 2 3 | 4 5 | 6, and the end
    resuming.cancel()
  }

  private func values<P: Publisher>(_ publisher: P, _ demand: Subscribers.Demand = .unlimited) -> [P.Output]
  where P.Failure == Never {
    let subscriber = TestSubscriber<P.Output, Never>(initial: demand)
    publisher.subscribe(subscriber)
    XCTAssertEqual(subscriber.violations, [])
    return subscriber.values
  }

  func testWritingAnOperator() {
    XCTAssertEqual(values([1, 4, 9].publisher.differences()), [3, 5])
    XCTAssertEqual(values(Above(upstream: [1, 5, 2, 6, 7].publisher, limit: 2), .max(2)), [5, 6])
    XCTAssertEqual(values(Publishers.Rising(upstream: [1, 2, 2, 1, 3].publisher)), [1, 2, 2])
    XCTAssertEqual(values(Publishers.Spread(upstream: [2.5, -1, 4].publisher)), [5])

    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .max(1))
    Publishers.Latest(upstream: upstream).subscribe(subscriber)
    for value in 1...3 { upstream.send(value) }
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.values, [1])
    subscriber.request(.max(2))
    XCTAssertEqual(subscriber.values, [1, 3])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testAnOperatorWithTime() {
    let time = VirtualTimeScheduler()
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    Publishers.Settled(upstream: upstream, time: .seconds(2), scheduler: time).subscribe(subscriber)
    for second in [0, 1, 5] {
      time.advance(to: at(second))
      upstream.send(second)
    }
    time.advance(to: at(6))
    XCTAssertEqual(subscriber.values, [1])
    time.advance(to: at(7))
    XCTAssertEqual(subscriber.values, [1, 5])
    upstream.send(8)
    subscriber.cancel()
    XCTAssertEqual(time.scheduledCount, 0)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testAnOperatorWithSeveralInputs() {
    let (a, b) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    let subscriber = TestSubscriber<Int, Never>(initial: .max(2))
    Publishers.Race(a: a, b: b).subscribe(subscriber)
    XCTAssertEqual(a.requests, [.max(2)])
    b.send(1)
    XCTAssertEqual(subscriber.values, [1])
    XCTAssertEqual(a.cancels, 1)
    subscriber.request(.max(1))
    XCTAssertEqual(a.requests, [.max(2)])
    XCTAssertEqual(b.requests, [.max(2), .max(1)])
    b.send(completion: .finished)
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
    let first = TestSubscriber<Int, Never>(initial: .unlimited)
    Publishers.Race(a: (1...3).publisher, b: (4...6).publisher).subscribe(first)
    XCTAssertEqual(first.values, [1, 2, 3])
    XCTAssertTrue(first.isFinished)
  }

  func testACoreOnItsOwn() {
    var core = LatestCore<Int, Never>()
    var out = Operators.Outbox<LatestCore<Int, Never>>()
    _ = core.receive(1)
    XCTAssertEqual(core.receive(2), 1)  // discarded
    XCTAssertNil(core.next(&out))
    core.request(.max(1))
    XCTAssertNotNil(core.next(&out))
    XCTAssertEqual(out.output, 2)
  }

  func testAnOperatorWithInputsThatComeLater() {
    let subscriber = TestSubscriber<Int, Never>(initial: .max(3)) { _ in .none }
    let inputs = (1...3).publisher.eraseToAnyPublisher()
    Publishers.Together(upstream: inputs) { [$0, 10 * $0].publisher }.subscribe(subscriber)
    XCTAssertEqual(subscriber.values.count, 3)
    subscriber.request(.unlimited)
    XCTAssertEqual(Set(subscriber.values), [1, 2, 3, 10, 20, 30])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testTheValueAfterASend() {
    let steps = PassthroughSubject<Int, Never>()
    var (last, seen) = (0, 0)
    let follower = steps.sink { step in
      last = step
      guard step == 1 else { return }
      steps.send(2)
      seen = last
    }
    steps.send(1)  // last is 2; seen is 1 here, 2 in Combine
    XCTAssertEqual([last, seen], [2, 1])
    withExtendedLifetime(follower) {}
  }

  /// Every program text of an article stands in this file, or in the one for its module.
  func testNothingElseIsShown() throws {
    func lines(_ text: String) -> [String] {
      text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.map(String.init)
    }
    for (folder, file) in [
      ("Sluice", "SluiceTests/Documentation/ArticleTests"), ("SluiceTesting", "SluiceTestingTests/TestingArticleTests"),
    ] {
      let text = try Checkout.text("Tests/\(file).swift")
      let compiled = lines(text).joined(separator: "\n")
      var count = 0
      for article in try FileManager.default.contentsOfDirectory(
        at: Checkout.file("Sources/\(folder)/\(folder).docc"), includingPropertiesForKeys: nil)
      {
        let blocks = try String(contentsOf: article, encoding: .utf8).components(separatedBy: "```")
        for block in blocks where block.hasPrefix("swift\n") {
          let shown = lines(String(block.dropFirst(6))).joined(separator: "\n")
          XCTAssertTrue(compiled.contains(shown), "\(article.lastPathComponent) shows what is not here:\n\(shown)")
          count += 1
        }
      }
      XCTAssertGreaterThan(count, 4, folder)
    }
  }
}
