import Sluice
import SluiceExtras
import SluiceTesting
import XCTest

/// Many synchronous inputs, on a stack of the size that a dispatch thread has. If requests were nested, each input would use
/// more stack.
final class SmallStackTests: XCTestCase {
  // A tenth of it overflows the stack just as well: `make test-long` has them all.
  private let count = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"] == nil ? 2_000 : 20_000
  private let pair = plainSequence([1, 1])

  private enum Wish: CaseIterable {
    case everything, oneByOne, late, lateOneByOne
  }

  /// Subscribes on a small stack, and asks for everything in one of the ways.
  private func expect<P: Publisher>(
    _ values: Int, from stream: P, _ name: String, _ wishes: [Wish] = Wish.allCases, line: UInt = #line
  ) where P.Failure == Never {
    for wish in wishes {
      let initial: Subscribers.Demand =
        switch wish {
        case .everything: .unlimited
        case .oneByOne: .max(1)
        case .late, .lateOneByOne: .none
        }
      let answer: Subscribers.Demand = wish == .oneByOne || wish == .lateOneByOne ? .max(1) : .none
      let subscriber = TestSubscriber<Void, Never>(initial: initial) { _ in answer }
      let isOver = onSmallStack {
        stream.map { _ in }.subscribe(subscriber)
        switch wish {
        case .everything, .oneByOne: break
        case .late: subscriber.request(.max(values + 1))
        case .lateOneByOne: subscriber.request(.max(1))
        }
      }
      XCTAssertTrue(isOver, "\(name), \(wish): it does not come to an end", line: line)
      XCTAssertEqual(subscriber.values.count, values, "\(name), \(wish)", line: line)
      XCTAssertTrue(subscriber.isFinished, "\(name), \(wish)", line: line)
      XCTAssertEqual(subscriber.violations, [], "\(name), \(wish)", line: line)
    }
  }

  private func tree<P: Publisher>(_ leaves: Int, of leaf: P, _ join: (Joint<P>, Joint<P>) -> Joint<P>) -> Joint<P> {
    leaves == 1
      ? leaf.eraseToAnyPublisher() : join(tree(leaves / 2, of: leaf, join), tree(leaves - leaves / 2, of: leaf, join))
  }
  private typealias Joint<P: Publisher> = AnyPublisher<P.Output, P.Failure>

  func testZip() {
    expect(2, from: Array(repeating: pair, count: count).zipAll(), "zipAll")
  }

  func testCombineLatest() {
    // All but the last have had both their values when that one has its first.
    expect(2, from: Array(repeating: pair, count: count).combineLatestAll(), "combineLatestAll", [.everything])
    expect(1, from: Array(repeating: plainSequence([1]), count: count).combineLatestAll(), "combineLatestAll")
  }

  func testMerge() {
    expect(2 * count, from: Array(repeating: pair, count: count).mergeAll(), "mergeAll")
  }

  func testFlatMap() {
    let most: [Subscribers.Demand] = [.unlimited, .max(1), .max(7), .max(count)]
    for maxPublishers in most {
      let stream = plainSequence(0..<count).flatMap(maxPublishers: maxPublishers) { [pair] _ in pair }
      expect(2 * count, from: stream, "flatMap, \(maxPublishers)")
    }
  }

  func testSwitchToLatest() {
    let stream = plainSequence(0..<count).map { [pair] _ in pair }.switchToLatest()
    expect(2 * count, from: stream, "switchToLatest", [.everything, .oneByOne])
    expect(2, from: stream, "switchToLatest", [.late, .lateOneByOne])
  }

  func testRetry() {
    let stream = plainSequence([1]).setFailureType(to: Boom.self).append(Fail(error: Boom()))
    expect(count + 1, from: stream.retry(count).catch { _ in Empty() }, "retry")
  }

  func testTrees() {
    for leaf in [pair, plainSequence(Array(repeating: 1, count: 1_000))] {
      let length = leaf.collectedCount
      let leaves = length == 2 ? 1_000 : 32
      let zip = tree(leaves, of: leaf) { $0.zip($1) { $0 + $1 }.eraseToAnyPublisher() }
      expect(length, from: zip, "zip, \(length) each")
      let merge = tree(leaves, of: leaf) { $0.merge(with: $1).eraseToAnyPublisher() }
      expect(length * leaves, from: merge, "merge, \(length) each")
    }
    let leaf = plainSequence([1])
    let combineLatest = tree(1_000, of: leaf) { $0.combineLatest($1) { $0 + $1 }.eraseToAnyPublisher() }
    expect(1, from: combineLatest, "combineLatest")
  }

  /// Subscribing to a chain is recursive. A chain of 1,000 levels must fit a stack of 8 MB, also unoptimised.
  func testADeepChainNeedsLittleStack() {
    let depth = 1_000
    let done = DispatchSemaphore(value: 0)
    let received = Locked(0)
    let thread = Thread {
      let subject = PassthroughSubject<Int, Never>()
      let never = PassthroughSubject<Void, Never>()
      var chain = subject.eraseToAnyPublisher()
      for _ in 0..<depth {
        let upstream = chain
        chain = Deferred { upstream.prefix(untilOutputFrom: never).handleEvents() }.eraseToAnyPublisher()
      }
      let cancellable = chain.sink { value in received.withLock { $0 = value } }
      subject.send(7)
      withExtendedLifetime(cancellable) {}
      done.signal()
    }
    thread.stackSize = 8 << 20
    thread.start()
    XCTAssertEqual(done.wait(timeout: .now() + 60), .success)
    XCTAssertEqual(received.withLock { $0 }, 7)
  }

  func testManyValuesOfManyInputs() {
    let (inputs, values) = (200, 200)
    let input = plainSequence(Array(repeating: 1, count: values))
    expect(values, from: Array(repeating: input, count: inputs).zipAll(), "zipAll")
    expect(inputs * values, from: Array(repeating: input, count: inputs).mergeAll(), "mergeAll")
    expect(inputs * values, from: plainSequence(0..<inputs).flatMap { _ in input }, "flatMap")
  }

  /// Others are asked while a source that has no end is being asked.
  func testAnEndlessSourceDoesNotKeepTheOthersWaiting() {
    let endless = plainSequence(0...)
    let finite = plainSequence(Array(repeating: 1, count: 100))
    expect(100, from: endless.zip(finite), "zip")
    expect(100, from: [endless, finite].zipAll(), "zipAll")
    // Not if everything is asked of two that have no end: there is no way out of the second.
    let four = [endless, endless, endless, finite].zipAll()
    expect(100, from: four, "zipAll of four", [.oneByOne, .late, .lateOneByOne])
    let three = endless.map { _ in 1 }.merge(with: endless.map { _ in 2 }, endless.map { _ in 3 })
    // Those that are not subscribed to yet when the first one is asked for values come too late.
    expect(100, from: three.filter { $0 == 3 }.prefix(100), "merge", [.late, .lateOneByOne])
    expect(1, from: Array(repeating: endless, count: 8).combineLatestAll().prefix(1), "combineLatestAll")
  }
}

extension Publisher where Failure == Never {
  /// Of a synchronous publisher.
  fileprivate var collectedCount: Int {
    var count = 0
    sink { _ in count += 1 }.cancel()
    return count
  }
}
