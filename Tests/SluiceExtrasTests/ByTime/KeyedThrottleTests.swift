import DequeModule
import Sluice
import SluiceTesting
import XCTest

@testable import SluiceExtras

final class KeyedThrottleTests: XCTestCase {
  /// The rules as they are written, with nothing clever about them.
  private struct Model {
    struct Interval {
      var key: Int
      var start: Int64
      var order: Int
      var held: Sample?
    }
    let interval: Int64
    let latest: Bool
    var open: [Interval] = []
    var now: Int64?
    var order = 0
    var output: [Sample] = []
    var discarded: [Sample] = []

    mutating func receive(_ sample: Sample) {
      if let now, sample.time < now {
        if now - sample.time > interval, sample.key != nil {
          endAll()
          self.now = sample.time
        }
      } else {
        now = sample.time
        while let first = first, open[first].start + interval <= sample.time {
          var ended = open.remove(at: first)
          guard let held = ended.held else { continue }
          output.append(held)
          order += 1
          (ended.start, ended.order, ended.held) = (ended.start + interval, order, nil)
          open.append(ended)
        }
      }
      guard let key = sample.key else { return output.append(sample) }
      if let position = open.firstIndex(where: { $0.key == key }) {
        guard let held = open[position].held else {
          open[position].held = sample
          return
        }
        discarded.append(latest ? held : sample)
        if latest { open[position].held = sample }
        return
      }
      output.append(sample)
      if let now, sample.time + interval > now {
        order += 1
        open.append(Interval(key: key, start: sample.time, order: order))
      }
    }

    private var first: Int? { open.indices.min { (open[$0].start, open[$0].order) < (open[$1].start, open[$1].order) } }

    mutating func endAll() {
      while let first = first {
        if let held = open.remove(at: first).held { output.append(held) }
      }
    }
  }

  private func throttled<P: Publisher>(
    _ upstream: P, _ interval: Int, _ latest: Bool = true, onDiscard: ((Sample) -> Void)? = nil
  ) -> Publishers.KeyedThrottle<P, ClosureStamps<Sample, Int64, Int>> where P.Output == Sample {
    upstream.throttle(for: interval, latest: latest, time: { $0.time }, key: { $0.key }, onDiscard: onDiscard)
  }

  func testLikeANaiveModel() {
    for seed in 0..<600 {
      var random = SeededGenerator(seed)
      let interval = Int.random(in: 0...20, using: &random)
      let latest = Bool.random(using: &random)
      let keys = [1, 3, 40][seed % 3]
      let samples = Sample.random(200, keys: keys, interval: interval, using: &random)
      var model = Model(interval: Int64(interval), latest: latest)
      for sample in samples { model.receive(sample) }
      model.endAll()
      var discarded: [Sample] = []
      let output = outputs(of: samples, using: &random) { throttled($0, interval, latest) { discarded.append($0) } }
      XCTAssertEqual(output, model.output, "seed \(seed)")
      XCTAssertEqual(discarded, model.discarded, "seed \(seed)")
      XCTAssertEqual(
        (output + discarded).map(\.number).sorted(), Array(0..<200), "seed \(seed): each passes or is named")
    }
  }

  /// The short way alone must not change anything: it answers as the long way would.
  func testTheShortWayLikeTheLongOne() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed)
      let interval = Int.random(in: 0...20, using: &random)
      let samples = Sample.random(200, keys: 4, interval: interval, using: &random)
      var short = ThrottleIntervals<Sample, Int64, Int>(interval: interval, latest: true)
      var long = short
      var (fromShort, fromLong) = (Deque<Sample>(), Deque<Sample>())
      for sample in samples {
        var left: Sample?
        switch short.fate(at: sample.time, of: sample.key) {
        case .passes: fromShort.append(sample)
        case .meets(let slot): left = short.meet(sample, in: slot)
        case .undecided: left = short.receive(sample, at: sample.time, of: sample.key, into: &fromShort)
        }
        XCTAssertEqual(left, long.receive(sample, at: sample.time, of: sample.key, into: &fromLong), "seed \(seed)")
        XCTAssertEqual(fromShort, fromLong, "seed \(seed)")
        XCTAssertEqual(short.count, long.count, "seed \(seed)")
      }
    }
  }

  /// For one key: Combine's throttle on a clock that the elements move.
  func testLikeTheThrottleOnAVirtualClock() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed)
      let interval = Int.random(in: 1...20, using: &random)
      let samples = Sample.random(200, keys: 1, interval: interval, goesBack: false, using: &random)
        .filter { $0.key != nil }.sorted { $0.time < $1.time }
      let clock = VirtualTimeScheduler()
      let subject = PassthroughSubject<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>()
      subject.throttle(for: .nanoseconds(interval), scheduler: clock, latest: true).subscribe(subscriber)
      for sample in samples {
        clock.advance(to: .init(nanoseconds: sample.time))
        subject.send(sample)
      }
      subject.send(completion: .finished)
      clock.run()
      XCTAssertEqual(
        outputs(of: samples, using: &random) { throttled($0, interval) }, subscriber.values, "seed \(seed)")
    }
  }

  func testAnotherKeyEndsAnIntervalAndWhatWasHeldComesFirst() {
    let samples = [
      Sample(number: 0, time: 0, key: 1), Sample(number: 1, time: 2, key: 2), Sample(number: 2, time: 5, key: 2),
      Sample(number: 3, time: 7, key: 1), Sample(number: 4, time: 30, key: nil),
    ]
    let subscriber = TestSubscriber<Sample, Never>()
    throttled(samples.publisher, 10).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map(\.number), [0, 1, 3, 2, 4])
  }

  /// A clock that stays behind the elements: what it shows is nothing new.
  func testAMarkFarBehindEndsNothing() {
    var random = SeededGenerator(1)
    let passed = outputs(of: Sample.withMarksBehind(10), using: &random) { throttled($0, 50) }
    XCTAssertEqual(passed.filter { $0.key != nil }.map(\.time), [1_000, 1_040, 1_090])
  }

  func testATimeFarBackBeginsAnew() {
    let samples = [
      Sample(number: 0, time: 100, key: 1), Sample(number: 1, time: 105, key: 1),
      Sample(number: 2, time: 95, key: 1),  // late by the whole interval: takes the other's place
      Sample(number: 3, time: 94, key: 1), Sample(number: 4, time: 97, key: 1), Sample(number: 5, time: 104, key: nil),
    ]
    var discarded: [Int] = []
    let subscriber = TestSubscriber<Sample, Never>()
    throttled(samples.publisher, 10) { discarded.append($0.number) }.subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map(\.number), [0, 2, 3, 4, 5])
    XCTAssertEqual(discarded, [1])
  }

  func testNoTimeTraps() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed)
      let samples = Sample.extremes(100, using: &random)
      let interval = [0, 1, 3, .max, .max - 1, -1, .min][seed % 7]
      let output = outputs(of: samples, using: &random) { throttled($0, interval) }
      XCTAssertEqual(Set(output.map(\.number)).count, output.count)
    }
  }

  func testManyKeysThatComeOnceLeaveNothing() {
    var intervals = ThrottleIntervals<Int, Int64, Int>(interval: 100, latest: true)
    var ready: Deque<Int> = []
    var most = 0
    for key in 0..<200_000 {
      // 50,000 to an interval, and one key that is always there.
      _ = intervals.receive(key, at: Int64(key / 500), of: key % 100 == 0 ? -1 : key, into: &ready)
      ready.removeAll(keepingCapacity: true)
      most = max(most, intervals.count)
    }
    XCTAssertEqual(most, 49_501)
    for step in 0..<10 { _ = intervals.receive(step, at: 410 + Int64(step) * 20, of: -1, into: &ready) }
    XCTAssertEqual(intervals.count, 1)
    XCTAssertLessThanOrEqual(intervals.intervals.table.capacity, 64, "the places of the others are given back")
    XCTAssertLessThanOrEqual(intervals.intervals.inOrder.count, 1)
    _ = intervals.receive(0, at: 9_000, of: nil, into: &ready)
    XCTAssertEqual(intervals.count, 0)
  }

  func testAsksForNoMoreThanIsWantedAndAgainForWhatGivesNothing() {
    let upstream = TestPublisher<Sample, Never>()
    let subscriber = TestSubscriber<Sample, Never>(initial: .none)
    throttled(upstream, 10).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [])
    subscriber.request(.max(2))
    XCTAssertEqual(upstream.requests, [.max(2)])
    XCTAssertEqual(upstream.send(Sample(number: 0, time: 0, key: 1)), .none)
    XCTAssertEqual(upstream.send(Sample(number: 1, time: 1, key: 1)), .max(1), "it gave no output")
    XCTAssertEqual(upstream.send(Sample(number: 2, time: 10, key: 2)), .none, "it gave two")
    XCTAssertEqual(subscriber.values.map(\.number), [0, 1])
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values.map(\.number), [0, 1, 2], "nothing is dropped for want of demand")
    XCTAssertEqual(upstream.requests, [.max(2)])
    subscriber.request(.unlimited)
    XCTAssertEqual(upstream.requests, [.max(2), .unlimited])
    XCTAssertEqual(subscriber.violations, [])
  }

  /// What is asked for is what is wanted; what ends together waits, two elements for each key at most.
  func testWhatItKeepsIsBoundedByTheNumberOfKeys() {
    for seed in 0..<100 {
      var random = SeededGenerator(seed)
      let keys = Int.random(in: 1...12, using: &random)
      let samples = Sample.random(1_000, keys: keys, interval: 20, using: &random)
      let upstream = TestPublisher<Sample, Never>()
      let subscriber = TestSubscriber<Sample, Never>(initial: .none)
      var discarded = 0
      throttled(upstream, 20) { _ in discarded += 1 }.subscribe(subscriber)
      var sent = 0
      while sent < samples.count {
        subscriber.request(.max(seed % 2 == 0 ? 1 : Int.random(in: 1...30, using: &random)))
        while sent < samples.count, upstream.demand > sent {
          upstream.send(samples[sent])
          sent += 1
          let kept = sent - discarded - subscriber.values.count
          XCTAssertLessThanOrEqual(kept, 2 * keys, "seed \(seed)")
        }
      }
    }
  }

  func testAFailureComesAfterWhatIsHeldAndBeforeWhatNobodyAskedFor() {
    for wanted in [1, 2, 9] {
      let upstream = TestPublisher<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>(initial: .max(wanted))
      throttled(upstream, 10).subscribe(subscriber)
      for key in 0..<2 {
        upstream.send(Sample(number: key, time: 0, key: key))
        upstream.send(Sample(number: 10 + key, time: 1, key: key))
      }
      upstream.send(completion: .failure(Boom()))
      XCTAssertEqual(subscriber.values.map(\.number), Array([0, 1, 10, 11].prefix(wanted)))
      XCTAssertEqual(subscriber.failure, Boom())
      upstream.send(Sample(number: 20, time: 20, key: 1))
      XCTAssertEqual(subscriber.violations, [])
    }
  }

  func testNothingIsHeldOrNamedAfterCancelling() {
    let upstream = TestPublisher<Sample, Boom>()
    let subscriber = TestSubscriber<Sample, Boom>()
    var discarded = 0
    throttled(upstream, 10) { _ in discarded += 1 }.subscribe(subscriber)
    upstream.send(Sample(number: 0, time: 0, key: 1))
    upstream.send(Sample(number: 1, time: 1, key: 1))
    subscriber.cancel()
    upstream.send(Sample(number: 2, time: 2, key: 1))
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.values.map(\.number), [0])
    XCTAssertEqual(discarded, 0)
    XCTAssertNil(subscriber.completion)
    XCTAssertEqual(upstream.cancels, 1)
  }

  func testDiscardingMaySendAndRequest() {
    let subject = PassthroughSubject<Sample, Never>()
    let subscriber = TestSubscriber<Sample, Never>()
    throttled(subject, 10, false) { sample in
      if sample.number < 3 { subject.send(Sample(number: sample.number + 1, time: 0, key: sample.number / 2)) }
      subscriber.request(.max(1))
    }.subscribe(subscriber)
    // One passes, one is held, one is left out.
    for _ in 0..<3 { subject.send(Sample(number: 0, time: 0, key: 0)) }
    XCTAssertEqual(subscriber.values.map(\.number), [0, 3])
    XCTAssertEqual(subscriber.violations, [])
  }

  /// An upstream that goes on after the end, with what nobody has taken yet.
  func testARunAfterTheEndIsNotTaken() {
    let source = RunSource()
    let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
    throttled(source, 10).subscribe(subscriber)
    let run = (0..<40).map { Sample(number: $0, time: Int64(3 * $0), key: 1) }
    source.send(run[...])
    source.finish(goesOn: true)
    source.send(run[...])
    subscriber.cancel()
  }
}
