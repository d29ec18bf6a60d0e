import Dispatch
import SluiceDispatch
import SluiceExtras
import SluiceTesting
import Synchronization
import XCTest

@testable import Sluice

/// Many threads at once, with a subscriber that notices overlap, disorder and excess. Run under ThreadSanitizer too.
final class StressTests: XCTestCase {
  private static let values = 5_000

  /// Values of one sender must arrive in the order in which it sent them.
  private func assertOrdered(
    _ values: [Int], senders: Int, _ row: OperatorRow? = nil, file: StaticString = #filePath, line: UInt = #line
  ) {
    // What makes other tokens of them has an order of its own.
    if let row, row.output != "0 1 2 3 4 5 6 7" { return }
    for sender in 0..<senders {
      let own = values.filter { $0 % senders == sender }
      XCTAssertEqual(own, own.sorted(), row?.name ?? "", file: file, line: line)
    }
  }

  func testEveryOperatorUnderSendersARequesterAndACanceller() {
    for row in OperatorRow.all {
      for (cancels, inRuns) in [(false, false), (false, true), (true, false), (true, true)] {
        let before = Token.alive
        stress(row, cancels: cancels, inRuns: inRuns)
        XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of at the end")
      }
    }
  }

  private func stress(_ row: OperatorRow, cancels: Bool, inRuns: Bool) {
    let count = 300
    let scheduler = VirtualTimeScheduler()
    let upstream = Upstream(inRuns: inRuns)
    let subscriber = TestSubscriber<Any, any Error>(initial: .max(1), takesRuns: inRuns) { _ in .max(1) }
    // The second input, of the operators that have one, comes from a thread of its own.
    let other = PassthroughSubject<Token, Boom>()
    let stream = row.make(
      .init(upstream: upstream.publisher, tokens: other.eraseToAnyPublisher(), scheduler: scheduler))
    stream.subscribe(subscriber)
    scheduler.advance(by: .zero)
    onThreads(4) { thread in
      for value in 0..<count {
        switch thread {
        case 0: upstream.send(value)
        case 1: other.send(Token(value))
        case 2: subscriber.request(.max(1))
        default: scheduler.advance(by: .microseconds(10))
        }
      }
      if thread == 3, cancels { subscriber.cancel() }
    }
    upstream.finish()
    other.send(completion: .finished)
    subscriber.request(.unlimited)
    scheduler.advance(by: .seconds(60))
    XCTAssertEqual(subscriber.violations, [], row.name)
    if !cancels { XCTAssertNotNil(subscriber.completion, row.name) }
    assertOrdered(subscriber.values.compactMap { ($0 as? Token)?.number }, senders: 1, row)
  }

  /// At most the one call that was on its way comes after a cancellation by another thread.
  func testEveryOperatorIsCancelledWhileItDelivers() {
    let count = 24
    for row in OperatorRow.all {
      for round in 0..<count / 2 {
        let before = Token.alive
        cancelWhileSending(row, count: count, after: 2 * round, inRuns: round % 2 == 1)
        XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of at the end")
      }
    }
  }

  /// - Parameter sent: How many values have been sent when it is cancelled.
  private func cancelWhileSending(_ row: OperatorRow, count: Int, after sent: Int, inRuns: Bool) {
    let scheduler = VirtualTimeScheduler()
    let upstream = Upstream(inRuns: inRuns)
    let subscriber = TestSubscriber<Any, any Error>(takesRuns: inRuns)
    row.make(
      .init(upstream: upstream.publisher, tokens: OperatorRow.tokens(count), scheduler: scheduler)
    ).subscribe(subscriber)
    scheduler.advance(by: .zero)
    let progress = Atomic(0)
    onThreads(2) { thread in
      if thread == 0 {
        for value in 0..<count {
          upstream.send(value)
          scheduler.advance(by: .milliseconds(1))
          progress.store(value + 1, ordering: .releasing)
        }
        upstream.finish()
        scheduler.advance(by: .seconds(60))
      } else {
        while progress.load(ordering: .acquiring) < sent { sched_yield() }
        subscriber.cancel()
      }
    }
    XCTAssertEqual(subscriber.violations, [], row.name)
    XCTAssertLessThanOrEqual(subscriber.callsAfterCancel, 1, row.name)
  }

  /// Sends from one thread: value by value, or eight at a time, those that are wanted.
  private final class Upstream: @unchecked Sendable {
    // The sending thread alone uses `gathered`; `source` and `subject` protect themselves.

    private let source: RunSource?
    private let subject = PassthroughSubject<Token, Boom>()
    private var gathered: [Token] = []

    init(inRuns: Bool) { source = inRuns ? RunSource() : nil }

    var publisher: AnyPublisher<Token, Boom> { source?.publisher ?? subject.eraseToAnyPublisher() }

    func send(_ value: Int) {
      guard let source else { return subject.send(Token(value)) }
      gathered.append(Token(value))
      if gathered.count == 8 { sendGathered(to: source) }
    }

    func finish() {
      if let source {
        sendGathered(to: source)
        source.send(completion: .finished)
      } else {
        subject.send(completion: .finished)
      }
    }

    private func sendGathered(to source: RunSource) {
      let run = Array(gathered.prefix(source.demand.max ?? .max))
      gathered = []
      if !run.isEmpty { _ = source.send(run: run) }
    }
  }

  /// Publishers that send from threads of their own while upstream brings new ones.
  func testPublishersOfPublishers() {
    typealias Source = PassthroughSubject<Token, Never>
    func check<P: Publisher>(_ name: String, _ make: (PassthroughSubject<Source, Never>) -> P)
    where P.Output == Token, P.Failure == Never {
      for cancels in [false, true] {
        let before = Token.alive
        stress(name, cancels: cancels, make)
        XCTAssertEqual(Token.alive, before, "\(name): everything is let go of at the end")
      }
    }
    func stress<P: Publisher>(_ name: String, cancels: Bool, _ make: (PassthroughSubject<Source, Never>) -> P)
    where P.Output == Token, P.Failure == Never {
      let sources = (0..<200).map { _ in Source() }
      let outer = PassthroughSubject<Source, Never>()
      let subscriber = TestSubscriber<Token, Never>(initial: .max(1)) { _ in .max(1) }
      make(outer).subscribe(subscriber)
      onThreads(4) { thread in
        for (index, source) in sources.enumerated() {
          switch thread {
          case 0: outer.send(source)
          case 1: for _ in 0..<5 { source.send(Token(index)) }
          case 2: source.send(completion: .finished)
          default: subscriber.request(.max(1))
          }
        }
        if thread == 3, cancels { subscriber.cancel() }
      }
      outer.send(completion: .finished)
      subscriber.request(.unlimited)
      XCTAssertEqual(subscriber.violations, [], name)
      if !cancels { XCTAssertTrue(subscriber.isFinished, name) }
    }
    for _ in 0..<20 {
      check("flatMap") { $0.flatMap { $0 } }
      check("flatMap, three at a time") { $0.flatMap(maxPublishers: .max(3)) { $0 } }
      check("switchToLatest") { $0.switchToLatest() }
    }
  }

  /// A source that ends while somebody subscribes: he gets his subscription and the end all the same.
  func testSubscribingWhileTheSourceEnds() {
    for _ in 0..<2_000 {
      let subject = PassthroughSubject<Int, Never>()
      let promise = Locked(Future<Int, Never>.Promise?.none)
      let future = Future<Int, Never> { fulfil in promise.withLock { $0 = fulfil } }
      let (first, second) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>())
      onThreads(2) { thread in
        if thread == 0 {
          subject.send(completion: .finished)
          promise.withLock { $0 }?(.success(1))
        } else {
          subject.subscribe(first)
          future.subscribe(second)
        }
      }
      XCTAssertTrue(first.isFinished)
      XCTAssertTrue(second.isFinished)
      XCTAssertEqual(second.values, [1])
      XCTAssertEqual(first.violations + second.violations, [])
    }
  }

  /// Demand that comes while the next publisher is being subscribed to is asked of it once.
  func testRequestingWhileSwitching() {
    for _ in 0..<2_000 {
      let outer = PassthroughSubject<AnyPublisher<Int, Never>, Never>()
      let subscriber = TestSubscriber<Int, Never>(initial: .none)
      outer.switchToLatest().subscribe(subscriber)
      let inner = TestPublisher<Int, Never>()
      onThreads(2) { thread in
        if thread == 0 { outer.send(inner.eraseToAnyPublisher()) } else { subscriber.request(.max(3)) }
      }
      XCTAssertEqual(inner.demand, .max(3))
      subscriber.cancel()
      inner.disconnect()
    }
  }

  func testManySendersIntoOneSubject() {
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    subject.subscribe(subscriber)
    onThreads(4) { thread in for value in 0..<Self.values { subject.send(value * 4 + thread) } }
    XCTAssertEqual(subscriber.values.count, 4 * Self.values)
    assertOrdered(subscriber.values, senders: 4)
    XCTAssertEqual(subscriber.violations, [])
  }

  /// Which of two values that come at the same time is first is for the threads to decide, but not otherwise for each
  /// subscriber.
  func testManySendersAreHeardInOneOrder() {
    func check<S: Subject>(_ subject: S, last: () -> Int?) where S.Output == Int, S.Failure == Never {
      let subscribers = (0..<3).map { _ in TestSubscriber<Int, Never>() }
      for subscriber in subscribers { subject.subscribe(subscriber) }
      onThreads(4) { thread in for value in 0..<Self.values / 4 { subject.send(value * 4 + thread) } }
      for subscriber in subscribers {
        XCTAssertGreaterThanOrEqual(subscriber.values.count, Self.values)
        XCTAssertTrue(subscriber.values == subscribers[0].values, "another order")
        XCTAssertEqual(subscriber.violations, [])
      }
      if let last = last() { XCTAssertEqual(subscribers[0].values.last, last) }
    }
    check(PassthroughSubject<Int, Never>(), last: { nil })
    let current = CurrentValueSubject<Int, Never>(-1)
    check(current, last: { current.value })
  }

  func testSubscribingAndCancellingWhileSending() {
    let subject = PassthroughSubject<Int, Never>()
    let subscribers = (0..<200).map { _ in TestSubscriber<Int, Never>() }
    onThreads(3) { thread in
      if thread == 0 {
        for value in 0..<Self.values { subject.send(value) }
      } else {
        for index in stride(from: thread - 1, to: 200, by: 2) {
          subject.subscribe(subscribers[index])
          if index % 3 == 0 { subscribers[index].cancel() }
        }
      }
    }
    for subscriber in subscribers {
      XCTAssertEqual(subscriber.violations, [])
      XCTAssertEqual(subscriber.values, subscriber.values.sorted())
    }
  }

  func testMergeOfThreads() {
    let subjects = (0..<4).map { _ in PassthroughSubject<Int, Never>() }
    let subscriber = TestSubscriber<Int, Never>()
    Publishers.MergeMany(subjects).subscribe(subscriber)
    onThreads(4) { thread in
      for value in 0..<Self.values { subjects[thread].send(value * 4 + thread) }
      subjects[thread].send(completion: .finished)
    }
    XCTAssertEqual(subscriber.values.count, 4 * Self.values)
    assertOrdered(subscriber.values, senders: 4)
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testBufferBetweenASenderAndARequester() {
    let subject = PassthroughSubject<Int, Never>()
    let dropped = Locked(0)
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    subject.buffer(size: 64, prefetch: .byRequest, whenFull: .dropOldest) { _ in dropped.withLock { $0 += 1 } }
      .subscribe(subscriber)
    onThreads(3) { thread in
      for value in 0..<Self.values {
        if thread == 0 { subject.send(value) } else { subscriber.request(.max(1)) }
      }
    }
    subject.send(completion: .finished)
    subscriber.request(.unlimited)
    XCTAssertEqual(subscriber.values.count + dropped.withLock { $0 }, Self.values, "every value came or was counted")
    XCTAssertEqual(subscriber.values, subscriber.values.sorted())
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testReceiveOnAQueueWhileCancelling() {
    for round in 0..<20 {
      let subject = PassthroughSubject<Int, Never>()
      let ended = DispatchSemaphore(value: 0)
      let subscriber = TestSubscriber<Int, Never>(ended: { _ in ended.signal() })
      let queue = DispatchQueue(label: "stress")
      subject.receive(on: queue).subscribe(subscriber)
      onThreads(2) { thread in
        if thread == 0 {
          for value in 0..<Self.values { subject.send(value) }
        } else if round % 2 == 0 {
          subscriber.cancel()
        }
      }
      subject.send(completion: .finished)
      if round % 2 == 1 {
        // In as many turns as it takes.
        XCTAssertEqual(ended.wait(timeout: .now() + 60), .success)
        XCTAssertEqual(subscriber.values.count, Self.values)
      }
      queue.sync {}
      XCTAssertEqual(subscriber.values, Array(0..<subscriber.values.count))
      XCTAssertEqual(subscriber.violations, [])
    }
  }

  func testPartsRequestedFromThreads() {
    let subscribers = (0..<4).map { _ in TestSubscriber<Int, Never>(initial: .none) }
    let parts = (0..<4 * Self.values).publisher.partition(into: 4) { $0 % 4 }
    for (part, subscriber) in zip(parts, subscribers) { part.subscribe(subscriber) }
    // One more than there are: a part that wants nothing holds up the others.
    onThreads(4) { thread in for _ in 0...Self.values { subscribers[thread].request(.max(1)) } }
    for (index, subscriber) in subscribers.enumerated() {
      XCTAssertEqual(subscriber.values.count, Self.values)
      XCTAssertTrue(subscriber.values == (0..<Self.values).map { $0 * 4 + index })
      XCTAssertEqual(subscriber.violations, [])
    }
  }
}
