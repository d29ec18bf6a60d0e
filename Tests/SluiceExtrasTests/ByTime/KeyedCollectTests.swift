import DequeModule
import Sluice
import SluiceTesting
import XCTest

@testable import SluiceExtras

final class KeyedCollectTests: XCTestCase {
  /// The rules as they are written, with nothing clever about them.
  private struct Model {
    struct Group {
      var key: Int
      var start: Int64
      var order: Int
      var samples: [Sample]
    }
    let interval: Int64?
    let count: Int?
    var open: [Group] = []
    var now: Int64?
    var order = 0
    var output: [[Sample]] = []

    mutating func receive(_ sample: Sample) {
      if let now, let interval, sample.time < now {
        if now - sample.time > interval, sample.key != nil {
          endAll()
          self.now = sample.time
        }
      } else {
        now = sample.time
        endPassed()
      }
      guard let key = sample.key else { return output.append([sample]) }
      if let position = open.firstIndex(where: { $0.key == key }) {
        open[position].samples.append(sample)
      } else {
        order += 1
        open.append(Group(key: key, start: sample.time, order: order, samples: [sample]))
      }
      if let position = open.firstIndex(where: { $0.samples.count >= max(count ?? .max, 1) }) {
        output.append(open.remove(at: position).samples)
      }
      // A late one may have begun a group that has ended already.
      if let now, sample.time < now { endPassed() }
    }

    /// Where no group ends by time the order of the times says nothing.
    private var first: Int? {
      open.indices.min {
        interval == nil
          ? open[$0].order < open[$1].order : (open[$0].start, open[$0].order) < (open[$1].start, open[$1].order)
      }
    }

    private mutating func endPassed() {
      while let now, let interval, let first = first, open[first].start + interval <= now {
        output.append(open.remove(at: first).samples)
      }
    }

    mutating func endAll() {
      while let first = first { output.append(open.remove(at: first).samples) }
    }
  }

  private func collected<P: Publisher>(
    _ upstream: P, _ interval: Int?, _ count: Int? = nil
  ) -> Publishers.KeyedCollect<P, ClosureStamps<Sample, Int64, Int>> where P.Output == Sample {
    upstream.collect(for: interval, count: count, time: { $0.time }, key: { $0.key })
  }

  func testLikeANaiveModel() {
    for seed in 0..<600 {
      var random = SeededGenerator(seed)
      let interval = Int.random(in: 0...20, using: &random)
      let byTime = seed % 4 != 0
      let count = Bool.random(using: &random) ? Int.random(in: 0...6, using: &random) : nil
      let samples = Sample.random(200, keys: [1, 3, 40][seed % 3], interval: interval, using: &random)
      var model = Model(interval: byTime ? Int64(interval) : nil, count: count)
      for sample in samples { model.receive(sample) }
      model.endAll()
      let output = outputs(of: samples, using: &random) { collected($0, byTime ? interval : nil, count) }
      XCTAssertEqual(output, model.output, "seed \(seed)")
    }
  }

  /// A clock that stays behind the elements: what it shows is nothing new.
  func testAMarkFarBehindEndsNothing() {
    var random = SeededGenerator(1)
    let groups = outputs(of: Sample.withMarksBehind(10), using: &random) { collected($0, 50) }
    XCTAssertEqual(
      groups.filter { $0[0].key != nil }.map { $0.map(\.time) },
      [
        [1_000, 1_010, 1_020, 1_030, 1_040], [1_050, 1_060, 1_070, 1_080, 1_090],
      ])
  }

  func testGroupsOfOneSecondEachOnItsOwn() {
    //  key 1   0   4         11
    //  key 2     2     9  10       13
    let times: [(Int64, Int?)] = [(0, 1), (2, 2), (4, 1), (9, 2), (10, 2), (11, 1), (13, 2), (13, nil)]
    let samples = times.enumerated().map { Sample(number: $0.offset, time: $0.element.0, key: $0.element.1) }
    let subscriber = TestSubscriber<[Sample], Never>()
    collected(samples.publisher, 10).subscribe(subscriber)
    XCTAssertEqual(subscriber.values.map { $0.map(\.number) }, [[0, 2], [1, 3, 4], [7], [5], [6]])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testNoTimeTraps() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed)
      let samples = Sample.extremes(100, using: &random)
      let interval = [0, 1, 3, .max, .max - 1, -1, .min][seed % 7]
      let output = outputs(of: samples, using: &random) { collected($0, interval, seed % 2 == 0 ? 3 : nil) }
      XCTAssertEqual(output.flatMap { $0 }.map(\.number).sorted(), Array(0..<100))
    }
  }

  func testManyKeysThatComeOnceLeaveNothing() {
    var groups = CollectIntervals<Int, Int64, Int>(interval: 100, count: 1_000)
    var ready: Deque<[Int]> = []
    var (most, elements) = (0, 0)
    for key in 0..<200_000 {
      groups.receive(key, at: Int64(key / 500), of: key % 100 == 0 ? -1 : key, into: &ready)
      while let group = ready.popFirst() { elements += group.count }
      most = max(most, groups.count)
    }
    XCTAssertLessThanOrEqual(most, 50_000)
    for step in 0..<10 { groups.receive(step, at: 410 + Int64(step) * 20, of: -1, into: &ready) }
    XCTAssertEqual(groups.count, 1)
    XCTAssertLessThanOrEqual(groups.groups.table.capacity, 64, "the places of the others are given back")
    groups.endAll(into: &ready)
    XCTAssertEqual(elements + ready.reduce(0) { $0 + $1.count }, 200_010)
    XCTAssertEqual(groups.count, 0)
  }

  /// Groups that are complete before their time leave no trace in the order of the others.
  func testGroupsByCountWithinOneLongInterval() {
    var groups = CollectIntervals<Int, Int64, Int>(interval: .max, count: 2)
    var ready: Deque<[Int]> = []
    groups.receive(-1, at: 0, of: -1, into: &ready)
    for number in 0..<300_000 {
      groups.receive(number, at: 1, of: number % 3, into: &ready)
      ready.removeAll(keepingCapacity: true)
      if number % 1_000 == 0 { XCTAssertLessThan(groups.groups.inOrder.count, 80) }
    }
    XCTAssertLessThanOrEqual(groups.count, 4)
    groups.endAll(into: &ready)
    XCTAssertEqual(ready.first, [-1])
  }

  func testAsksForAsManyAsTheGroupsThatAreWantedTake() {
    for (count, ratio) in [(3, 3), (1_000, 256), (nil, 256)] {
      let upstream = TestPublisher<Sample, Never>()
      let subscriber = TestSubscriber<[Sample], Never>(initial: .none)
      collected(upstream, 10, count).subscribe(subscriber)
      XCTAssertEqual(upstream.requests, [])
      subscriber.request(.max(2))
      XCTAssertEqual(upstream.requests, [.max(2 * ratio)])
      XCTAssertEqual(upstream.send(Sample(number: 0, time: 0, key: 1)), .max(1), "it completes no group")
      upstream.send(Sample(number: 1, time: 10, key: nil))
      XCTAssertEqual(subscriber.values.map { $0.map(\.number) }, [[0], [1]])
      XCTAssertEqual(upstream.demand, .max(2 * ratio + 1), "nobody wants more")
      upstream.send(Sample(number: 2, time: 20, key: nil))
      XCTAssertEqual(subscriber.values.count, 2)
      subscriber.request(.max(1))
      XCTAssertEqual(subscriber.values.last?.map(\.number), [2])
      subscriber.request(.unlimited)
      XCTAssertEqual(upstream.requests.last, .unlimited)
      XCTAssertEqual(subscriber.violations, [])
    }
  }

  func testAFailureDiscardsAndAFinishWaits() {
    let failing = TestPublisher<Sample, Boom>()
    let first = TestSubscriber<[Sample], Boom>()
    collected(failing, 10).subscribe(first)
    failing.send(Sample(number: 0, time: 0, key: 1))
    failing.send(completion: .failure(Boom()))
    XCTAssertEqual(first.failure, Boom())
    XCTAssertEqual(first.values, [])

    let finishing = TestPublisher<Sample, Boom>()
    let second = TestSubscriber<[Sample], Boom>(initial: .max(1))
    collected(finishing, 10).subscribe(second)
    for key in 0..<3 { finishing.send(Sample(number: key, time: Int64(key), key: key)) }
    finishing.send(completion: .finished)
    XCTAssertEqual(second.values.map { $0.map(\.number) }, [[0]])
    XCTAssertNil(second.completion)
    second.request(.max(2))
    XCTAssertEqual(second.values.map { $0.map(\.number) }, [[0], [1], [2]])
    XCTAssertTrue(second.isFinished)
  }

  func testNothingAfterCancellingFromWithinReceive() {
    let upstream = TestPublisher<Sample, Boom>()
    var cancel: (() -> Void)?
    let subscriber = TestSubscriber<[Sample], Boom>(answer: { _ in
      cancel?()
      return .unlimited
    })
    collected(upstream, 10).subscribe(subscriber)
    cancel = { [weak subscriber] in subscriber?.cancel() }
    for key in 0..<3 { upstream.send(Sample(number: key, time: 0, key: key)) }
    upstream.send(Sample(number: 3, time: 10, key: nil))
    upstream.send(completion: .finished)
    XCTAssertEqual(subscriber.values.count, 1)
    XCTAssertNil(subscriber.completion)
    XCTAssertEqual(upstream.cancels, 1)
  }

  /// An upstream that goes on after the end, with what nobody has taken yet.
  func testARunAfterTheEndIsNotTaken() {
    let source = RunSource()
    let subscriber = TestSubscriber<[Sample], Boom>(initial: .none)
    collected(source, 10).subscribe(subscriber)
    let run = (0..<40).map { Sample(number: $0, time: Int64(3 * $0), key: 1) }
    source.send(run[...])
    source.finish(goesOn: true)
    source.send(run[...])
    subscriber.cancel()
  }
}
