import Foundation
import Sluice
import SluiceTesting
import XCTest

@testable import SluiceExtras

final class MergeByTimeTests: XCTestCase {
  private struct Stamps: ElementStamps {
    func key(of sample: Sample) -> Int? { sample.key }
    func time(of sample: Sample) -> Int64 { sample.time }
  }

  private func merged(
    _ sources: [TestPublisher<Sample, Boom>], _ marks: TestPublisher<Sample, Boom>
  ) -> Publishers.MergeByTime<TestPublisher<Sample, Boom>, TestPublisher<Sample, Boom>, Stamps> {
    Publishers.MergeByTime(sources, marks: marks, by: Stamps()) {
      XCTAssertFalse($0.isMarked)
      $0.isMarked = true
    }
  }

  private func sample(_ time: Int64, _ key: Int? = 0) -> Sample { Sample(number: 0, time: time, key: key) }

  /// Sources that come in order are merged in order, whoever comes first and however much is wanted at a time.
  func testTheOrderIsThatOfTheTimes() {
    for seed in 0..<300 {
      var random = SeededGenerator(seed)
      let count = Int.random(in: 1...4, using: &random)
      var left = (0..<count).map { key in
        var time: Int64 = 0
        return (0..<Int.random(in: 0...60, using: &random)).map { _ -> Sample in
          time += Int64.random(in: 0...5, using: &random)
          return sample(time, key)
        }
      }
      let all = left.flatMap { $0 }
      let sources = left.map { _ in TestPublisher<Sample, Boom>() }
      let marks = TestPublisher<Sample, Boom>()
      let isGreedy = Bool.random(using: &random)
      let subscriber = TestSubscriber<Sample, Boom>(initial: isGreedy ? .unlimited : .max(1)) { _ in
        isGreedy ? .none : .max(1)
      }
      merged(sources, marks).subscribe(subscriber)
      while let source = left.indices.filter({ !left[$0].isEmpty }).randomElement(using: &random) {
        sources[source].send(left[source].removeFirst())
        if left[source].isEmpty { sources[source].send(completion: .finished) }
      }
      for source in sources where source.cancels == 0 { source.send(completion: .finished) }
      XCTAssertTrue(subscriber.isFinished, "seed \(seed)")
      XCTAssertEqual(subscriber.values.map(\.time), all.map(\.time).sorted(), "seed \(seed)")
      XCTAssertFalse(subscriber.values.contains(where: \.isMarked), "seed \(seed)")
      // Those of one source and time keep their order.
      for key in 0..<count {
        XCTAssertEqual(subscriber.values.filter { $0.key == key }, all.filter { $0.key == key }, "seed \(seed)")
      }
      XCTAssertEqual(subscriber.violations, [])
    }
  }

  func testAMarkLetsGoOfWhatWaitsForASilentSource() {
    let sources = [TestPublisher<Sample, Boom>(), TestPublisher<Sample, Boom>()]
    let marks = TestPublisher<Sample, Boom>()
    let subscriber = TestSubscriber<Sample, Boom>()
    merged(sources, marks).subscribe(subscriber)
    sources[0].send(sample(5))
    sources[0].send(sample(9))
    XCTAssertEqual(subscriber.values, [])
    marks.send(sample(6, nil))
    XCTAssertEqual(subscriber.values.map(\.time), [5, 6])
    // What comes all the same is late, and nothing waits for it.
    sources[1].send(sample(4))
    XCTAssertEqual(subscriber.values.last, Sample(number: 0, time: 4, key: 0, isMarked: true))
    sources[1].send(sample(7))
    sources[1].send(completion: .finished)
    XCTAssertEqual(subscriber.values.map(\.time), [5, 6, 4, 7, 9])
    sources[0].send(completion: .finished)
    XCTAssertTrue(subscriber.isFinished)
    XCTAssertEqual(marks.cancels, 1)
  }

  /// A source whose clock is ahead of all others, and of the marks.
  func testWhatWaitsIsBounded() {
    let (ahead, other, marks) = (
      TestPublisher<Sample, Boom>(), TestPublisher<Sample, Boom>(), TestPublisher<Sample, Boom>()
    )
    let subscriber = TestSubscriber<Sample, Boom>()
    merged([ahead, other], marks).subscribe(subscriber)
    other.send(sample(1, 1))
    for time in Int64(1_000_000)..<1_065_536 { ahead.send(sample(time)) }
    marks.send(sample(500, nil))
    XCTAssertEqual(subscriber.values.map(\.time), [1, 500])
    for time in Int64(1_065_536)..<1_065_546 { ahead.send(sample(time)) }
    XCTAssertEqual(subscriber.values.dropFirst(2).map(\.time), Array(1_000_000..<1_000_010))
    other.send(sample(600, 1))
    XCTAssertEqual(subscriber.values.last.map { [$0.time, $0.isMarked ? 1 : 0] }, [600, 1], "late, and not lost")
    ahead.send(completion: .finished)
    other.send(completion: .finished)
    XCTAssertEqual(subscriber.values.count, 65_549)
    XCTAssertEqual(subscriber.violations, [])
  }

  func testAsksEachSourceForSoManyAhead() {
    let sources = [TestPublisher<Sample, Boom>(), TestPublisher<Sample, Boom>()]
    let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
    merged(sources, TestPublisher()).subscribe(subscriber)
    XCTAssertEqual(sources.map(\.requests), [[], []])
    subscriber.request(.max(1))
    XCTAssertEqual(sources.map(\.requests), [[.max(256)], [.max(256)]])
    sources[0].send(sample(1))
    sources[1].send(sample(2))
    XCTAssertEqual(subscriber.values.map(\.time), [1])
    XCTAssertEqual(sources[0].demand, .max(257), "one for the one that has left")
  }

  func testAFailureEndsItAndACancelReachesAll() {
    for fails in [false, true] {
      let sources = [TestPublisher<Sample, Boom>(), TestPublisher<Sample, Boom>()]
      let marks = TestPublisher<Sample, Boom>()
      let subscriber = TestSubscriber<Sample, Boom>()
      merged(sources, marks).subscribe(subscriber)
      sources[0].send(sample(1))
      if fails { sources[1].send(completion: .failure(Boom())) } else { subscriber.cancel() }
      XCTAssertEqual(subscriber.failure, fails ? Boom() : nil)
      XCTAssertEqual(subscriber.values, [])
      XCTAssertEqual([sources[0].cancels, marks.cancels], [1, 1])
    }
  }

  /// Each is marked on its way, which takes no more of the stack for many than for one.
  func testManyLateOnesOnASmallStack() {
    nonisolated(unsafe) let source = RunSource()
    let marks = TestPublisher<Sample, Boom>()
    let subscriber = TestSubscriber<Sample, Boom>()
    Publishers.MergeByTime([source], marks: marks, by: Stamps()) { $0.isMarked = true }.subscribe(subscriber)
    let ended = DispatchSemaphore(value: 0)
    let thread = Thread {
      marks.send(Sample(number: 0, time: 1_000_000, key: nil))
      let late = (0..<20_000).map { Sample(number: $0, time: Int64($0), key: 0) }
      XCTAssertEqual(source.send(late[...]), 20_000)
      ended.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    XCTAssertEqual(ended.wait(timeout: .now() + 60), .success)
    XCTAssertEqual(subscriber.values.filter(\.isMarked).count, 20_000)
  }

  /// The same elements in runs and one by one come out alike, and ask the sources for as much.
  func testRunsAreAsTheirElements() {
    for seed in 0..<1_000 {
      var random = SeededGenerator(seed)
      let count = Int.random(in: 1...3, using: &random)
      var time: Int64 = 0
      let steps = (0..<30).map { _ -> (inlet: Int, run: [Sample], wanted: Int) in
        let inlet = Int.random(in: 0...count, using: &random)
        let run = (0..<(inlet == count ? 1 : Int.random(in: 1...12, using: &random))).map { _ -> Sample in
          time += Int64.random(in: -1...2, using: &random)
          return sample(time, inlet == count ? nil : inlet)
        }
        return (inlet, run, Int.random(in: 0...12, using: &random))
      }
      let answer = Subscribers.Demand.max(Int.random(in: 0...1, using: &random))
      let histories = [true, false].map { inRuns -> [String] in
        let sources = (0...count).map { _ in RunSource() }
        let subscriber = RunSubscriber(answering: answer)
        Publishers.MergeByTime(Array(sources.dropLast()), marks: sources[count], by: Stamps()) { $0.isMarked = true }
          .subscribe(subscriber)
        return steps.map { step in
          subscriber.subscription?.request(step.wanted == 12 && step.run.count == 1 ? .unlimited : .max(step.wanted))
          let run = step.run.prefix(sources[step.inlet].demand.max ?? .max)
          if inRuns { sources[step.inlet].send(run) } else { for one in run { sources[step.inlet].send([one]) } }
          // A source may end in the middle.
          if step.inlet < count, step.run.count == 12 { sources[step.inlet].finish() }
          return "\(subscriber.values.map(\.description)) \(sources.map(\.demand))"
        }
      }
      XCTAssertEqual(histories[0], histories[1], "seed \(seed)")
    }
  }

  /// A mark while nobody asks says nothing of what sources would send.
  func testNothingIsLateBecauseNobodyAsked() {
    let sources = [TestPublisher<Sample, Boom>(), TestPublisher<Sample, Boom>()]
    let marks = TestPublisher<Sample, Boom>()
    let subscriber = TestSubscriber<Sample, Boom>(initial: .none)
    merged(sources, marks).subscribe(subscriber)
    for time in 0..<100 { marks.send(sample(Int64(time), nil)) }
    subscriber.request(.unlimited)
    XCTAssertEqual(subscriber.values, [])
    sources[0].send(sample(5))
    sources[1].send(sample(6))
    XCTAssertEqual(subscriber.values.map(\.time), [5])
    XCTAssertEqual(subscriber.values.map(\.isMarked), [false])
  }
}
