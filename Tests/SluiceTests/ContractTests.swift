import SluiceTesting
import XCTest

@testable import Sluice

/// One table of operators, each of which passes values on one for one, run through the rules of the contract.
final class ContractTests: XCTestCase {
  typealias Stream = AnyPublisher<Token, Boom>

  /// Operators under test; those with a scheduler get an immediate one.
  private let operators: [(name: String, make: (Stream) -> Stream)] = [
    ("map", { $0.map { $0 }.eraseToAnyPublisher() }),
    ("filter", { $0.filter { _ in true }.eraseToAnyPublisher() }),
    ("compactMap", { $0.compactMap { $0 }.eraseToAnyPublisher() }),
    ("scan", { $0.scan(Token()) { $1 }.eraseToAnyPublisher() }),
    ("collect", { $0.collect(1).map { $0[0] }.eraseToAnyPublisher() }),
    ("buffer keepFull", { $0.buffer(size: 4, prefetch: .keepFull, whenFull: .dropNewest).eraseToAnyPublisher() }),
    ("buffer byRequest", { $0.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest).eraseToAnyPublisher() }),
    ("merge", { $0.merge(with: [Token]().publisher.setFailureType(to: Boom.self)).eraseToAnyPublisher() }),
    ("receive(on:)", { $0.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() }),
    (
      "prefix(untilOutputFrom:)", { $0.prefix(untilOutputFrom: PassthroughSubject<Int, Never>()).eraseToAnyPublisher() }
    ),
    ("partition", { $0.partition(into: 1) { _ in 0 }[0].eraseToAnyPublisher() }),
    ("AnyPublisher", { $0 }),
  ]

  private func each(_ body: (String, TestPublisher<Token, Boom>, Stream) -> Void) {
    for (name, make) in operators {
      let before = Token.alive
      let upstream = TestPublisher<Token, Boom>()
      body(name, upstream, make(upstream.eraseToAnyPublisher()))
      upstream.disconnect()
      XCTAssertEqual(Token.alive, before, "\(name): everything is let go of at the end")
    }
  }

  func testValuesThenTheEnd() {
    each { name, upstream, stream in
      let subscriber = TestSubscriber<Int, Boom>()
      stream.map(\.number).subscribe(subscriber)
      for number in 0..<100 { upstream.send(Token(number)) }
      upstream.send(completion: .finished)
      XCTAssertEqual(subscriber.values, Array(0..<100), name)
      XCTAssertTrue(subscriber.isFinished, name)
      XCTAssertEqual(subscriber.violations, [], name)
    }
  }

  func testFailure() {
    each { name, upstream, stream in
      let subscriber = TestSubscriber<Int, Boom>()
      stream.map(\.number).subscribe(subscriber)
      upstream.send(Token(1))
      upstream.send(completion: .failure(Boom()))
      XCTAssertEqual(subscriber.values, [1], name)
      XCTAssertEqual(subscriber.failure, Boom(), name)
      XCTAssertEqual(subscriber.violations, [], name)
    }
  }

  func testNeverMoreThanDemanded() {
    each { name, upstream, stream in
      let subscriber = TestSubscriber<Int, Boom>(initial: .none)
      stream.map(\.number).subscribe(subscriber)
      var sent = 0
      func sendWhatIsWanted() {
        while upstream.demand > sent, sent < 50 {
          upstream.send(Token(sent))
          sent += 1
        }
      }
      for round in 1...5 {
        subscriber.request(.max(2))
        sendWhatIsWanted()
        XCTAssertLessThanOrEqual(subscriber.values.count, 2 * round, name)
        XCTAssertEqual(subscriber.values, Array(0..<subscriber.values.count), name)
      }
      XCTAssertEqual(subscriber.values.count, 10, "all that was demanded came through \(name)")
      XCTAssertEqual(subscriber.violations, [], name)
      subscriber.cancel()
    }
  }

  func testNothingAfterCancelAndCancelTwiceCancelsOnce() {
    each { name, upstream, stream in
      let subscriber = TestSubscriber<Int, Boom>()
      stream.map(\.number).subscribe(subscriber)
      upstream.send(Token(1))
      subscriber.cancel()
      subscriber.cancel()
      XCTAssertLessThanOrEqual(1, upstream.cancels, name)
      upstream.disconnect()
      XCTAssertEqual(subscriber.values, [1], name)
    }
  }

  func testTwoHundredThousandSynchronousValues() {
    for (name, make) in operators {
      let source = (0..<200_000).publisher.map { Token($0) }.setFailureType(to: Boom.self).eraseToAnyPublisher()
      var count = 0
      let subscriber = TestSubscriber<Void, Boom>(initial: .max(1)) { _ in .max(1) }
      make(source).map { _ in count += 1 }.subscribe(subscriber)
      XCTAssertEqual(count, 200_000, name)
      XCTAssertTrue(subscriber.isFinished, name)
      XCTAssertEqual(subscriber.violations, [], name)
    }
  }
}
