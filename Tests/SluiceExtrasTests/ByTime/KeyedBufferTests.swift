import Sluice
import SluiceTesting
import XCTest

@testable import SluiceExtras

final class KeyedBufferTests: XCTestCase {
  private typealias Strategy = Publishers.BufferingStrategy<Boom>

  /// The rules as they are written, with nothing clever about them.
  private struct Model {
    let size: Int
    let dropsOldest: Bool
    var demand = 0
    var queue: [Sample] = []
    var gaps: Set<Int> = []  // keys of which the next to be delivered, after those queued, follows a gap
    var output: [Sample] = []
    var dropped: [Int] = []

    mutating func receive(_ sample: Sample) {
      guard let key = sample.key else { return }
      if demand == 0, queue.filter({ $0.key == key }).count >= size {
        guard dropsOldest, size > 0, let oldest = queue.firstIndex(where: { $0.key == key }) else {
          dropped.append(sample.number)
          gaps.insert(key)
          return
        }
        dropped.append(queue.remove(at: oldest).number)
        if let next = queue.firstIndex(where: { $0.key == key }) {
          queue[next].isMarked = true
        } else {
          gaps.insert(key)
        }
      }
      var sample = sample
      if gaps.remove(key) != nil { sample.isMarked = true }
      queue.append(sample)
      deliver()
    }

    mutating func request(_ more: Int) {
      demand += more
      deliver()
    }

    private mutating func deliver() {
      while demand > 0, !queue.isEmpty {
        output.append(queue.removeFirst())
        demand -= 1
      }
    }
  }

  private func buffered<P: Publisher>(
    _ upstream: P, _ size: Int, _ prefetch: Publishers.PrefetchStrategy,
    _ whenFull: Publishers.BufferingStrategy<P.Failure>,
    onDrop: ((Sample) -> Void)? = nil
  ) -> Publishers.KeyedBuffer<P, ClosureKeys<Sample, Int?>> where P.Output == Sample {
    upstream.buffer(
      size: size, key: { $0.key }, prefetch: prefetch, whenFull: whenFull, onDrop: onDrop,
      afterDrop: {
        XCTAssertFalse($0.isMarked, "once for each gap")
        $0.isMarked = true
      })
  }

  func testLikeANaiveModel() {
    for seed in 0..<600 {
      var random = SeededGenerator(seed)
      let size = Int.random(in: 0...4, using: &random)
      let dropsOldest = Bool.random(using: &random)
      let keys = [1, 3, 30][seed % 3]
      var model = Model(size: size, dropsOldest: dropsOldest)
      var dropped: [Int] = []
      let upstream = TestPublisher<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
      buffered(upstream, size, .byRequest, dropsOldest ? .dropOldest : .dropNewest) { dropped.append($0.number) }
        .subscribe(subscriber)
      for number in 0..<400 {
        if Int.random(in: 0..<4, using: &random) == 0 {
          let more = Int.random(in: 1...6, using: &random)
          subscriber.request(.max(more))
          model.request(more)
        }
        let sample = Sample(number: number, time: 0, key: Int.random(in: 0..<keys, using: &random))
        upstream.send(sample)
        model.receive(sample)
        XCTAssertEqual(subscriber.values, model.output, "seed \(seed)")
        XCTAssertEqual(dropped, model.dropped, "seed \(seed)")
      }
      upstream.send(completion: .finished)
      subscriber.request(.unlimited)
      model.request(1_000)
      XCTAssertEqual(subscriber.values, model.output, "seed \(seed)")
      XCTAssertTrue(subscriber.isFinished, "seed \(seed)")
      XCTAssertEqual(subscriber.violations, [], "seed \(seed)")
    }
  }

  func testKeepFullDropsNothing() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed)
      let samples = (0..<100).map { Sample(number: $0, time: 0, key: Int.random(in: 0..<3, using: &random)) }
      let size = Int.random(in: 0...4, using: &random)
      let upstream = TestPublisher<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
      buffered(upstream, size, .keepFull, .dropOldest) { XCTFail("seed \(seed): dropped \($0)") }.subscribe(subscriber)
      XCTAssertEqual(upstream.demand, .max(size))
      for sample in samples {
        while upstream.demand <= sample.number { subscriber.request(.max(Int.random(in: 1...5, using: &random))) }
        upstream.send(sample)
        XCTAssertLessThanOrEqual(upstream.demand, .max(subscriber.values.count + Swift.max(size, 5)))
      }
      upstream.send(completion: .finished)
      subscriber.request(.unlimited)
      XCTAssertEqual(subscriber.values, samples, "seed \(seed)")
      XCTAssertTrue(subscriber.isFinished)
    }
  }

  func testAChattyKeyDoesNotPushOutAQuietOne() {
    let upstream = TestPublisher<Sample, Boom>()
    let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
    buffered(upstream, 2, .byRequest, .dropOldest).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [.unlimited])
    upstream.send(Sample(number: 0, time: 0, key: 2))
    for number in 1..<100 { upstream.send(Sample(number: number, time: 0, key: 1)) }
    subscriber.request(.unlimited)
    XCTAssertEqual(subscriber.values.map(\.description), ["#0@0/2", "#98@0/1!", "#99@0/1"])
  }

  func testEachGapIsMarkedOnceForBothPolicies() {
    for (strategy, size, expected) in [
      (Strategy.dropOldest, 2, ["#2!", "#3", "#4"]), (.dropNewest, 2, ["#0", "#1", "#4!"]),
      (.dropOldest, 1, ["#3!", "#4"]), (.dropNewest, 1, ["#0", "#4!"]), (.dropOldest, 0, ["#4!"]),
      (.dropNewest, 0, ["#4!"]),
    ] {
      let upstream = TestPublisher<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
      buffered(upstream, size, .byRequest, strategy).subscribe(subscriber)
      for number in 0..<4 { upstream.send(Sample(number: number, time: 0, key: 1)) }
      subscriber.request(.unlimited)
      upstream.send(Sample(number: 4, time: 0, key: 1))
      XCTAssertEqual(
        subscriber.values.map { "#\($0.number)\($0.isMarked ? "!" : "")" }, expected, "\(strategy) \(size)")
    }
  }

  func testOverflowCanFailAndSaysWhatDidNotFit() {
    for size in 0...2 {
      let upstream = TestPublisher<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
      var dropped: [Int] = []
      buffered(upstream, size, .byRequest, .customError { Boom() }) { dropped.append($0.number) }.subscribe(subscriber)
      for number in 0..<size {
        upstream.send(Sample(number: 10 + number, time: 0, key: 2))
        upstream.send(Sample(number: number, time: 0, key: 1))
      }
      XCTAssertNil(subscriber.completion)
      upstream.send(Sample(number: size, time: 0, key: 1))
      XCTAssertEqual(subscriber.failure, Boom())
      XCTAssertEqual(dropped, [size])
      XCTAssertEqual(upstream.cancels, 1)
      XCTAssertEqual(subscriber.values, [])
    }
  }

  func testDroppingTheOldestTakesNoMoreAndMoreMemory() {
    var queue = KeyedQueue<Int, Int>(size: 3, dropsOldest: true, marksGaps: true)
    _ = queue.append(-1, of: -1, isWanted: false)
    for number in 0..<200_000 {
      _ = queue.append(number, of: number % 5, isWanted: false)
      if number % 1_000 == 0 { XCTAssertLessThan(queue.entries.count, 64) }
    }
    XCTAssertEqual(queue.count, 16)
    var left: [Int] = []
    while let element = queue.popFirst() { left.append(element.element) }
    XCTAssertEqual(left, [-1] + Array(199_985..<200_000))
    XCTAssertEqual(queue.lines.count, 0)
  }

  func testManyKeysThatComeOnceLeaveNothing() {
    var queue = KeyedQueue<Int, Int>(size: 1, dropsOldest: true, marksGaps: true)
    var expected = 0
    for key in 0..<200_000 {
      _ = queue.append(key, of: key, isWanted: false)
      guard queue.count == 50_000 else { continue }
      // One stays, so that the keys never are all gone.
      while queue.count > 1, let element = queue.popFirst() {
        XCTAssertEqual(element.element, expected)
        expected += 1
      }
    }
    while queue.count > 1 { _ = queue.popFirst() }
    XCTAssertEqual(queue.lines.count, 1)
    XCTAssertLessThanOrEqual(queue.lines.capacity, 64, "the places of the others are given back")
    XCTAssertEqual(queue.popFirst()?.element, 199_999)
    XCTAssertEqual(queue.lines.count, 0)
  }

  func testSendingAndRequestingFromTheHooks() {
    let subject = PassthroughSubject<Sample, Never>()
    let subscriber = TestSubscriber<Sample, Never>(initial: .none)
    var sent = 0
    let send = {
      sent += 1
      subject.send(Sample(number: sent, time: 0, key: 1))
    }
    subject.buffer(
      size: 1, key: { $0.key }, prefetch: .byRequest, whenFull: .dropOldest,
      onDrop: { _ in if sent < 5 { send() } },
      afterDrop: {
        $0.isMarked = true
        if sent < 10 { send() }
        subscriber.request(.max(1))
      }
    ).subscribe(subscriber)
    send()
    send()
    XCTAssertEqual(sent, 5)
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values.map(\.number), [5, 6])
    XCTAssertEqual(subscriber.values.map(\.isMarked), [true, false])
    XCTAssertEqual(subscriber.violations, [])
  }

  /// Between the two, upstream's thread may bring another element.
  func testWhatWasMarkedGoesBeforeWhatComesMeanwhile() {
    typealias Core = KeyedBufferCore<Int, Never, Int?>
    var core = Core(size: 1, prefetch: .byRequest, whenFull: .dropOldest, marksGaps: true)
    XCTAssertNil(core.receive(1, of: 1))
    XCTAssertEqual(core.receive(2, of: 1), 1)
    core.request(.max(3))
    var out = Operators.Outbox<Core>()
    guard case .perform? = core.next(&out)?.kind else { return XCTFail("it is to be marked") }
    core.isMarking = false
    XCTAssertEqual(core.marked, 2)
    XCTAssertNil(core.pass(3))
    guard case .deliver? = core.next(&out)?.kind else { return XCTFail("it is to be delivered") }
    XCTAssertEqual(core.pass(3), 3)
  }

  func testManyKeysOfWhichAllIsDroppedLeaveNothing() {
    for dropsOldest in [true, false] {
      var queue = KeyedQueue<Int, Int>(size: 0, dropsOldest: dropsOldest, marksGaps: false)
      for key in 0..<200_000 { XCTAssertEqual(queue.append(key, of: key, isWanted: false), key) }
      XCTAssertEqual(queue.lines.count, 0)
      XCTAssertLessThan(queue.lines.capacity, 100)
    }
  }

  func testNothingAfterCancellingAndAFailureOvertakes() {
    for cancels in [true, false] {
      let upstream = TestPublisher<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>(initial: .max(1))
      var dropped = 0
      buffered(upstream, 1, .byRequest, .dropNewest) { _ in dropped += 1 }.subscribe(subscriber)
      for number in 0..<3 { upstream.send(Sample(number: number, time: 0, key: 1)) }
      XCTAssertEqual(dropped, 1)
      if cancels { subscriber.cancel() } else { upstream.send(completion: .failure(Boom())) }
      upstream.send(Sample(number: 3, time: 0, key: 1))
      subscriber.subscription?.request(.max(5))
      XCTAssertEqual(subscriber.values.map(\.number), [0])
      XCTAssertEqual(subscriber.failure, cancels ? nil : Boom())
      XCTAssertEqual(dropped, 1)
      XCTAssertEqual(subscriber.violations, [])
    }
  }
}
