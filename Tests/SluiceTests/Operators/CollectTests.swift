import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

final class CollectTests: XCTestCase {
  func testByCountMultipliesDemandAndFlushes() {
    let upstream = TestPublisher<Int, Never>()
    var first = true
    let subscriber = TestSubscriber<[Int], Never>(initial: .max(2)) { _ in
      defer { first = false }
      return first ? .max(1) : .none
    }
    upstream.collect(3).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.max(6)])
    XCTAssertEqual(upstream.send(1), .none)
    XCTAssertEqual(upstream.send(2), .none)
    XCTAssertEqual(upstream.send(3), .max(3))
    upstream.send(4)
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.values, [[1, 2, 3], [4]])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(upstream.subscribeAgain(), 1)
  }

  func testByCountDiscardsOnFailure() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<[Int], Boom>()
    upstream.collect(2).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .failure(Boom()))
    XCTAssertEqual(subscriber.values, [])
    XCTAssertEqual(subscriber.failure, Boom())
  }

  func testByTime() {
    let time = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<[Int], Never>()
    subject.collect(.byTime(time, .seconds(2))).subscribe(subscriber)
    for second in 1...7 {
      time.advance(to: at(second))
      if second != 4, second != 5 { subject.send(second) }
    }
    XCTAssertEqual(subscriber.values, [[1], [2, 3]], "an interval without values makes no array")
    time.advance(to: at(8))
    XCTAssertEqual(subscriber.values, [[1], [2, 3], [6, 7]])
    subject.send(9)
    subject.send(completion: .finished)
    XCTAssertEqual(subscriber.values.last, [9])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testByTimeOrCount() {
    let time = VirtualTimeScheduler()
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<[Int], Never>(initial: .max(3))
    upstream.collect(.byTimeOrCount(time, .seconds(10), 2)).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.max(6)])
    for value in 1...3 { upstream.send(value) }
    XCTAssertEqual(subscriber.values, [[1, 2]])
    time.advance(to: at(9))
    XCTAssertEqual(subscriber.values, [[1, 2]])
    time.advance(to: at(10))
    XCTAssertEqual(subscriber.values, [[1, 2], [3]])
    upstream.send(4)
    upstream.send(5)
    upstream.send(6)
    time.advance(to: at(20))
    XCTAssertEqual(subscriber.values, [[1, 2], [3], [4, 5]], "three arrays were wanted")
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values.last, [6])
    XCTAssertEqual(subscriber.violations, [])
  }

  func testAFailureOvertakes() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<[Int], Boom>()
    upstream.collect(.byTime(VirtualTimeScheduler(), .seconds(2))).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .failure(Boom()))
    XCTAssertEqual(subscriber.values, [])
    XCTAssertEqual(subscriber.failure, Boom())
  }

  /// A long silence must not cost a step an interval.
  func testTheBeginningOfAnIntervalIsFoundInFewSteps() {
    typealias Time = VirtualTimeScheduler.SchedulerTimeType
    typealias Core = CollectByTimeCore<Int, Never, Time>
    for (now, expected) in [(0, 0), (6, 0), (7, 7), (20, 14), (7_000_000_000_000_003, 7_000_000_000_000_000)] {
      let start = Core.beginning(
        from: Time(nanoseconds: 0), every: .nanoseconds(7), at: Time(nanoseconds: Int64(now)))
      XCTAssertEqual(start.nanoseconds, Int64(expected))
    }
    let clock = ImmediateScheduler()
    _ = CollectByTimeCore<Int, Never, ImmediateScheduler.SchedulerTimeType>.beginning(
      from: clock.now, every: .seconds(1), at: clock.now)
  }

  func testASecondEndAloneComesAfterTheEnd() {
    let upstream = TestPublisher<Int, Never>()
    var ends = 0
    let subscriber = TestSubscriber<[Int], Never>(ended: { _ in ends += 1 })
    upstream.collect(3).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .finished)
    for value in 2...7 { upstream.send(value) }
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.values, [[1]])
    XCTAssertEqual(ends, 2)
  }

  /// As in Combine: the finish waits, although there is no value.
  func testTheEndOfAnEmptyUpstreamWaitsForDemand() {
    let upstream = TestPublisher<Int, Never>()
    let (first, largest) = (TestSubscriber<Int, Never>(initial: .none), TestSubscriber<Int, Never>(initial: .none))
    upstream.first().subscribe(first)
    upstream.send(completion: .finished)
    XCTAssertFalse(first.isFinished)
    first.request(.max(1))
    XCTAssertTrue(first.isFinished)
    let other = TestPublisher<Int, Never>()
    other.max().subscribe(largest)
    other.send(completion: .finished)
    XCTAssertFalse(largest.isFinished)
    largest.request(.max(1))
    XCTAssertTrue(largest.isFinished)
    XCTAssertEqual(first.violations + largest.violations, [])
  }
}
