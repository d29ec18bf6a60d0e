import SluiceTesting
import XCTest

@testable import Sluice

final class BufferTests: XCTestCase {
  func testKeepFullAsksForAsMuchAsFits() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    upstream.buffer(size: 3, prefetch: .keepFull, whenFull: .dropOldest).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.max(3)])
    for value in 1...4 { XCTAssertEqual(upstream.send(value), .none) }
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values, [2])
    XCTAssertEqual(upstream.requests, [.max(3), .max(1)])
    upstream.send(completion: .finished)
    XCTAssertNil(subscriber.completion, "a finish waits for the queue")
    subscriber.request(.max(2))
    XCTAssertEqual(subscriber.values, [2, 3, 4])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testPassingThroughAnswersInTheReturnValue() {
    let upstream = TestPublisher<Int, Never>()
    upstream.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(TestSubscriber<Int, Never>())
    XCTAssertEqual(upstream.send(1), .max(1))
    XCTAssertEqual(upstream.requests, [.max(3)])
  }

  func testByRequestAsksForEverything() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .max(1))
    upstream.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.unlimited])
  }

  /// Combine, which asks upstream before downstream has its subscription, delivers the first three.
  func testASynchronousUpstreamLosesNothing() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...10).publisher.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, Array(1...10))
  }

  func testDroppedValuesAreHandedOver() {
    for (whenFull, dropped, kept) in [
      (Publishers.BufferingStrategy<Never>.dropOldest, [1, 2], [3, 4]), (.dropNewest, [3, 4], [1, 2]),
    ] {
      let upstream = TestPublisher<Int, Never>()
      let subscriber = TestSubscriber<Int, Never>(initial: .none)
      var lost: [Int] = []
      upstream.buffer(size: 2, prefetch: .byRequest, whenFull: whenFull) { lost.append($0) }.subscribe(subscriber)
      for value in 1...4 { upstream.send(value) }
      XCTAssertEqual(lost, dropped)
      subscriber.request(.unlimited)
      XCTAssertEqual(subscriber.values, kept)
    }
  }

  func testAnOverflowThatFailsCancelsUpstreamAndLosesNothingThatWasTaken() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<Int, Boom>(initial: .none)
    var dropped: [Int] = []
    upstream.buffer(size: 3, prefetch: .byRequest, whenFull: .customError { Boom() }, dropped: { dropped.append($0) })
      .subscribe(subscriber)
    for value in 1...5 { upstream.send(value) }
    XCTAssertEqual(upstream.cancels, 1)
    XCTAssertNil(subscriber.completion)
    upstream.send(completion: .finished)
    subscriber.request(.max(2))
    XCTAssertEqual(subscriber.values, [1, 2])
    XCTAssertNil(subscriber.completion)
    subscriber.request(.max(8))
    XCTAssertEqual(subscriber.values, [1, 2, 3])
    XCTAssertEqual(subscriber.failure, Boom())
    XCTAssertEqual(dropped, [4, 5])
    XCTAssertEqual(upstream.cancels, 1)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testFailureOvertakesTheQueue() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<Int, Boom>(initial: .none)
    upstream.buffer(size: 5, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .failure(Boom()))
    XCTAssertEqual(subscriber.failure, Boom())
    subscriber.request(.unlimited)
    XCTAssertEqual(subscriber.values, [])
    XCTAssertEqual(subscriber.violations, [])
  }

  func testAReentrantSendKeepsItsPlace() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .none) {
      if $0 == 1 { upstream.send(4) }
      return .none
    }
    upstream.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest).subscribe(subscriber)
    for value in 1...3 { upstream.send(value) }
    subscriber.request(.unlimited)
    XCTAssertEqual(subscriber.values, [1, 2, 3, 4])
    XCTAssertEqual(subscriber.violations, [])
  }

  /// While downstream is busy with one value, another thread may bring others without end.
  func testAnUnlimitedDemandLeavesTheBufferItsBound() {
    for whenFull in [Publishers.BufferingStrategy<Never>.dropNewest, .dropOldest] {
      let upstream = TestPublisher<Int, Never>()
      var lost = 0
      let subscriber = TestSubscriber<Int, Never>(initial: .none) {
        if $0 == 1 { for value in 2...100 { upstream.send(value) } }
        return .none
      }
      upstream.buffer(size: 3, prefetch: .byRequest, whenFull: whenFull) { _ in lost += 1 }.subscribe(subscriber)
      upstream.send(1)
      subscriber.request(.unlimited)
      XCTAssertEqual(subscriber.values.count, 4)
      XCTAssertEqual(lost, 96)
    }
  }

  /// What is asked for is on its way, and takes no place: what is sent from within a delivery comes like any other.
  func testWhatIsWantedIsNotDropped() {
    let strategies: [Publishers.BufferingStrategy<Never>] = [.dropNewest, .dropOldest]
    for (whenFull, kept) in zip(strategies, [[14, 15], [17, 18]]) {
      for takesRuns in [false, true] {
        let upstream = TestPublisher<Int, Never>()
        var lost: [Int] = []
        let subscriber = TestSubscriber<Int, Never>(initial: .max(4), takesRuns: takesRuns) {
          if $0 == 1 { for value in 11...18 { upstream.send(value) } }
          return .none
        }
        upstream.buffer(size: 2, prefetch: .byRequest, whenFull: whenFull) { lost.append($0) }.subscribe(subscriber)
        upstream.send(1)
        XCTAssertEqual(subscriber.values, [1, 11, 12, 13])
        subscriber.request(.unlimited)
        XCTAssertEqual(subscriber.values, [1, 11, 12, 13] + kept)
        XCTAssertEqual(lost, (14...18).filter { !kept.contains($0) })
        XCTAssertEqual(subscriber.violations, [])
      }
    }
  }

  func testASizeOfZeroHandsOnWhatIsWanted() {
    for whenFull in [Publishers.BufferingStrategy<Boom>.dropNewest, .dropOldest, .customError { Boom() }] {
      let upstream = TestPublisher<Int, Boom>()
      let subscriber = TestSubscriber<Int, Boom>(initial: .max(3)) {
        if $0 == 1 { for value in 2...4 { upstream.send(value) } }
        return .none
      }
      upstream.buffer(size: 0, prefetch: .byRequest, whenFull: whenFull).subscribe(subscriber)
      upstream.send(1)
      XCTAssertEqual(subscriber.values, [1, 2, 3])
      if case .customError = whenFull {
        XCTAssertEqual(subscriber.failure, Boom())
      } else {
        XCTAssertNil(subscriber.completion)
      }
      XCTAssertEqual(subscriber.violations, [])
    }
  }

  func testADroppedValuesDeinitMayCallBack() {
    final class Bomb {
      let body: () -> Void
      init(_ body: @escaping () -> Void = {}) { self.body = body }
      deinit { body() }
    }
    let upstream = TestPublisher<Bomb, Never>()
    var called = false
    let subscriber = TestSubscriber<Bomb, Never>(initial: .none)
    upstream.buffer(size: 1, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
    upstream.send(
      Bomb {
        called = true
        subscriber.request(.max(1))
      })
    upstream.send(Bomb())
    XCTAssertTrue(called)
    XCTAssertEqual(subscriber.values.count, 1)
  }

  func testTheCoreAlone() {
    var core = BufferCore<Int, Never>(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
    XCTAssertEqual(core.prefetch(0), .max(2))
    XCTAssertNil(core.step())
    XCTAssertNil(core.receive(1))
    XCTAssertNil(core.receive(2))
    XCTAssertEqual(core.receive(3), 3)
    core.request(.max(1))
    guard case .deliver(1)? = core.step() else { return XCTFail("no value") }
    guard case .request(.max(1), inlet: 0)? = core.step() else { return XCTFail("no request") }
    core.receive(completion: .finished)
    XCTAssertNil(core.step())
    core.request(.max(1))
    guard case .deliver(2)? = core.step() else { return XCTFail("no value") }
    guard case .request? = core.step(), case .complete(.finished)? = core.step() else { return XCTFail("no end") }
  }
}
