import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

/// The values of a publisher for `for await`.
final class AsyncPublisherTests: XCTestCase {
  private let upstream = TestPublisher<Int, Never>()

  func testAsksForOneValueWheneverSomebodyWaits() async {
    upstream.onRequest = { [upstream] demand in
      let number = upstream.requests.count
      if number <= 3 { upstream.send(number) } else { upstream.send(completion: .finished) }
      XCTAssertEqual(demand, .max(1))
    }
    var values: [Int] = []
    for await value in upstream.values { values.append(value) }
    XCTAssertEqual(values, [1, 2, 3])
    XCTAssertEqual(upstream.requests.count, 4)
    XCTAssertEqual(upstream.cancels, 0, "what has ended is not cancelled")
  }

  func testNothingIsAskedForBeforeSomebodyWaits() {
    let iterator = upstream.values.makeAsyncIterator()
    XCTAssertEqual(upstream.requests, [])
    withExtendedLifetime(iterator) {}
  }

  func testAnIteratorThatGoesCancels() {
    var iterator: AsyncPublisher<TestPublisher<Int, Never>>.Iterator? = upstream.values.makeAsyncIterator()
    XCTAssertNotNil(iterator)
    XCTAssertEqual(upstream.cancels, 0)
    iterator = nil
    XCTAssertEqual(upstream.cancels, 1)
  }

  func testACopyOfAnIteratorKeepsTheSubscription() {
    var iterator: AsyncPublisher<TestPublisher<Int, Never>>.Iterator? = upstream.values.makeAsyncIterator()
    var copy = iterator
    iterator = nil
    XCTAssertEqual(upstream.cancels, 0)
    withExtendedLifetime(copy) {}
    copy = nil
    XCTAssertEqual(upstream.cancels, 1)
  }

  func testLeavingTheLoopCancelsAndLetsGoOfEverything() async {
    let before = Token.alive
    typealias Operation = (AnyPublisher<Token, Never>) -> AnyPublisher<Token, Never>
    let operations: [Operation] = [
      { $0 }, { $0.buffer(size: 8, prefetch: .byRequest, whenFull: .dropNewest).eraseToAnyPublisher() },
    ]
    for make in operations {
      let source = TestPublisher<Token, Never>()
      var number = 0
      source.onRequest = { demand in
        for _ in 0..<(demand.max ?? 3) {
          number += 1
          source.send(Token(number))
        }
      }
      for await token in make(source.eraseToAnyPublisher()).values where token.number == 2 { break }
      XCTAssertEqual(source.cancels, 1)
      source.disconnect()
      source.onRequest = nil
    }
    XCTAssertEqual(Token.alive, before)
  }

  func testLeavingTheLoopOfOneThatThrowsCancels() async throws {
    let source = TestPublisher<Int, Boom>()
    source.onRequest = { _ in source.send(1) }
    for try await _ in source.values { break }
    XCTAssertEqual(source.cancels, 1)
    source.onRequest = nil
  }

  func testAFailureIsThrownOnce() async {
    var iterator = Fail<Int, Boom>(error: Boom()).values.makeAsyncIterator()
    do {
      _ = try await iterator.next()
      XCTFail("nothing was thrown")
    } catch {
      XCTAssertTrue(error is Boom)
    }
    let next = try? await iterator.next()
    XCTAssertNil(next)
  }

  /// The Swift 6.3 compiler crashes here if the iterator throws the failure's own type.
  func testFunctionsThatRethrow() async throws {
    let numbers = (1...3).publisher.setFailureType(to: Boom.self)
    let first = try? await numbers.values.first { $0 > 1 }
    XCTAssertEqual(first, 2)
    do {
      let sum = try await numbers.values.reduce(0, +)
      XCTAssertEqual(sum, 6)
      _ = try await Fail<Int, Boom>(error: Boom()).values.contains(1)
      XCTFail("nothing was thrown")
    } catch let error as Boom {
      XCTAssertEqual(error, Boom())
    }
  }

  func testASecondSubscriptionIsCancelledAndTheFirstIsKept() {
    let iterator = upstream.values.makeAsyncIterator()
    XCTAssertEqual(upstream.subscribeAgain(), 1)
    XCTAssertEqual(upstream.cancels, 0)
    withExtendedLifetime(iterator) {}
  }

  /// An upstream that answers only later is cancelled when it does.
  func testAnIteratorThatGoesBeforeTheSubscriptionHasCome() {
    let time = VirtualTimeScheduler()
    let late = LateSubscription(upstream, on: time)
    var iterator: AsyncPublisher<LateSubscription<TestPublisher<Int, Never>>>.Iterator? = late.values
      .makeAsyncIterator()
    withExtendedLifetime(iterator) {}
    iterator = nil
    time.run()
    XCTAssertEqual(upstream.cancels, 1)
    XCTAssertEqual(upstream.requests, [])
  }

  /// A task that is cancelled while it waits gets the end, and upstream a cancellation.
  func testCancellingTheTask() async {
    let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
    upstream.onRequest = { _ in isAsked.yield() }
    let task = Task { [upstream] () -> [Int] in
      var values: [Int] = []
      for await value in upstream.values { values.append(value) }
      return values
    }
    for await _ in asked { break }
    task.cancel()
    let values = await task.value
    XCTAssertEqual(values, [])
    XCTAssertEqual(upstream.cancels, 1)
  }

  /// Each iteration has a subscription of its own.
  func testTwoLoopsOverASubject() async {
    let subject = CurrentValueSubject<Int, Never>(0)
    var (first, second) = (subject.values.makeAsyncIterator(), subject.values.makeAsyncIterator())
    let (a, b) = (await first.next(), await second.next())
    XCTAssertEqual([a, b], [0, 0])
    for value in 1...3 { subject.send(value) }
    let c = await first.next()
    subject.send(4)
    let d = await second.next()
    XCTAssertEqual([c, d], [3, 4], "the latest that each has not had")
  }

  func testSendersWhileTheTaskIsCancelled() async {
    for round in 0..<100 {
      let subject = PassthroughSubject<Int, Never>()
      let task = Task { () -> Bool in
        var last = -1
        for await value in subject.values {
          if value <= last { return false }
          last = value
        }
        return true
      }
      onThreads(2) { thread in
        if thread == 0 { for value in 0..<50 { subject.send(value) } } else if round % 2 == 0 { task.cancel() }
      }
      task.cancel()
      let isOrdered = await task.value
      XCTAssertTrue(isOrdered)
    }
  }
}
