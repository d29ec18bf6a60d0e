import Dispatch
import Sluice
import SluiceDispatch
import SluiceExtras
import SluiceTesting
import XCTest

final class ReceiveOnTests: XCTestCase {
  func testDeliversOnTheSchedulerInOrder() {
    let time = VirtualTimeScheduler()
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<Int, Boom>(initial: .max(3))
    upstream.receive(on: time).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.max(3)], "subscribing and requesting are not scheduled")
    upstream.send(1)
    upstream.send(2)
    upstream.send(completion: .failure(Boom()))
    XCTAssertEqual(subscriber.values, [])
    time.run()
    XCTAssertEqual(subscriber.values, [1, 2])
    XCTAssertEqual(subscriber.failure, Boom())
  }

  func testDemandReturnedIsForwardedLater() {
    let time = VirtualTimeScheduler()
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .max(2)) { _ in .max(1) }
    upstream.receive(on: time).subscribe(subscriber)
    XCTAssertEqual(upstream.send(1), .none)
    XCTAssertEqual(upstream.send(2), .none)
    time.run()
    XCTAssertEqual(upstream.requests, [.max(2), .max(2)])
  }

  func testOnAnImmediateSchedulerNothingWaits() {
    let subscriber = TestSubscriber<Int, Never>(initial: .max(1)) { _ in .max(1) }
    (0..<200_000).publisher.receive(on: ImmediateScheduler.shared).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.count, 200_000)
    XCTAssertTrue(subscriber.isFinished)
  }

  func testNothingComesAfterCancel() {
    let time = VirtualTimeScheduler()
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    upstream.receive(on: time).subscribe(subscriber)
    upstream.send(1)
    subscriber.cancel()
    time.run()
    XCTAssertEqual(subscriber.values, [])
    XCTAssertEqual(upstream.cancels, 1)
  }

  func testEverythingArrivesOnTheQueue() {
    let queue = DispatchQueue(label: "test")
    let key = DispatchSpecificKey<Bool>()
    queue.setSpecific(key: key, value: true)
    let done = expectation(description: "finished")
    let elsewhere = Locked(0)
    let subscriber = TestSubscriber<Int, Never>(
      initial: .max(10),
      answer: { _ in
        if DispatchQueue.getSpecific(key: key) != true { elsewhere.withLock { $0 += 1 } }
        return .max(1)
      }, ended: { _ in done.fulfill() })
    (0..<20_000).publisher.receive(on: queue).subscribe(subscriber)
    wait(for: [done], timeout: 60)
    XCTAssertEqual(subscriber.values, Array(0..<20_000))
    XCTAssertEqual(elsewhere.withLock { $0 }, 0)
    XCTAssertEqual(subscriber.violations, [])
  }
}
