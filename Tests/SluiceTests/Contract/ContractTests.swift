import Foundation
import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

/// Every operator of the table, through the rules of the contract.
final class ContractTests: XCTestCase {
  /// One operator between an upstream under the hand of the test and a subscriber that notices every breach.
  private final class Bench {
    let name: String
    let row: OperatorRow
    let scheduler = VirtualTimeScheduler()
    let upstream = TestPublisher<Token, Boom>()
    let stream: AnyPublisher<Any, any Error>
    var sent = 0

    init(_ row: OperatorRow, tokens: Int = 50) {
      name = row.name
      self.row = row
      stream = row.make(
        .init(upstream: upstream.eraseToAnyPublisher(), tokens: OperatorRow.tokens(tokens), scheduler: scheduler))
    }

    /// Sends what is wanted, as a well-behaved upstream does, up to a number.
    func pump(_ count: Int) {
      scheduler.advance(by: .zero)
      while sent < count, upstream.demand > sent, upstream.cancels == 0 {
        upstream.send(Token(sent))
        sent += 1
        scheduler.advance(by: .milliseconds(1))
      }
    }

    func end(_ completion: Subscribers.Completion<Boom>) {
      if upstream.cancels == 0 { upstream.send(completion: completion) }
      upstream.disconnect()
      scheduler.advance(by: .seconds(60))
    }
  }

  /// Runs a body for every row, and sees that nothing is left of it.
  private func each(where wanted: (OperatorRow) -> Bool = { _ in true }, tokens: Int = 50, _ body: (Bench) -> Void) {
    for row in OperatorRow.all where wanted(row) {
      let before = Token.alive
      autoreleased {
        let bench = Bench(row, tokens: tokens)
        body(bench)
        bench.upstream.disconnect()
      }
      XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of at the end")
    }
  }

  private func autoreleased(_ body: () -> Void) { body() }

  func testOutputThenTheEnd() {
    each(tokens: 8) { bench in
      let subscriber = TestSubscriber<Any, any Error>()
      bench.stream.subscribe(subscriber)
      bench.pump(8)
      bench.end(.finished)
      XCTAssertEqual(subscriber.values.map { "\($0)" }.joined(separator: " "), bench.row.output, bench.name)
      XCTAssertTrue(subscriber.isFinished, bench.name)
      XCTAssertEqual(subscriber.violations, [], bench.name)
    }
  }

  func testNeverMoreThanDemanded() {
    each { bench in
      let subscriber = TestSubscriber<Any, any Error>(initial: .none)
      bench.stream.subscribe(subscriber)
      bench.scheduler.advance(by: .zero)
      for round in 1...6 {
        subscriber.request(.max(2))
        bench.pump(50)
        XCTAssertLessThanOrEqual(subscriber.values.count, 2 * round, bench.name)
      }
      if bench.row.traits.isDisjoint(with: [.folds, .endsItself, .drops]) {
        XCTAssertEqual(subscriber.values.count, 12, "\(bench.name): all that was demanded came through")
      }
      XCTAssertEqual(subscriber.violations, [], bench.name)
      subscriber.cancel()
      bench.scheduler.advance(by: .seconds(60))
    }
  }

  func testFailureOvertakesWhatNobodyAskedFor() {
    each(where: { $0.traits.isDisjoint(with: [.keepsFailure, .mustNotFail, .waitsForDemand]) }) { bench in
      let subscriber = TestSubscriber<Any, any Error>(initial: .none)
      bench.stream.subscribe(subscriber)
      bench.pump(2)
      bench.end(.failure(Boom()))
      // One that takes everything may have ended by itself.
      if bench.upstream.cancels == 0 { XCTAssertNotNil(subscriber.failure as? Boom, bench.name) }
      XCTAssertEqual(subscriber.values.count, 0, bench.name)
      XCTAssertEqual(subscriber.violations, [], bench.name)
      subscriber.cancel()
    }
  }

  func testFinishWaitsForTheQueue() {
    each(where: { $0.traits.contains(.queues) }) { bench in
      let subscriber = TestSubscriber<Any, any Error>(initial: .none)
      bench.stream.subscribe(subscriber)
      subscriber.request(.max(1))
      bench.pump(8)
      bench.end(.finished)
      XCTAssertEqual(subscriber.values.count, 1, bench.name)
      if bench.sent > 1 { XCTAssertNil(subscriber.completion, bench.name) }
      subscriber.request(.unlimited)
      bench.scheduler.advance(by: .seconds(60))
      XCTAssertTrue(subscriber.isFinished, bench.name)
      XCTAssertEqual(subscriber.violations, [], bench.name)
    }
  }

  func testNothingAfterCancelAndCancelTwiceCancelsOnce() {
    each(where: { !$0.traits.contains(.folds) }) { bench in
      let subscriber = TestSubscriber<Any, any Error>()
      bench.stream.subscribe(subscriber)
      bench.pump(2)
      let received = subscriber.values.count
      subscriber.cancel()
      subscriber.cancel()
      bench.scheduler.advance(by: .seconds(60))
      // Where downstream has upstream's own subscription, that one is to count.
      let isUpstreams = subscriber.subscription is TestPublisher<Token, Boom>.Subscription
      XCTAssertEqual(bench.upstream.cancels, isUpstreams ? 2 : 1, bench.name)
      XCTAssertEqual(subscriber.values.count, received, bench.name)
      XCTAssertNil(subscriber.completion, bench.name)
      XCTAssertEqual(subscriber.violations, [], bench.name)
    }
  }

  func testNothingAfterACancelFromWithin() {
    for row in OperatorRow.all {
      for isSynchronous in [false, true] {
        let before = Token.alive
        autoreleased {
          let bench = Bench(row, tokens: 8)
          let source = isSynchronous ? OperatorRow.tokens(8) : bench.upstream.eraseToAnyPublisher()
          let stream = row.make(.init(upstream: source, tokens: OperatorRow.tokens(8), scheduler: bench.scheduler))
          var subscriber: TestSubscriber<Any, any Error>?
          subscriber = TestSubscriber { _ in
            subscriber?.cancel()
            return .max(1)
          }
          subscriber.map { stream.subscribe($0) }
          bench.pump(8)
          bench.end(.finished)
          XCTAssertEqual(subscriber?.violations, [], "\(row.name), synchronous: \(isSynchronous)")
          // Without a value there is nothing from within which to cancel.
          if subscriber?.values.isEmpty == false { XCTAssertNil(subscriber?.completion, row.name) }
          subscriber = nil
        }
        XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of at the end")
      }
    }
  }

  /// The end of upstream, on whose account another upstream is cancelled, which cancels everything.
  func testNothingAfterACancelOutOfTheCancellationOfAnotherUpstream() {
    let failing = TestPublisher<Token, Boom>()
    let other = TestPublisher<Token, Boom>()
    let subscriber = TestSubscriber<Token, Boom>()
    failing.merge(with: other.handleEvents(receiveCancel: { subscriber.cancel() })).subscribe(subscriber)
    failing.send(completion: .failure(Boom()))
    XCTAssertEqual(other.cancels, 1)
    XCTAssertEqual(subscriber.violations, [])
    XCTAssertNil(subscriber.completion)
  }

  /// What is kept for the end of upstream is a last value, from within which a subscriber may cancel.
  func testNothingAfterACancelFromWithinTheLastValue() {
    let upstream = TestPublisher<Int, Never>()
    var subscriber: TestSubscriber<[Int], Never>?
    subscriber = TestSubscriber { _ in
      subscriber?.cancel()
      return .none
    }
    subscriber.map { upstream.collect(3).subscribe($0) }
    upstream.send(1)
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber?.values, [[1]])
    XCTAssertEqual(subscriber?.violations, [])
    XCTAssertNil(subscriber?.completion)
    subscriber = nil
  }

  func testNothingIsFlushedAfterACancel() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<[Int], Never>()
    upstream.collect(3).subscribe(subscriber)
    upstream.send(1)
    subscriber.cancel()
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.violations, [])
    XCTAssertEqual(subscriber.values, [])
  }

  func testASecondSubscriptionIsCancelledAndTheFirstIsKept() {
    // Those that hand upstream's own subscription on leave it to their subscriber, which refuses it.
    each { bench in
      let subscriber = TestSubscriber<Any, any Error>()
      bench.stream.subscribe(subscriber)
      bench.scheduler.advance(by: .zero)
      XCTAssertEqual(bench.upstream.subscribeAgain(), 1, bench.name)
      XCTAssertEqual(bench.upstream.cancels, 0, bench.name)
      subscriber.cancel()
      bench.scheduler.advance(by: .seconds(60))
    }
  }

  func testSendingAndRequestingFromWithinReceive() {
    for row in OperatorRow.all {
      let before = Token.alive
      autoreleased {
        let scheduler = VirtualTimeScheduler()
        let subject = PassthroughSubject<Token, Boom>()
        let stream = row.make(
          .init(
            upstream: subject.eraseToAnyPublisher(), tokens: OperatorRow.tokens(100), scheduler: scheduler))
        var left = 20
        var subscription: (any Subscription)?
        let subscriber = TestSubscriber<Any, any Error>(initial: .max(1)) { _ in
          guard left > 0 else { return .none }
          left -= 1
          subject.send(Token(left))
          subscription?.request(.max(1))
          return .max(1)
        }
        stream.handleEvents(receiveSubscription: { subscription = $0 }).subscribe(subscriber)
        scheduler.advance(by: .zero)
        for number in 0..<4 {
          subject.send(Token(number))
          scheduler.advance(by: .milliseconds(1))
        }
        subject.send(completion: .finished)
        scheduler.advance(by: .seconds(60))
        // What was requested behind the subscriber's back it cannot know of.
        XCTAssertEqual(subscriber.violations.filter { $0 != "a value that nobody asked for" }, [], row.name)
        subscriber.request(.unlimited)
        scheduler.advance(by: .seconds(60))
        XCTAssertNotNil(subscriber.completion, row.name)
        subscription = nil
      }
      XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of at the end")
    }
  }

  private enum Ending: CaseIterable { case finish, failure, cancel }

  func testTheSubscriberIsLetGoOfAtTheEndEvenWhereTheSubscriptionIsKept() {
    for row in OperatorRow.all {
      for ending in Ending.allCases {
        if ending == .failure, row.traits.contains(.mustNotFail) { continue }
        let before = Token.alive
        let scheduler = VirtualTimeScheduler()
        let subject = PassthroughSubject<Token, Boom>()
        weak var subscriber: Keeper?
        var kept: (any Subscription)?
        autoreleased {
          let stream = row.make(
            .init(upstream: subject.eraseToAnyPublisher(), tokens: OperatorRow.tokens(10), scheduler: scheduler))
          let keeper = Keeper()
          subscriber = keeper
          stream.subscribe(keeper)
          scheduler.advance(by: .zero)
          subject.send(Token(1))
          scheduler.advance(by: .milliseconds(1))
          kept = keeper.subscription
          switch ending {
          case .finish: subject.send(completion: .finished)
          case .failure: subject.send(completion: .failure(Boom()))
          case .cancel: kept?.cancel()
          }
          scheduler.advance(by: .seconds(60))
          keeper.subscription = nil
        }
        XCTAssertNil(subscriber, "\(row.name): after \(ending)")
        XCTAssertLessThanOrEqual(Token.alive, before, "\(row.name): values kept after \(ending)")
        withExtendedLifetime((subject, kept)) {}
      }
    }
  }

  func testTwoHundredThousandSynchronousValuesOnASmallStack() {
    // A tenth of it overflows the stack just as well, and takes a build without optimisation seconds instead of minutes:
    // `make test-long` has them all.
    let count = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"] == nil ? 20_000 : 200_000
    let isOver = onSmallStack {  // some twenty bytes a value
      for row in OperatorRow.all where row.name != "Debounce" {
        let scheduler = VirtualTimeScheduler()
        let stream = row.make(
          .init(upstream: OperatorRow.tokens(count), tokens: OperatorRow.tokens(count), scheduler: scheduler))
        let subscriber = TestSubscriber<Void, any Error>(initial: .max(1)) { _ in .max(1) }
        stream.map { _ in }.subscribe(subscriber)
        scheduler.run()
        XCTAssertTrue(subscriber.isFinished, row.name)
        XCTAssertEqual(subscriber.violations, [], row.name)
      }
    }
    XCTAssertTrue(isOver, "it does not come to an end")
  }
}

/// Keeps its subscription until told otherwise, and asks for everything.
private final class Keeper: Subscriber {
  var subscription: (any Subscription)?
  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }
  func receive(_ input: Any) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<any Error>) {}
}
