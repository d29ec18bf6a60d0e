import Sluice
import SluiceTesting
import XCTest

/// map, filter, compactMap, scan and setFailureType: one input, at most one output, upstream's own subscription.
final class ChainTests: XCTestCase {
  func testMapFilterScanCompactMap() {
    let subscriber = TestSubscriber<String, Never>()
    ["1", "x", "2", "3", "4"].publisher.eraseToAnyPublisher()
      .compactMap { Int($0) }.filter { $0 != 3 }.scan(0) { $0 + $1 }.map { "<\($0)>" }
      .subscribe(subscriber)
    XCTAssertEqual(subscriber.values, ["<1>", "<3>", "<7>"])
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testFilterAndCompactMapAskAgainForWhatTheyLeaveOut() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .max(2))
    upstream.filter { $0 > 1 }.compactMap { $0 > 2 ? $0 : nil }.subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.max(2)])
    XCTAssertEqual(upstream.send(1), .max(1))
    XCTAssertEqual(upstream.send(2), .max(1))
    XCTAssertEqual(upstream.send(3), .none)
    XCTAssertEqual(subscriber.values, [3])
  }

  func testDemandAnswerAndCancelPassThrough() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<Int, Boom>(initial: .max(1)) { $0 == 2 ? .max(3) : .none }
    upstream.map { $0 * 2 }.scan(0) { _, new in new }.subscribe(subscriber)
    XCTAssertEqual(upstream.send(1), .max(3))
    subscriber.request(.max(5))
    XCTAssertEqual(upstream.requests, [.max(1), .max(5)])
    subscriber.cancel()
    XCTAssertEqual(upstream.cancels, 1)
  }

  func testFailurePassesThrough() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<Int, Boom>()
    upstream.map { $0 }.filter { _ in true }.scan(0) { $0 + $1 }.compactMap { $0 }.subscribe(subscriber)
    upstream.send(completion: .failure(Boom()))
    XCTAssertEqual(subscriber.failure, Boom())
  }

  func testOperatorsOnThemselvesFuse() {
    let fused: Publishers.Map<Publishers.Sequence<ClosedRange<Int>, Never>, Int> =
      (1...3).publisher.map { $0 + 1 }.map { $0 * 10 }
    let filtered: Publishers.Filter<Publishers.Sequence<ClosedRange<Int>, Never>> =
      (1...6).publisher.filter { $0 % 2 == 0 }.filter { $0 > 2 }
    let subscriber = TestSubscriber<Int, Never>()
    fused.merge(with: filtered).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [20, 30, 40, 4, 6])
  }

  func testSetFailureTypeCombinesWithWhatCanFail() {
    let subscriber = TestSubscriber<Int, Boom>()
    Just(1).setFailureType(to: Boom.self).merge(with: TestPublisher<Int, Boom>()).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [1])
    XCTAssertNil(subscriber.completion)
  }

  func testEveryScanHasItsOwnResult() {
    let sums = [1, 2].publisher.eraseToAnyPublisher().scan(0) { $0 + $1 }
    for _ in 0..<2 {
      let subscriber = TestSubscriber<Int, Never>()
      sums.subscribe(subscriber)
      XCTAssertEqual(subscriber.values, [1, 3])
    }
  }

  /// The contract of documents.md: subscribe, subscription, request, values, completion, in this order.
  func testTheOrderOfCalls() {
    var log: [String] = []
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: {
        log.append("subscription")
        $0.request(.max(2))
      },
      receiveValue: {
        log.append("value \($0)")
        return $0 == 2 ? .max(1) : .none
      },
      receiveCompletion: { log.append("\($0)") })
    [1, 2, 3].publisher.subscribe(subscriber)
    XCTAssertEqual(log, ["subscription", "value 1", "value 2", "value 3", "finished"])
  }

  /// A publisher as everybody writes it drives a chain as our own do.
  func testAUsersOwnPublisher() {
    final class CountSubscription<S: Subscriber>: Subscription where S.Input == Int, S.Failure == Never {
      var subscriber: S?
      var next = 0
      init(_ subscriber: S) { self.subscriber = subscriber }
      func request(_ demand: Subscribers.Demand) {
        var left = demand
        while left != .none, let subscriber, next < 5 {
          next += 1
          left -= 1
          left += subscriber.receive(next)
        }
        if next == 5 {
          subscriber?.receive(completion: .finished)
          subscriber = nil
        }
      }
      func cancel() { subscriber = nil }
    }
    struct Count: Publisher {
      typealias Output = Int
      typealias Failure = Never
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        subscriber.receive(subscription: CountSubscription(subscriber))
      }
    }
    let subscriber = TestSubscriber<[Int], Never>()
    Count().map { $0 * 2 }.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest).collect(2).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [[2, 4], [6, 8], [10]])
    XCTAssertTrue(subscriber.isFinished)
  }
}
