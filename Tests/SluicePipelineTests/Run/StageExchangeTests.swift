import Sluice
import SluiceExtras
import SluiceReadings
import TestFiles
import XCTest

@testable import SluicePipeline

/// Stages that are exchanged while readings pass them.
final class StageExchangeTests: XCTestCase {
  /// Sends what it is told to, as far as it was asked.
  private final class Upstream: Publisher, Subscription, @unchecked Sendable {
    // The lock protects the state.

    typealias Output = Reading
    typealias Failure = Never

    private struct State {
      var subscriber: AnySubscriber<Reading, Never>?
      var wanted = Subscribers.Demand.none
      var next: Int64 = 0
      var isCancelled = false
    }

    private let state = Locked(State())
    /// Called with each request.
    var onRequest: () -> Void = {}

    var wanted: Subscribers.Demand { state.withLock { $0.wanted } }
    var sent: Int { Int(state.withLock { $0.next }) }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      state.withLock { $0.subscriber = AnySubscriber(subscriber) }
      subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) {
      state.withLock { $0.wanted += demand }
      onRequest()
    }

    func cancel() {
      let former = state.withLock { state in
        state.isCancelled = true
        defer { state.subscriber = nil }
        return state.subscriber
      }
      _ = former
    }

    /// Sends a run, of the streams 0 and 1 in turn.
    /// - Returns: How many of them were wanted.
    @discardableResult func send(_ count: Int) -> Int {
      let (run, subscriber) = state.withLock { state in
        let count = Swift.min(count, state.wanted.max ?? .max)
        state.wanted -= count
        let run = (0..<count).map { reading(state.next + Int64($0)) }
        state.next += Int64(count)
        return (run, state.subscriber)
      }
      guard !run.isEmpty, let subscriber else { return 0 }
      let more = subscriber._receive(run: run[...]).demand
      state.withLock { $0.wanted += more }
      return run.count
    }

    func finish() { state.withLock { $0.subscriber }?.receive(completion: .finished) }
  }

  private final class Downstream: Subscriber, @unchecked Sendable {
    // The lock protects the state.

    typealias Input = Reading
    typealias Failure = Never

    private struct State {
      var received: [Reading] = []
      var subscription: (any Subscription)?
      var wanted = Subscribers.Demand.none
      var ends = 0
    }

    private let state = Locked(State())
    /// What it answers to each run.
    let answer: @Sendable (Int) -> Subscribers.Demand

    init(_ answer: @escaping @Sendable (Int) -> Subscribers.Demand = { _ in .none }) { self.answer = answer }

    var received: [Reading] { state.withLock { $0.received } }
    var ends: Int { state.withLock { $0.ends } }
    var wanted: Subscribers.Demand { state.withLock { $0.wanted } }

    func request(_ demand: Subscribers.Demand) {
      let subscription = state.withLock { state in
        state.wanted += demand
        return state.subscription
      }
      subscription?.request(demand)
    }

    func cancel() { state.withLock { $0.subscription }?.cancel() }

    func receive(subscription: any Subscription) {
      state.withLock { $0.subscription = subscription }
    }

    func receive(_ reading: Reading) -> Subscribers.Demand { _receive(run: [reading]).demand }
    var _takesRuns: Bool { true }

    func _receive(run: ArraySlice<Reading>) -> Operators.Taken {
      let more = answer(run.count)
      state.withLock { state in
        XCTAssertEqual(state.ends, 0, "nothing comes behind the end")
        XCTAssertTrue(state.wanted >= run.count, "nothing comes that was not asked for")
        state.wanted -= Swift.min(run.count, state.wanted.max ?? .max)
        state.wanted += more
        state.received += run
      }
      return Operators.Taken(count: run.count, demand: more, isOver: false)
    }

    func receive(completion: Subscribers.Completion<Never>) { state.withLock { $0.ends += 1 } }
  }

  private static func reading(_ number: Int64) -> Reading {
    Reading(time: number, stream: StreamID(UInt16(number % 2)), values: Values(number))
  }

  private static func number(_ reading: Reading) -> Int64 { reading.values[0].significand }

  /// Stages that hold readings, leave some out, and make others: each as its plan would have it.
  private enum Kind: CaseIterable {
    case none, every, throttle, throttleFirst, collect, collectForTime, condition, window

    func act(
      _ readings: AnyPublisher<Reading, Never>, _ setting: Int, _ ended: @escaping () -> Int64? = { nil }
    ) -> AnyPublisher<Reading, Never> {
      switch self {
      case .none: readings
      case .every: readings.filter { Int(StageExchangeTests.number($0)) % (setting + 1) == 0 }.eraseToAnyPublisher()
      case .throttle, .throttleFirst:
        readings.throttle(for: setting * 3, latest: self == .throttle, by: ReadingStamps()).eraseToAnyPublisher()
      case .collect:
        readings.collect(for: nil, count: setting * 2, by: ReadingStamps()).joined(ahead: 3).eraseToAnyPublisher()
      case .collectForTime:
        readings.collect(for: setting * 5, count: nil, by: ReadingStamps()).joined(ahead: 1).eraseToAnyPublisher()
      case .condition: readings.filter { StageExchangeTests.number($0) % 3 != 0 }.eraseToAnyPublisher()
      case .window: readings.process(by: Sums(length: Int64(setting) * 4, ended)).eraseToAnyPublisher()
      }
    }
  }

  /// The sum of each window, with the time at which it ended.
  private struct Sums: ElementProcessor {
    let length: Int64
    let ended: () -> Int64?
    var sum: Int64 = 0
    var begin: Int64?

    init(length: Int64, _ ended: @escaping () -> Int64?) { (self.length, self.ended) = (length, ended) }

    mutating func receive(_ reading: Reading, into outputs: inout [Reading]) {
      if let begin, reading.time >= begin + length { end(at: begin + length, into: &outputs) }
      begin = begin ?? reading.time
      sum += StageExchangeTests.number(reading)
    }

    mutating func finish(into outputs: inout [Reading]) {
      if let begin { end(at: ended() ?? begin + length, into: &outputs) }
    }

    private mutating func end(at time: Int64, into outputs: inout [Reading]) {
      outputs.append(Reading(time: time, stream: StreamID(0), values: Values(sum)))
      (sum, begin) = (0, nil)
    }
  }

  /// What the stages of one time got, and what they are.
  private final class Log: Sendable {
    let chains = Locked<[(kind: Kind, setting: Int, readings: [Reading])]>([])

    func make(_ kind: Kind, _ setting: Int) -> StageExchange.Make {
      { [chains] readings, ended in
        let number = chains.withLock { chains in
          chains.append((kind, setting, []))
          return chains.count - 1
        }
        let noted = readings.handleEvents(receiveOutput: { reading in
          chains.withLock { $0[number].readings.append(reading) }
        })
        return kind.act(noted.eraseToAnyPublisher(), setting, ended)
      }
    }

    /// What comes out if each of them gets its readings alone.
    var expected: [Reading] {
      let chains = chains.withLock { $0 }
      var outputs: [Reading] = []
      for (number, chain) in chains.enumerated() {
        let last = chains[...number].last { !$0.readings.isEmpty }?.readings.last?.time
        let ended: () -> Int64? = { number < chains.count - 1 ? last : nil }
        let stages = chain.kind.act(chain.readings.publisher.eraseToAnyPublisher(), chain.setting, ended)
        let cancellable = stages.sink { outputs.append($0) }
        cancellable.cancel()
      }
      return outputs
    }
  }

  private func numbers(_ readings: [Reading]) -> [Int64] { readings.map(Self.number) }

  // MARK: One exchange

  func testWhatTheFormerStagesHoldComesFirst() {
    let (upstream, downstream, log) = (Upstream(), Downstream(), Log())
    let exchange = StageExchange(log.make(.collect, 5))
    exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
    downstream.request(.unlimited)
    upstream.send(12)
    XCTAssertEqual(numbers(downstream.received), [])
    let isThere = Locked(false)
    exchange.exchange(log.make(.none, 1)) { done in isThere.withLock { $0 = done } }
    XCTAssertTrue(isThere.withLock { $0 })
    // Both streams have six, in the order of their groups.
    XCTAssertEqual(numbers(downstream.received), [0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11])
    upstream.send(2)
    XCTAssertEqual(numbers(downstream.received.suffix(2)), [12, 13])
    upstream.finish()
    XCTAssertEqual(downstream.ends, 1)
  }

  func testWithoutDemandTheFormerStagesStay() {
    let (upstream, downstream, log) = (Upstream(), Downstream(), Log())
    let exchange = StageExchange(log.make(.collect, 5))
    exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
    downstream.request(.max(3))
    upstream.send(8)
    let isThere = Locked(false)
    exchange.exchange(log.make(.none, 1)) { done in isThere.withLock { $0 = done } }
    XCTAssertEqual(downstream.received.count, 3)
    XCTAssertFalse(isThere.withLock { $0 })
    // What upstream was asked for still comes, and waits.
    let promised = upstream.send(.max)
    XCTAssertGreaterThan(promised, 0)
    XCTAssertEqual(upstream.wanted, .none, "nothing more is asked for")
    downstream.request(.max(5))
    XCTAssertTrue(isThere.withLock { $0 })
    XCTAssertEqual(downstream.received.count, 8)
    downstream.request(.unlimited)
    XCTAssertEqual(downstream.received.count, 8 + promised)
    XCTAssertEqual(numbers(downstream.received).sorted(), (0..<Int64(8 + promised)).map { $0 })
  }

  func testStagesLearnWhenTheyEnd() {
    let (upstream, downstream, log) = (Upstream(), Downstream(), Log())
    let exchange = StageExchange(log.make(.window, 25))
    exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
    downstream.request(.unlimited)
    upstream.send(10)
    exchange.exchange(log.make(.window, 25)) { _ in }
    XCTAssertEqual(downstream.received.map(\.time), [9])
    upstream.send(10)
    upstream.finish()
    // The end of the recording is told in another way.
    XCTAssertEqual(downstream.received.map(\.time), [9, 110])
    XCTAssertEqual(numbers(downstream.received), [45, 145])
  }

  func testAnExchangeAfterTheEndIsNone() {
    let (upstream, downstream, log) = (Upstream(), Downstream(), Log())
    let exchange = StageExchange(log.make(.collect, 5))
    exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
    downstream.request(.max(1))
    upstream.send(4)
    let done = Locked<[Bool]>([])
    exchange.exchange(log.make(.none, 1)) { isThere in done.withLock { $0.append(isThere) } }
    downstream.cancel()
    XCTAssertTrue(upstream.isCancelled)
    exchange.exchange(log.make(.none, 1)) { isThere in done.withLock { $0.append(isThere) } }
    XCTAssertEqual(done.withLock { $0 }, [false, false])
    downstream.request(.unlimited)
    XCTAssertEqual(downstream.received.count, 1)
    XCTAssertEqual(downstream.ends, 0)
  }

  func testTheEndOfUpstreamDuringAnExchange() {
    let (upstream, downstream, log) = (Upstream(), Downstream(), Log())
    let exchange = StageExchange(log.make(.collect, 5))
    exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
    downstream.request(.max(1))
    upstream.send(4)
    exchange.exchange(log.make(.none, 1)) { _ in }
    let more = upstream.send(6)
    upstream.finish()
    XCTAssertEqual(downstream.ends, 0)
    downstream.request(.unlimited)
    XCTAssertEqual(downstream.received.count, 4 + more)
    XCTAssertEqual(downstream.ends, 1)
  }

  /// A place that comes into a pipeline that runs gets what was asked for before.
  func testPromisedReadingsAreNotAskedForAgain() {
    let (upstream, downstream, log) = (Upstream(), Downstream(), Log())
    let exchange = StageExchange(log.make(.none, 1))
    exchange.promise(.max(10))
    exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
    downstream.request(.max(4))
    XCTAssertEqual(upstream.wanted, .none)
    downstream.request(.max(8))
    XCTAssertEqual(upstream.wanted, .max(2))
  }

  func testStagesAreLetGoOf() {
    final class Mark: Sendable {}
    weak var former: Mark?
    weak var last: Mark?
    let (upstream, downstream) = (Upstream(), Downstream())
    func make(_ mark: Mark) -> StageExchange.Make {
      { readings, _ in
        readings.map { reading in
          withExtendedLifetime(mark) { reading }
        }.eraseToAnyPublisher()
      }
    }
    do {
      let mark = Mark()
      former = mark
      let exchange = StageExchange { readings, _ in readings }
      exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
      downstream.request(.unlimited)
      exchange.exchange(make(mark)) { _ in }
      upstream.send(3)
      let next = Mark()
      last = next
      exchange.exchange(make(next)) { _ in }
      upstream.send(3)
    }
    XCTAssertNil(former)
    XCTAssertNotNil(last)
    upstream.finish()
    upstream.cancel()
    XCTAssertNil(last)
  }

  // MARK: Any exchanges

  /// Whatever the stages, the demand and the times of the exchanges: no reading is lost, none passes twice, and what comes
  /// out is what each of the stages makes of its part.
  func testNoReadingIsLostAndNonePassesTwice() {
    for round in 0..<300 {
      var generator = TestGenerator(seed: TestGenerator().seed &+ UInt64(round))
      func any() -> (Kind, Int) {
        (Kind.allCases.randomElement(using: &generator) ?? .none, Int.random(in: 1...6, using: &generator))
      }
      let replenishes = Bool.random(using: &generator)
      let (upstream, log) = (Upstream(), Log())
      let downstream = Downstream { replenishes ? .max($0) : .none }
      let (kind, setting) = any()
      let exchange = StageExchange(log.make(kind, setting))
      if Bool.random(using: &generator) {
        // A buffer that answers a request at once, until it is empty.
        upstream.onRequest = { [unowned upstream] in if upstream.sent < 500 { upstream.send(5) } }
      }
      exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
      let done = Locked(0)
      var exchanges = 0
      for _ in 0..<Int.random(in: 1...60, using: &generator) {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0:
          let (kind, setting) = any()
          exchanges += 1
          exchange.exchange(log.make(kind, setting)) { isThere in if isThere { done.withLock { $0 += 1 } } }
        case 1..<4: downstream.request(.max(Int.random(in: 1...30, using: &generator)))
        default: upstream.send(Int.random(in: 1...20, using: &generator))
        }
      }
      downstream.request(.unlimited)
      upstream.send(Int.random(in: 0...20, using: &generator))
      upstream.finish()
      let note = "SLUICE_TEST_SEED=\(generator.seed)"
      let chains = log.chains.withLock { $0 }
      XCTAssertEqual(
        chains.flatMap { numbers($0.readings) }, (0..<Int64(upstream.sent)).map { $0 }, "given to the stages, \(note)")
      XCTAssertEqual(downstream.received, log.expected, "out of the stages, \(note)")
      XCTAssertEqual(chains.count, exchanges + 1, note)
      XCTAssertEqual(done.withLock { $0 }, exchanges, note)
      XCTAssertEqual(downstream.ends, 1, note)
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }

  /// The same from three threads: one sends, one asks, one exchanges.
  func testFromSeveralThreads() {
    for round in 0..<10 {
      let (upstream, downstream, log) = (Upstream(), Downstream(), Log())
      let exchange = StageExchange(log.make(.none, 1))
      exchange.publisher(upstream.eraseToAnyPublisher()).subscribe(downstream)
      let kinds = Kind.allCases
      let isOver = Locked(false)
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        switch thread {
        case 0:
          var left = 3_000
          while left > 0 { left -= upstream.send(min(left, 7)) }
          isOver.withLock { $0 = true }
        case 1: while !isOver.withLock({ $0 }) { downstream.request(.max(3)) }
        default:
          for number in 0..<50 {
            exchange.exchange(log.make(kinds[(number + round) % kinds.count], number % 5 + 1)) { _ in }
          }
        }
      }
      downstream.request(.unlimited)
      upstream.finish()
      let chains = log.chains.withLock { $0 }
      XCTAssertEqual(chains.flatMap { numbers($0.readings) }, (0..<3_000).map { $0 })
      XCTAssertEqual(downstream.received, log.expected)
      XCTAssertEqual(chains.count, 51)
      XCTAssertEqual(downstream.ends, 1)
      if testRun?.failureCount ?? 0 > 0 { return }
    }
  }
}
