import SluiceExtras
import SluiceTesting
import Synchronization
import XCTest

@testable import Sluice

/// What ends a chain, through the rules of the contract.
final class SinkTableTests: XCTestCase {
  /// A sink and what it was told.
  private final class Bench {
    let row: SinkRow
    let upstream = TestPublisher<Token, Never>()
    var values: [Int] = []
    var ends = 0
    var onValue: (Int) -> Void = { _ in }
    var cancellable: (any Cancellable)?

    init(_ row: SinkRow) { self.row = row }

    func attach(to publisher: AnyPublisher<Token, Never>? = nil) {
      cancellable = row.attach(
        publisher ?? upstream.eraseToAnyPublisher(),
        { [unowned self] in
          values.append($0.number)
          onValue($0.number)
        }, { [unowned self] in ends += 1 })
    }
  }

  /// Runs a body for every row, and sees that nothing is left of it.
  private func each(_ body: (Bench) -> Void) {
    for row in SinkRow.all {
      let before = Token.alive
      check(row, body)
      XCTAssertEqual(Token.alive, before, "\(row.name): everything is let go of at the end")
    }
  }

  private func check(_ row: SinkRow, _ body: (Bench) -> Void) {
    let bench = Bench(row)
    body(bench)
    bench.cancellable?.cancel()
    bench.upstream.disconnect()
  }

  func testValuesThenTheEnd() {
    each { bench in
      bench.attach()
      XCTAssertEqual(bench.upstream.demand, bench.row.asks, bench.row.name)
      for number in 0..<3 { bench.upstream.send(Token(number)) }
      XCTAssertEqual(bench.upstream.demand, bench.row.asks == .unlimited ? .unlimited : .max(4), bench.row.name)
      bench.upstream.send(completion: .finished)
      XCTAssertEqual(bench.values, [0, 1, 2], bench.row.name)
      XCTAssertEqual(bench.ends, bench.row.tellsTheEnd ? 1 : 0, bench.row.name)
      bench.cancellable?.cancel()
      XCTAssertEqual(bench.upstream.cancels, 0, "\(bench.row.name): what has ended is not cancelled")
    }
  }

  func testNothingAfterTheEnd() {
    each { bench in
      bench.attach()
      bench.upstream.send(completion: .finished)
      bench.upstream.send(completion: .finished)
      bench.upstream.send(Token(1))
      XCTAssertEqual(bench.ends, bench.row.tellsTheEnd ? 1 : 0, bench.row.name)
      XCTAssertEqual(bench.values, [], bench.row.name)
    }
  }

  func testNothingAfterACancelAndCancelTwiceCancelsOnce() {
    each { bench in
      bench.attach()
      bench.upstream.send(Token(0))
      bench.cancellable?.cancel()
      bench.cancellable?.cancel()
      XCTAssertEqual(bench.upstream.cancels, 1, bench.row.name)
      bench.upstream.send(Token(1))
      bench.upstream.send(completion: .finished)
      XCTAssertEqual(bench.values, [0], bench.row.name)
      XCTAssertEqual(bench.ends, 0, bench.row.name)
    }
  }

  func testNothingAfterACancelFromWithin() {
    each { bench in
      bench.onValue = { [unowned bench] in if $0 == 1 { bench.cancellable?.cancel() } }
      bench.attach()
      for number in 0..<4 { bench.upstream.send(Token(number)) }
      bench.upstream.send(completion: .finished)
      XCTAssertEqual(bench.values, [0, 1], bench.row.name)
      XCTAssertEqual(bench.ends, 0, bench.row.name)
      XCTAssertEqual(bench.upstream.cancels, 1, bench.row.name)
    }
  }

  func testASecondSubscriptionIsCancelledAndTheFirstIsKept() {
    each { bench in
      bench.attach()
      XCTAssertEqual(bench.upstream.subscribeAgain(), 1, bench.row.name)
      XCTAssertEqual(bench.upstream.cancels, 0, bench.row.name)
      bench.upstream.send(Token(0))
      XCTAssertEqual(bench.values, [0], bench.row.name)
    }
  }

  /// An upstream that answers only later is cancelled when it does.
  func testACancelBeforeTheSubscription() {
    each { bench in
      let time = VirtualTimeScheduler()
      let late = LateSubscription(bench.upstream, on: time)
      bench.attach(to: late.eraseToAnyPublisher())
      bench.cancellable?.cancel()
      time.run()
      XCTAssertEqual(bench.upstream.cancels, 1, bench.row.name)
      bench.upstream.send(Token(0))
      bench.upstream.send(completion: .finished)
      XCTAssertEqual(bench.values, [], bench.row.name)
      XCTAssertEqual(bench.ends, 0, bench.row.name)
    }
  }

  func testASynchronousUpstreamIsCancelledFromWithin() {
    each { bench in
      // The first value comes before there is anything to cancel with.
      let numbers = OperatorRow.tokens(10).assertNoFailure().eraseToAnyPublisher()
      let time = VirtualTimeScheduler()
      bench.onValue = { [unowned bench] in if $0 == 2 { bench.cancellable?.cancel() } }
      bench.attach(to: LateSubscription(numbers, on: time).eraseToAnyPublisher())
      time.run()
      XCTAssertEqual(bench.values, [0, 1, 2], bench.row.name)
      XCTAssertEqual(bench.ends, 0, bench.row.name)
    }
  }

  /// A pause is over as soon as somebody resumes, even before the closure that asks for it has returned.
  func testResumingFromWithin() {
    let upstream = TestPublisher<Int, Never>()
    var values: [Int] = []
    var sink: (any Pausable & Cancellable)?
    sink = upstream.pausableSink(receiveCompletion: { _ in }) {
      values.append($0)
      if $0 == 1 { sink?.resume() }
      return false
    }
    XCTAssertEqual(upstream.send(1), .max(1))
    XCTAssertEqual(sink?.paused, false)
    XCTAssertEqual(upstream.send(2), .none)
    XCTAssertEqual(sink?.paused, true)
    sink?.resume()
    XCTAssertEqual(upstream.demand, .max(3))
    XCTAssertEqual(values, [1, 2])
    sink?.cancel()
    sink = nil
  }

  func testSendingFromWithinAndManyThreads() {
    each { bench in
      let subject = PassthroughSubject<Token, Never>()
      bench.onValue = { if $0 == 0 { subject.send(Token(1)) } }
      bench.attach(to: subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher())
      subject.send(Token(0))
      XCTAssertEqual(bench.values, [0, 1], bench.row.name)
      onThreads(3) { thread in for number in 0..<200 { subject.send(Token(2 + number * 3 + thread)) } }
      XCTAssertEqual(bench.values.sorted(), Array(0..<602), bench.row.name)
    }
  }

  /// At most the one value that was on its way comes after a cancellation by another thread.
  func testCancelledByAnotherThread() {
    for round in 0..<50 {
      each { bench in
        let subject = PassthroughSubject<Token, Never>()
        let cancelled = Atomic(false)
        let sent = Atomic(0)
        let late = Locked(0)
        bench.onValue = { _ in if cancelled.load(ordering: .acquiring) { late.withLock { $0 += 1 } } }
        bench.attach(to: subject.eraseToAnyPublisher())
        onThreads(2) { thread in
          if thread == 0 {
            for number in 0..<50 {
              subject.send(Token(number))
              sent.store(number + 1, ordering: .releasing)
            }
          } else {
            while sent.load(ordering: .acquiring) < round { sched_yield() }
            bench.cancellable?.cancel()
            cancelled.store(true, ordering: .releasing)
          }
        }
        XCTAssertLessThanOrEqual(late.withLock { $0 }, 1, bench.row.name)
        XCTAssertEqual(bench.ends, 0, bench.row.name)
      }
    }
  }
}
