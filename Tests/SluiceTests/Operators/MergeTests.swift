import Sluice
import SluiceTesting
import XCTest

final class MergeTests: XCTestCase {
  func testFinishesWithTheLast() {
    let (a, b) = (TestPublisher<Int, Never>(), TestPublisher<Int, Never>())
    let subscriber = TestSubscriber<Int, Never>()
    a.merge(with: b.map { $0 }).subscribe(subscriber)
    XCTAssertEqual(a.requests, [.unlimited])
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    XCTAssertNil(subscriber.completion)
    b.send(3)
    b.send(completion: .finished)
    XCTAssertEqual(subscriber.values, [1, 2, 3])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testAsksOneAheadOfEachWithFiniteDemand() {
    let inputs = (0..<3).map { _ in TestPublisher<Int, Never>() }
    let subscriber = TestSubscriber<Int, Never>(initial: .max(2))
    Publishers.MergeMany(inputs).subscribe(subscriber)
    XCTAssertEqual(inputs.map(\.demand), [.max(1), .max(1), .max(1)])
    XCTAssertEqual(inputs[0].send(1), .max(1))
    XCTAssertEqual(inputs[1].send(2), .max(1))
    XCTAssertEqual(inputs[2].send(3), .none)
    XCTAssertEqual(subscriber.values, [1, 2])
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values, [1, 2, 3])
    XCTAssertEqual(inputs[2].demand, .max(2))
    XCTAssertEqual(subscriber.violations, [])
  }

  func testAFailureEndsItAndCancelsTheOthers() {
    let (a, b) = (TestPublisher<Int, Boom>(), TestPublisher<Int, Boom>())
    let subscriber = TestSubscriber<Int, Boom>()
    a.merge(with: b).subscribe(subscriber)
    a.send(completion: .failure(Boom()))
    XCTAssertEqual(subscriber.failure, Boom())
    XCTAssertEqual(b.cancels, 1)
    b.send(1)
    XCTAssertEqual(subscriber.values, [])
  }

  func testOfNothingFinishes() {
    let subscriber = TestSubscriber<Int, Never>()
    Publishers.MergeMany([Just<Int>]()).subscribe(subscriber)
    XCTAssertTrue(subscriber.isFinished)
  }

  func testCancelReachesAll() {
    let inputs = (0..<3).map { _ in TestPublisher<Int, Never>() }
    let subscriber = TestSubscriber<Int, Never>()
    Publishers.MergeMany(inputs).subscribe(subscriber)
    subscriber.cancel()
    subscriber.cancel()
    XCTAssertEqual(inputs.map(\.cancels), [1, 1, 1])
  }
}
