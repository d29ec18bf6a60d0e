import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// What the operators do to their scheduler: a turn comes to an end, and nothing stays behind.
final class TurnTests: XCTestCase {
  private enum Ending: CaseIterable { case cancel, earlyCancel, finish, failure }

  func testNothingIsLeftInTheScheduler() {
    for row in OperatorRow.all {
      for ending in Ending.allCases where ending != .failure || !row.traits.contains(.mustNotFail) {
        let scheduler = VirtualTimeScheduler()
        let upstream = PassthroughSubject<Token, Boom>()
        let subscriber = TestSubscriber<Any, any Error>()
        row.make(
          .init(upstream: upstream.eraseToAnyPublisher(), tokens: OperatorRow.tokens(8), scheduler: scheduler)
        ).subscribe(subscriber)
        if ending != .earlyCancel {
          scheduler.advance(by: .zero)
          for number in 0..<4 {
            upstream.send(Token(number))
            scheduler.advance(by: .microseconds(500))
          }
        }
        switch ending {
        case .cancel, .earlyCancel: subscriber.cancel()
        case .finish: upstream.send(completion: .finished)
        case .failure: upstream.send(completion: .failure(Boom()))
        }
        // What it asked for as soon as possible, and a delay's end.
        scheduler.advance(by: .milliseconds(2))
        XCTAssertEqual(scheduler.scheduledCount, 0, "\(row.name), \(ending)")
      }
    }
  }

  /// A producer that keeps up with its consumer does not keep the scheduler from its other work.
  func testATurnIsFair() {
    for row in OperatorRow.all {
      let scheduler = VirtualTimeScheduler()
      let upstream = PassthroughSubject<Token, Boom>()
      let stream = row.make(
        .init(upstream: upstream.eraseToAnyPublisher(), tokens: OperatorRow.tokens(1_000), scheduler: scheduler))
      var received = 0
      let subscriber = TestSubscriber<Any, any Error>(answer: { _ in
        received += 1
        if received < 1_000 { upstream.send(Token(received)) }
        return .none
      })
      stream.subscribe(subscriber)
      scheduler.advance(by: .zero)
      upstream.send(Token(0))
      let atOnce = received
      var probe = 0
      scheduler.schedule { probe = received }
      for _ in 0..<2_000 { scheduler.advance(by: .milliseconds(1)) }
      // The others do not deliver on the scheduler.
      if atOnce == 0, received > 100 { XCTAssertLessThan(probe, 10, row.name) }
      subscriber.cancel()
    }
  }

  /// One alarm at a time, whichever turns come together.
  func testATimeoutHasOneAlarm() {
    let scheduler = VirtualTimeScheduler()
    let upstream = PassthroughSubject<Int, Never>()
    for second in 1...20 { scheduler.schedule(after: at(second)) { upstream.send(second) } }
    let subscriber = TestSubscriber<Int, Never>()
    upstream.timeout(.seconds(1), scheduler: scheduler).subscribe(subscriber)
    for second in 1...20 {
      scheduler.advance(to: at(second))
      XCTAssertLessThanOrEqual(scheduler.scheduledCount, 20 - second + 2)
    }
    XCTAssertEqual(subscriber.values, Array(1...20))
    scheduler.advance(to: at(22))
    XCTAssertTrue(subscriber.isFinished)
  }

  func testManyCancelledTimeoutsLeaveNothing() {
    let scheduler = VirtualTimeScheduler()
    let upstream = PassthroughSubject<Int, Never>()
    for _ in 0..<1_000 { upstream.timeout(.seconds(60), scheduler: scheduler).sink { _ in }.cancel() }
    XCTAssertEqual(scheduler.scheduledCount, 0)
  }
}
