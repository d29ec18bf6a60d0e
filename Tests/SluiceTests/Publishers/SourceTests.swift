import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// Just and sequences: cold, as they are asked for.
final class SourceTests: XCTestCase {
  func testDemandAddsUp() {
    var received = 0
    let subscriber = TestSubscriber<Int, Never>(initial: .max(2)) { _ in
      received += 1
      return received == 1 ? .max(3) : .none
    }
    (1...10).publisher.subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [1, 2, 3, 4, 5], "two asked for, then three more")
    subscriber.request(.max(5))
    XCTAssertEqual(subscriber.values.count, 10)
    XCTAssertTrue(subscriber.isFinished, "the end does not wait for demand")
  }

  func testAnEmptySequenceFinishesAtOnce() {
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    [Int]().publisher.subscribe(subscriber)
    XCTAssertTrue(subscriber.isSubscribed && subscriber.isFinished)
  }

  func testJustWaitsForDemand() {
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    Just(7).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [])
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values, [7])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testARequestFromWithinDoesNotRecurse() {
    var subscriber: TestSubscriber<Int, Never>?
    var depth = (now: 0, most: 0)
    subscriber = TestSubscriber(initial: .max(1)) { _ in
      depth.now += 1
      depth.most = max(depth.most, depth.now)
      subscriber?.request(.max(1))
      depth.now -= 1
      return .none
    }
    (0..<200_000).publisher.subscribe(subscriber!)
    XCTAssertEqual(subscriber?.values.count, 200_000)
    XCTAssertEqual(depth.most, 1)
  }

  func testCancelFromWithinStopsIt() {
    var subscriber: TestSubscriber<Int, Never>?
    subscriber = TestSubscriber {
      if $0 == 3 { subscriber?.cancel() }
      return .none
    }
    (1...10).publisher.subscribe(subscriber!)
    XCTAssertEqual(subscriber?.values, [1, 2, 3])
    XCTAssertNil(subscriber?.completion)
  }

  func testSinkAndAnyCancellable() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var cancellables = Set<AnyCancellable>()
    subject.sink { values.append($0) }.store(in: &cancellables)
    subject.send(1)
    cancellables.removeAll()
    subject.send(2)
    XCTAssertEqual(values, [1], "letting go of it stops the values")
    var count = 0
    let cancellable = AnyCancellable { count += 1 }
    cancellable.cancel()
    cancellable.cancel()
    XCTAssertEqual(count, 1)
  }

  func testSinkGetsTheEnd() {
    var log: [String] = []
    let cancellable = [1, 2].publisher.setFailureType(to: Boom.self)
      .sink(receiveCompletion: { log.append("\($0)") }, receiveValue: { log.append("\($0)") })
    XCTAssertEqual(log, ["1", "2", "finished"])
    cancellable.cancel()
  }

  func testErasure() {
    let erased: AnyPublisher<Int, Never> = [1, 2, 3].publisher.map { $0 * 2 }.eraseToAnyPublisher()
    let subscriber = TestSubscriber<Int, Never>()
    AnyPublisher(erased).subscribe(AnySubscriber(AnySubscriber(subscriber)))
    XCTAssertEqual(subscriber.values, [2, 4, 6])
  }
}
