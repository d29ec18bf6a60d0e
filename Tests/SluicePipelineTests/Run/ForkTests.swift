import Sluice
import SluiceReadings
import XCTest

@testable import SluicePipeline

/// The same readings for several branches.
final class ForkTests: XCTestCase {
  /// What a branch asks for and gets.
  private final class Branch: Subscriber {
    typealias Input = Reading
    typealias Failure = Never

    var received: [Int64] = []
    var subscription: (any Subscription)?
    var isFinished = false
    /// What it answers to each reading.
    var answer = Subscribers.Demand.none
    var onReading: () -> Void = {}

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ reading: Reading) -> Subscribers.Demand {
      received.append(reading.time)
      onReading()
      return answer
    }
    func receive(completion: Subscribers.Completion<Never>) { isFinished = true }
  }

  private final class Upstream: Publisher, Subscription {
    typealias Output = Reading
    typealias Failure = Never

    var asked: [Subscribers.Demand] = []
    var isCancelled = false
    private var subscriber: AnySubscriber<Reading, Never>?
    private var next: Int64 = 0

    func receive<S: Subscriber>(subscriber: S) where S.Input == Reading, S.Failure == Never {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: self)
    }
    func request(_ demand: Subscribers.Demand) { asked.append(demand) }
    func cancel() { isCancelled = true }

    func send(_ count: Int) -> Subscribers.Demand {
      let run = (0..<count).map { Reading(time: next + Int64($0), stream: StreamID(0), values: Values(0)) }
      next += Int64(count)
      return subscriber?._receive(run: run[...]).demand ?? .none
    }
    func finish() { subscriber?.receive(completion: .finished) }
  }

  private func forked() -> (fork: Fork, branches: [Branch], upstream: Upstream) {
    let (fork, branches, upstream) = (Fork(), [Branch(), Branch()], Upstream())
    for branch in branches { fork.branch.subscribe(branch) }
    upstream.subscribe(fork)
    return (fork, branches, upstream)
  }

  func testItAsksForWhatEveryBranchWants() {
    let (_, branches, upstream) = forked()
    branches[0].subscription?.request(.max(5))
    XCTAssertEqual(upstream.asked, [])
    branches[1].subscription?.request(.max(2))
    XCTAssertEqual(upstream.asked, [.max(2)])
    XCTAssertEqual(upstream.send(1), .none)
    XCTAssertEqual(branches.map(\.received), [[0], [0]])
    branches[1].subscription?.request(.max(9))
    // One of the two is still to come.
    XCTAssertEqual(upstream.asked, [.max(2), .max(3)])
    branches[1].answer = .max(1)
    branches[0].answer = .max(1)
    XCTAssertEqual(upstream.send(3), .max(3))
    XCTAssertEqual(branches.map(\.received), [[0, 1, 2, 3], [0, 1, 2, 3]])
  }

  /// A branch with a buffer wants everything, and does not decide.
  func testABranchThatWantsEverythingHoldsNobody() {
    let (_, branches, upstream) = forked()
    branches[0].subscription?.request(.unlimited)
    XCTAssertEqual(upstream.asked, [])
    branches[1].subscription?.request(.unlimited)
    XCTAssertEqual(upstream.asked, [.unlimited])
    XCTAssertEqual(upstream.send(100), .none)
    XCTAssertEqual(branches.map(\.received.count), [100, 100])
  }

  func testABranchThatCancelsHoldsNobodyAnyMore() {
    let (_, branches, upstream) = forked()
    branches[0].subscription?.request(.max(5))
    branches[1].subscription?.cancel()
    XCTAssertEqual(upstream.asked, [.max(5)])
    // Within a run: it gets nothing more, and the other goes on.
    branches[0].onReading = { [unowned branch = branches[0]] in branch.subscription?.cancel() }
    _ = upstream.send(3)
    XCTAssertEqual(branches.map(\.received), [[0], []])
    XCTAssertTrue(upstream.isCancelled)
  }

  func testAllAreFinished() {
    let (_, branches, upstream) = forked()
    upstream.finish()
    XCTAssertEqual(branches.map(\.isFinished), [true, true])
    branches[0].subscription?.request(.max(1))
    branches[0].subscription?.cancel()
    XCTAssertEqual(upstream.asked, [])
    XCTAssertFalse(upstream.isCancelled)
  }

  // MARK: A branch that comes later

  /// What a branch is told when it comes.
  private final class Begun {
    var promised: Subscribers.Demand?
    var passed: [Int] = []
    func note(_ promised: Subscribers.Demand, _ passed: [Int]) { (self.promised, self.passed) = (promised, passed) }
  }

  func testABranchThatComesGetsWhatComesFromThenOn() {
    let (fork, first, later, upstream, begun) = (Fork(counting: 2), Branch(), Branch(), Upstream(), Begun())
    fork.branch.subscribe(first)
    upstream.subscribe(fork)
    first.subscription?.request(.max(5))
    _ = upstream.send(2)
    fork.laterBranch(begun.note).subscribe(later)
    XCTAssertEqual(begun.promised, .max(3))
    XCTAssertEqual(begun.passed, [2, 0])
    _ = upstream.send(3)
    XCTAssertEqual(first.received, [0, 1, 2, 3, 4])
    // What upstream was asked for before comes to it unasked.
    XCTAssertEqual(later.received, [2, 3, 4])
    first.subscription?.request(.max(4))
    XCTAssertEqual(upstream.asked, [.max(5)], "the new one has asked for nothing")
    later.subscription?.request(.max(1))
    XCTAssertEqual(upstream.asked, [.max(5), .max(1)])
    upstream.finish()
    XCTAssertTrue(later.isFinished)
  }

  func testABranchThatComesWithinARunGetsTheNext() {
    let (fork, first, later, upstream, begun) = (Fork(counting: 1), Branch(), Branch(), Upstream(), Begun())
    fork.branch.subscribe(first)
    upstream.subscribe(fork)
    first.subscription?.request(.max(9))
    first.onReading = { [unowned first] in
      first.onReading = {}
      fork.laterBranch(begun.note).subscribe(later)
      XCTAssertNil(begun.promised)
      later.subscription?.request(.max(2))
    }
    _ = upstream.send(4)
    XCTAssertEqual(begun.promised, .max(5))
    XCTAssertEqual(begun.passed, [4])
    _ = upstream.send(5)
    XCTAssertEqual(later.received, [4, 5, 6, 7, 8])
  }

  func testABranchThatComesAfterTheEndHasEnded() {
    let (fork, first, later, upstream, begun) = (Fork(counting: 1), Branch(), Branch(), Upstream(), Begun())
    fork.branch.subscribe(first)
    upstream.subscribe(fork)
    upstream.finish()
    fork.laterBranch(begun.note).subscribe(later)
    XCTAssertTrue(later.isFinished)
    XCTAssertNil(begun.promised)
  }

  func testTheEndWithinTheRunInWhichItComes() {
    let (fork, first, later, upstream) = (Fork(counting: 1), Branch(), Branch(), Upstream())
    fork.branch.subscribe(first)
    upstream.subscribe(fork)
    first.subscription?.request(.max(9))
    first.onReading = {
      fork.laterBranch { _, _ in }.subscribe(later)
      upstream.finish()
    }
    _ = upstream.send(1)
    XCTAssertTrue(later.isFinished)
    XCTAssertEqual(later.received, [])
  }

  func testEverythingWasAskedFor() {
    let (fork, branches, upstream) = forked()
    XCTAssertFalse(fork.isUnlimited)
    for branch in branches { branch.subscription?.request(.unlimited) }
    XCTAssertTrue(fork.isUnlimited)
    _ = upstream
  }
}
