import Sluice
import SluiceTesting
import XCTest

struct Boom: Error, Equatable {}

/// An element that knows its time and key, and its number among all.
struct Sample: Equatable, CustomStringConvertible {
  var number: Int
  var time: Int64
  var key: Int?
  var isMarked = false

  var description: String { "#\(number)@\(time)/\(key.map(String.init) ?? "-")\(isMarked ? "!" : "")" }
}

/// The same random numbers for the same seed: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension Sample {
  /// Times that mostly go on, are sometimes late and seldom far back.
  static func random(
    _ count: Int, keys: Int, interval: Int, goesBack: Bool = true, using random: inout SeededGenerator
  ) -> [Sample] {
    var time: Int64 = 0
    let step = Int64.random(in: 0...Int64(interval), using: &random)
    return (0..<count).map { number in
      var shown = time + Int64.random(in: 0...step, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0...2 where goesBack: shown = time - Int64.random(in: 0...Int64(interval), using: &random)
      case 3 where goesBack: shown = time - Int64.random(in: 0...Int64(4 * interval + 1), using: &random)
      default: break
      }
      time = shown < time - Int64(interval) ? shown : max(time, shown)
      let key = Int.random(in: -1..<keys, using: &random)
      return Sample(number: number, time: shown, key: key < 0 ? nil : key)
    }
  }

  /// One key, every 10 from 1,000 on; behind each a mark that is 200 earlier, as of a clock that stays behind.
  static func withMarksBehind(_ count: Int) -> [Sample] {
    (0..<count).flatMap { number -> [Sample] in
      let time = Int64(1_000 + 10 * number)
      return [
        Sample(number: 2 * number, time: time, key: 1), Sample(number: 2 * number + 1, time: time - 200, key: nil),
      ]
    }
  }

  /// Int64 as far as it goes, in any order.
  static func extremes(_ count: Int, using random: inout SeededGenerator) -> [Sample] {
    (0..<count).map { number in
      let near = Int64.random(in: 0...3, using: &random)
      let times = [Int64.min + near, Int64.max - near, near, -near, Int64.random(in: .min ... .max, using: &random)]
      return Sample(
        number: number, time: times[Int.random(in: 0..<5, using: &random)],
        key: Int.random(in: 0..<3, using: &random))
    }
  }
}

/// Sends samples to what subscribes as they are asked for, while a subscriber asks for random numbers of outputs, then
/// ends. Fails at a breach of the contract.
///
/// - Returns: What came, once everything was asked for.
func outputs<P: Publisher>(
  of samples: [Sample], using random: inout SeededGenerator, _ make: (TestPublisher<Sample, Boom>) -> P,
  file: StaticString = #filePath, line: UInt = #line
) -> [P.Output] where P.Failure == Boom {
  let upstream = TestPublisher<Sample, Boom>()
  let greed = Int.random(in: 1...9, using: &random)
  let answers = Locked((0..<64).map { _ in Int.random(in: 0...5, using: &random) / 5 })
  // Some of the demand comes from within receive(_:).
  let subscriber = TestSubscriber<P.Output, Boom>(initial: .none) { _ in
    answers.withLock { $0.popLast().map { .max($0) } ?? .none }
  }
  make(upstream).subscribe(subscriber)
  XCTAssertEqual(upstream.requests, [], "nothing is asked for before it is wanted", file: file, line: line)
  var sent = 0
  while sent < samples.count {
    subscriber.request(.max(Int.random(in: 1...greed, using: &random)))
    while sent < samples.count, upstream.demand > sent {
      upstream.send(samples[sent])
      sent += 1
    }
  }
  upstream.send(completion: .finished)
  subscriber.request(.unlimited)
  XCTAssertTrue(subscriber.isFinished, file: file, line: line)
  XCTAssertEqual(subscriber.violations, [], file: file, line: line)
  upstream.disconnect()
  return subscriber.values
}

/// Hands runs to its one subscriber, whatever that asks for.
final class RunSource: Publisher, Subscription {
  typealias Output = Sample
  typealias Failure = Boom
  private var subscriber: AnySubscriber<Sample, Boom>?
  private(set) var demand = Subscribers.Demand.none

  func receive<S: Subscriber>(subscriber: S) where S.Input == Sample, S.Failure == Boom {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: self)
  }

  func request(_ demand: Subscribers.Demand) { self.demand += demand }
  func cancel() {}

  /// - Returns: How many were taken.
  @discardableResult func send(_ run: ArraySlice<Sample>) -> Int {
    guard let subscriber else { return 0 }
    demand -= Swift.min(run.count, demand.max ?? .max)
    let taken = subscriber._receive(run: run) { true }
    demand += taken.demand
    return taken.count
  }
  /// - Parameter goesOn: It breaks the rules, and may send more.
  func finish(goesOn: Bool = false) {
    subscriber?.receive(completion: .finished)
    if !goesOn { subscriber = nil }
  }
}

/// Takes runs, and answers with demand of its own.
final class RunSubscriber: Subscriber {
  typealias Input = Sample
  typealias Failure = Boom
  private(set) var values: [Sample] = []
  private(set) var subscription: (any Subscription)?
  private let answer: Subscribers.Demand

  init(answering answer: Subscribers.Demand) { self.answer = answer }

  func receive(subscription: any Subscription) { self.subscription = subscription }
  func receive(_ input: Sample) -> Subscribers.Demand {
    values.append(input)
    return answer
  }
  var _takesRuns: Bool { true }
  func _receive(run: ArraySlice<Sample>) -> Operators.Taken { _receiveEach(of: run) { true } }
  func receive(completion: Subscribers.Completion<Boom>) {}
}
