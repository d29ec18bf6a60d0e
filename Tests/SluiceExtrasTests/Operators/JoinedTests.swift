import Sluice
import SluiceTesting
import XCTest

@testable import SluiceExtras

final class JoinedTests: XCTestCase {
  func testOneAfterTheOther() {
    let subscriber = TestSubscriber<Int, Never>()
    [[1, 2], [], [3], [], []].publisher.joined().subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [1, 2, 3])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testOtherSequences() {
    let subscriber = TestSubscriber<Int, Never>()
    [stride(from: 0, to: 6, by: 2), stride(from: 7, to: 8, by: 1)].publisher.joined().subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [0, 2, 4, 7])
    let characters = TestSubscriber<Character, Never>()
    ["ab", "", "c"].publisher.joined().subscribe(characters)
    XCTAssertEqual(characters.values, ["a", "b", "c"])
  }

  func testAsManyAsAreAskedForAndOneSequenceAtATime() {
    let upstream = TestPublisher<[Int], Never>()
    let subscriber = TestSubscriber<Int, Never>(initial: .none)
    upstream.joined().subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [])
    subscriber.request(.max(1))
    XCTAssertEqual(upstream.requests, [.max(1)])
    XCTAssertEqual(upstream.send([]), .max(1), "it has no element")
    XCTAssertEqual(upstream.send([1, 2, 3]), .none)
    XCTAssertEqual(subscriber.values, [1])
    subscriber.request(.max(1))
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values, [1, 2, 3])
    XCTAssertEqual(upstream.demand, .max(2), "nobody wants more")
    subscriber.request(.max(1))
    XCTAssertEqual(upstream.demand, .max(3))
    subscriber.request(.unlimited)
    XCTAssertEqual(upstream.send([4, 5]), .unlimited)
    XCTAssertEqual(subscriber.values, [1, 2, 3, 4, 5])
    XCTAssertEqual(subscriber.violations, [])
  }

  func testLikeJoiningTheArrays() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed)
      let samples = Sample.random(100, keys: 3, interval: 5, using: &random)
      let output = outputs(of: samples, using: &random) { upstream in
        upstream.map { sample in Array(repeating: sample, count: Int(sample.number % 4)) }.joined()
      }
      XCTAssertEqual(output, samples.flatMap { Array(repeating: $0, count: Int($0.number % 4)) }, "seed \(seed)")
    }
  }

  func testCollectedAndJoinedIsAllThereWas() {
    for seed in 0..<100 {
      var random = SeededGenerator(seed)
      let samples = Sample.random(200, keys: 3, interval: 9, using: &random)
      let output = outputs(of: samples, using: &random) { upstream in
        upstream.collect(for: 9, count: 4, time: { $0.time }, key: { $0.key }).joined()
      }
      XCTAssertEqual(output.sorted { $0.number < $1.number }, samples, "seed \(seed)")
    }
  }

  func testAnArrayIsLetGoOfWithItsLastElementAndOutsideTheLock() {
    final class Probe {
      let onDeinit: () -> Void
      init(_ onDeinit: @escaping () -> Void) { self.onDeinit = onDeinit }
      deinit { onDeinit() }
    }
    let subject = PassthroughSubject<[Probe], Never>()
    let subscriber = TestSubscriber<Void, Never>(initial: .max(2))
    subject.joined().map { _ in }.subscribe(subscriber)
    var released = 0
    // A request from a deinit waits for ever if the lock is held.
    subject.send(
      (0..<2).map { _ in
        Probe {
          released += 1; subscriber.request(.max(1))
        }
      })
    XCTAssertEqual(released, 2)
    XCTAssertEqual(subscriber.values.count, 2)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testAFailureOvertakesAFinishWaits() {
    for fails in [true, false] {
      let upstream = TestPublisher<[Int], Boom>()
      let subscriber = TestSubscriber<Int, Boom>(initial: .max(1))
      upstream.joined().subscribe(subscriber)
      upstream.send([1, 2])
      upstream.send([3])  // that nobody asked for
      upstream.send(completion: fails ? .failure(Boom()) : .finished)
      XCTAssertEqual(subscriber.failure, fails ? Boom() : nil)
      XCTAssertFalse(subscriber.isFinished)
      subscriber.request(.max(5))
      XCTAssertEqual(subscriber.values, fails ? [1] : [1, 2, 3])
      XCTAssertEqual(subscriber.isFinished, !fails)
      XCTAssertEqual(subscriber.violations, [])
    }
  }

  func testCancellingInTheMiddleOfAnArray() {
    let upstream = TestPublisher<[Int], Boom>()
    var cancel: (() -> Void)?
    let subscriber = TestSubscriber<Int, Boom>(answer: { number in
      if number == 2 { cancel?() }
      return .max(1)
    })
    cancel = { [weak subscriber] in subscriber?.cancel() }
    upstream.joined().subscribe(subscriber)
    upstream.send([1, 2, 3])
    XCTAssertEqual(subscriber.values, [1, 2])
    XCTAssertEqual(upstream.cancels, 1)
  }
}
