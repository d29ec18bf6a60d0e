import Foundation
import SluiceExtras
import SluiceTesting
import XCTest

@testable import Sluice

/// The law of cuts: whatever runs the same values come in, and whether the subscriber takes runs, an operator does the
/// same with them.
final class RunTests: XCTestCase {
  private static let schedules = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"].flatMap { Int($0) } ?? 200

  func testAnyCutGivesTheSameHistory() {
    let failures = Locked<[String]>([])
    onThreads(2) { thread in
      for (number, row) in OperatorRow.all.enumerated() where number % 2 == thread {
        for seed in 0..<UInt64(Self.schedules) {
          guard let difference = Self.difference(of: row, seed) else { continue }
          failures.withLock { $0.append(difference) }
          break
        }
      }
    }
    XCTAssertEqual(failures.withLock { $0 }, [])
  }

  /// Between the same values one by one and in runs; nil if there is none.
  private static func difference(of row: OperatorRow, _ seed: UInt64) -> String? {
    let schedule = Schedule(seed: seed, row)
    let history = schedule.history(of: row, cut: .singles, takesRuns: false)
    for (cut, takesRuns) in [(Cut.random(seed), true), (.whole, true), (.random(seed), false), (.singles, true)] {
      let other = schedule.history(of: row, cut: cut, takesRuns: takesRuns)
      guard other == history else {
        return """
          \(row.name), seed \(seed), \(cut), takes runs: \(takesRuns)
          \(schedule)
          one by one: \(history)
          in runs:    \(other)
          """
      }
    }
    return nil
  }

  /// What is not taken stays with the source.
  func testTheSourceKnowsTheRest() {
    let source = RunSource()
    var values: [Int] = []
    let cancellable = source.publisher.map(\.number).filter { $0 % 2 == 0 }.buffer(
      size: 10, prefetch: .byRequest, whenFull: .dropNewest
    ).prefix(2).sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
    XCTAssertEqual(source.send(run: (0..<10).map { Token($0) }), 3)
    XCTAssertEqual(values, [0, 2])
    XCTAssertTrue(source.isCancelled)
    cancellable.cancel()
  }
}

private enum Cut {
  case singles
  case whole
  case random(UInt64)
}

/// What happens to one operator, one step after the other.
private struct Schedule: CustomStringConvertible {
  enum Step: CustomStringConvertible {
    /// So many values, if so many are wanted.
    case send(Int)
    case request(Int)
    case requestUnlimited
    case advance(Int)
    case finish
    case fail
    case cancel

    var description: String {
      switch self {
      case .send(let count): "send \(count)"
      case .request(let count): "request \(count)"
      case .requestUnlimited: "request all"
      case .advance(let seconds): "advance \(seconds)"
      case .finish: "finish"
      case .fail: "fail"
      case .cancel: "cancel"
      }
    }
  }

  let steps: [Step]
  /// What each value is answered with.
  let answers: [Int]
  /// The value at which downstream cancels, from within.
  let cancelledAt: Int?
  /// The value at which downstream requests one more, from within.
  let requestsAt: Int?

  init(seed: UInt64, _ row: OperatorRow) {
    var random = SplitMix(
      state: seed &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(row.name.utf8.reduce(0) { $0 &* 31 &+ Int($1) }.magnitude))
    var steps: [Step] = [random.next() % 3 == 0 ? .requestUnlimited : .request(Int.random(in: 1...5, using: &random))]
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      switch random.next() % 16 {
      case 0..<9: steps.append(.send(Int.random(in: 1...6, using: &random)))
      case 9..<12: steps.append(.request(Int.random(in: 1...4, using: &random)))
      case 12: steps.append(.advance(Int.random(in: 0...2, using: &random)))
      case 13: steps.append(.send(Int.random(in: 60...140, using: &random)))
      case 14: steps.append(row.traits.contains(.mustNotFail) ? .finish : .fail)
      default: steps.append(random.next() % 2 == 0 ? .finish : .cancel)
      }
    }
    steps += [.advance(1), .finish, .advance(2), .request(3), .advance(2)]
    self.steps = steps
    answers = (0..<7).map { _ in random.next() % 3 == 0 ? Int.random(in: 1...3, using: &random) : 0 }
    cancelledAt = random.next() % 5 == 0 ? Int.random(in: 0...5, using: &random) : nil
    requestsAt = random.next() % 5 == 0 ? Int.random(in: 0...5, using: &random) : nil
  }

  var description: String {
    "steps \(steps), answers \(answers), cancelled at \(cancelledAt ?? -1), requests at \(requestsAt ?? -1)"
  }

  /// What downstream got and upstream was asked for, after each step.
  func history(of row: OperatorRow, cut: Cut, takesRuns: Bool) -> [String] {
    let source = RunSource()
    let scheduler = VirtualTimeScheduler()
    let subscriber = RunSubscriber(self, takesRuns: takesRuns)
    row.make(
      OperatorRow.Context(upstream: source.publisher, tokens: OperatorRow.tokens(8), scheduler: scheduler)
    ).subscribe(subscriber)
    var random = SplitMix(state: 0)
    if case .random(let seed) = cut { random.state = seed ^ 0xABCD }
    var history: [String] = []
    var (sent, hasEnded) = (0, false)
    for step in steps {
      switch step {
      case .send(let count) where !hasEnded:
        var left = min(count, source.demand.max ?? .max)
        while left > 0, !source.isCancelled {
          let length =
            switch cut {
            case .singles: 1
            case .whole: left
            case .random: Int.random(in: 1...left, using: &random)
            }
          sent += source.send(run: (sent..<sent + length).map { Token($0) })
          left -= length
        }
      case .request(let count): subscriber.subscription?.request(.max(count))
      case .requestUnlimited: subscriber.subscription?.request(.unlimited)
      case .advance(let seconds): scheduler.advance(by: .seconds(seconds))
      case .finish where !hasEnded:
        hasEnded = true
        source.send(completion: .finished)
      case .fail where !hasEnded:
        hasEnded = true
        source.send(completion: .failure(Boom()))
      case .cancel: subscriber.subscription?.cancel()
      default: break
      }
      history.append(
        "\(subscriber.received.joined(separator: " ")) | sent \(sent), wanted \(source.isCancelled ? "cancelled" : "\(source.demand)")"
      )
    }
    return history
  }
}

private final class RunSubscriber: Subscriber {
  typealias Input = Any
  typealias Failure = any Error

  private let schedule: Schedule
  let _takesRuns: Bool
  var subscription: (any Subscription)?
  var received: [String] = []
  private var isCancelled = false

  init(_ schedule: Schedule, takesRuns: Bool) {
    self.schedule = schedule
    _takesRuns = takesRuns
  }

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Any) -> Subscribers.Demand {
    let number = received.count
    received.append("\(input)")
    if number == schedule.cancelledAt {
      isCancelled = true
      subscription?.cancel()
    }
    if number == schedule.requestsAt { subscription?.request(.max(1)) }
    return .max(schedule.answers[number % schedule.answers.count])
  }

  func _receive(run: ArraySlice<Any>) -> Operators.Taken { _receiveEach(of: run) { !isCancelled } }

  func receive(completion: Subscribers.Completion<any Error>) {
    switch completion {
    case .finished: received.append("finished")
    case .failure(let error): received.append("\(error)")
    }
  }
}

private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
