import Dispatch
import SluiceDispatch
import SluiceTesting
import XCTest

@testable import Sluice

/// Many threads at once, with a subscriber that notices overlap, disorder and excess. Run under ThreadSanitizer too.
final class StressTests: XCTestCase {
  private static let values = 5_000

  /// Values of one sender must arrive in the order in which it sent them.
  private func assertOrdered(_ values: [Int], senders: Int, file: StaticString = #filePath, line: UInt = #line) {
    for sender in 0..<senders {
      let own = values.filter { $0 % senders == sender }
      XCTAssertEqual(own, own.sorted(), file: file, line: line)
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
      let subscriber = TestSubscriber<Int, Never>()
      let queue = DispatchQueue(label: "stress")
      subject.receive(on: queue).subscribe(subscriber)
      onThreads(2) { thread in
        if thread == 0 {
          for value in 0..<Self.values { subject.send(value) }
        } else if round % 2 == 0 {
          subscriber.cancel()
        }
      }
      queue.sync {}
      XCTAssertEqual(subscriber.values, Array(0..<subscriber.values.count))
      if round % 2 == 1 { XCTAssertEqual(subscriber.values.count, Self.values) }
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
