import Sluice
import SluiceTesting
import XCTest

@testable import SluiceExtras

/// A processor that has any number of outputs per input, and some at the end.
private struct Repeated: ElementProcessor {
  private var value = 0
  private var left = 0
  private let atEnd: [Int]

  init(atEnd: [Int] = []) { self.atEnd = atEnd }

  mutating func receive(_ input: Int, into outputs: inout [Int]) {
    (value, left) = (input, input)
    resume(into: &outputs)
  }

  var hasMore: Bool { left > 0 }

  mutating func resume(into outputs: inout [Int]) {
    let count = min(left, 100)
    outputs += Array(repeating: value, count: count)
    left -= count
  }

  mutating func finish(into outputs: inout [Int]) { outputs += atEnd }
}

final class ProcessTests: XCTestCase {
  func testAnyNumberOfOutputs() {
    let subscriber = TestSubscriber<Int, Never>()
    [2, 0, 3].publisher.process(by: Repeated(atEnd: [7, 8])).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [2, 2, 3, 3, 3, 7, 8])
    XCTAssertTrue(subscriber.isFinished)
  }

  func testAsksForAnotherInputPerInputWithoutOutput() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<Int, Boom>(initial: .none)
    upstream.process(by: Repeated()).subscribe(subscriber)
    XCTAssertEqual(upstream.requests, [])
    subscriber.request(.max(2))
    XCTAssertEqual(upstream.requests, [.max(2)])
    XCTAssertEqual(upstream.send(0), .max(1), "it has no output")
    XCTAssertEqual(upstream.send(3), .none)
    XCTAssertEqual(subscriber.values, [3, 3])
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values, [3, 3, 3])
  }

  func testAnEndComesAfterTheLastOutputAndWaitsForNoDemandWithoutOne() {
    let upstream = TestPublisher<Int, Boom>()
    let subscriber = TestSubscriber<Int, Boom>(initial: .max(1))
    upstream.process(by: Repeated(atEnd: [9])).subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .finished)
    XCTAssertNil(subscriber.completion, "an output of the end waits")
    subscriber.request(.max(1))
    XCTAssertEqual(subscriber.values, [1, 9])
    XCTAssertTrue(subscriber.isFinished)

    let (other, reader) = (TestPublisher<Int, Boom>(), TestSubscriber<Int, Boom>(initial: .max(1)))
    other.process(by: Repeated(atEnd: [9])).subscribe(reader)
    other.send(1)
    other.send(completion: .failure(Boom()))
    XCTAssertEqual(reader.values, [1])
    XCTAssertNotNil(reader.completion, "a failure makes no output")
  }

  /// More than a run, of one input: it is made as it is asked for.
  func testAnEndlessInputFillsNoMemory() {
    let subscriber = TestSubscriber<Int, Never>(initial: .max(3))
    let upstream = [Int.max].publisher
    upstream.process(by: Repeated()).subscribe(subscriber)
    XCTAssertEqual(subscriber.values, [.max, .max, .max])
    subscriber.request(.max(2_000))
    XCTAssertEqual(subscriber.values.count, 2_003)
    subscriber.cancel()
  }
}
