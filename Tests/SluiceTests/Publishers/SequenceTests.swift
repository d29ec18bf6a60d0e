import Sluice
import SluiceTesting
import XCTest

/// The operators of a sequence's publisher are plain publishers, made at once from the whole sequence.
final class SequenceTests: XCTestCase {
  private let numbers = [1, 1, 3, 2].publisher
  private let nothing = [Int]().publisher
  private let failing = [1, 1, 3, 2].publisher.setFailureType(to: Boom.self)

  func testTransformation() {
    expect(numbers.map { "<\($0)>" }, "Sequence<Array<String>, Never>: <1> <1> <3> <2> finished")
    expect(failing.map { $0 * 2 }, "Sequence<Array<Int>, Boom>: 2 2 6 4 finished")
    expect(["1", "x", "2"].publisher.compactMap { Int($0) }, "Sequence<Array<Int>, Never>: 1 2 finished")
    expect(numbers.filter { $0 > 1 }, "Sequence<Array<Int>, Never>: 3 2 finished")
    expect(numbers.scan(10, -), "Sequence<Array<Int>, Never>: 9 8 5 3 finished")
    expect(
      [1, nil, 2].publisher.replaceNil(with: 0),
      "Sequence<Array<Optional<Int>>, Never>: Optional(1) Optional(0) Optional(2) finished")
    expect((1...3).publisher.setFailureType(to: Boom.self), "Sequence<ClosedRange<Int>, Boom>: 1 2 3 finished")
    expect(numbers.removeDuplicates(), "Sequence<Array<Int>, Never>: 1 3 2 finished")
    expect([1, 2, 1].publisher.removeDuplicates(), "Sequence<Array<Int>, Never>: 1 2 1 finished")
    let gaps: [Int?] = [nil, nil, 1, nil]
    expect(gaps.publisher.removeDuplicates(), "Sequence<Array<Optional<Int>>, Never>: nil Optional(1) nil finished")
  }

  func testOneAnswer() {
    expect(numbers.allSatisfy { $0 > 0 }, "Result<Bool, Never>.Publisher: true finished")
    expect(numbers.allSatisfy { $0 > 1 }, "Result<Bool, Never>.Publisher: false finished")
    expect(numbers.tryAllSatisfy { $0 > 0 }, "Result<Bool, Error>.Publisher: true finished")
    expect(numbers.tryAllSatisfy(fail), "Result<Bool, Error>.Publisher: Boom()")
    expect(nothing.tryAllSatisfy(fail), "Result<Bool, Error>.Publisher: true finished")
    expect(numbers.contains(3), "Result<Bool, Never>.Publisher: true finished")
    expect(failing.contains(4), "Result<Bool, Boom>.Publisher: false finished")
    expect(numbers.contains { $0 > 2 }, "Result<Bool, Never>.Publisher: true finished")
    expect(numbers.tryContains { $0 > 3 }, "Result<Bool, Error>.Publisher: false finished")
    expect(numbers.tryContains(where: fail), "Result<Bool, Error>.Publisher: Boom()")
    expect(failing.collect(), "Result<Array<Int>, Boom>.Publisher: [1, 1, 3, 2] finished")
    expect(numbers.ignoreOutput(), "Empty<Int, Never>: finished")
    expect(numbers.reduce(10, -), "Result<Int, Never>.Publisher: 3 finished")
    expect(numbers.tryReduce(10, -), "Result<Int, Error>.Publisher: 3 finished")
    expect(numbers.tryReduce(10, fail), "Result<Int, Error>.Publisher: Boom()")
    expect(numbers.min(), "Optional<Int>.Publisher: 1 finished")
    expect(numbers.max(), "Optional<Int>.Publisher: 3 finished")
    expect(numbers.min(by: >), "Optional<Int>.Publisher: 3 finished")
    expect(numbers.max(by: >), "Optional<Int>.Publisher: 1 finished")
    expect(nothing.min(), "Optional<Int>.Publisher: finished")
    expect(numbers.count(), "Just<Int>: 4 finished")
    expect(failing.count(), "Result<Int, Boom>.Publisher: 4 finished")
    expect(Set([1, 2]).publisher.count(), "Result<Int, Never>.Publisher: 2 finished")
  }

  func testPartOfIt() {
    expect((1...5).publisher.drop { $0 < 3 }, "Sequence<DropWhileSequence<ClosedRange<Int>>, Never>: 3 4 5 finished")
    expect(numbers.dropFirst(), "Sequence<DropFirstSequence<Array<Int>>, Never>: 1 3 2 finished")
    expect(numbers.dropFirst(3), "Sequence<DropFirstSequence<Array<Int>>, Never>: 2 finished")
    expect(numbers.prefix(2), "Sequence<PrefixSequence<Array<Int>>, Never>: 1 1 finished")
    expect(numbers.prefix { $0 < 3 }, "Sequence<Array<Int>, Never>: 1 1 finished")
    expect(numbers.first(), "Optional<Int>.Publisher: 1 finished")
    expect(nothing.first(), "Optional<Int>.Publisher: finished")
    expect(numbers.first { $0 > 1 }, "Optional<Int>.Publisher: 3 finished")
    expect(numbers.last(), "Optional<Int>.Publisher: 2 finished")
    expect(numbers.last { $0 > 2 }, "Optional<Int>.Publisher: 3 finished")
    expect(numbers.output(at: 2), "Optional<Int>.Publisher: 3 finished")
    expect(numbers.output(at: 4), "Optional<Int>.Publisher: finished")
    expect(failing.output(in: 1..<3), "Sequence<Array<Int>, Boom>: 1 3 finished")
    let text = "sluice"
    expect(text.publisher.output(at: text.startIndex), "Optional<Character>.Publisher: s finished")
    expect(
      text.publisher.output(in: text.startIndex..<text.index(text.startIndex, offsetBy: 2)),
      "Sequence<Array<Character>, Never>: s l finished")
  }

  func testMoreThanIt() {
    expect(numbers.prepend(8, 9), "Sequence<Array<Int>, Never>: 8 9 1 1 3 2 finished")
    expect(numbers.prepend(7...8), "Sequence<Array<Int>, Never>: 7 8 1 1 3 2 finished")
    expect(numbers.prepend([9].publisher), "Sequence<Array<Int>, Never>: 9 1 1 3 2 finished")
    expect(failing.append(8, 9), "Sequence<Array<Int>, Boom>: 1 1 3 2 8 9 finished")
    expect(numbers.append(7...8), "Sequence<Array<Int>, Never>: 1 1 3 2 7 8 finished")
    expect(numbers.append([9].publisher), "Sequence<Array<Int>, Never>: 1 1 3 2 9 finished")
  }

  func testItIsEagerAndDoneOnce() {
    var calls = 0
    let mapped = numbers.map { value -> Int in
      calls += 1
      return value
    }
    XCTAssertEqual(calls, 4)
    for _ in 0..<2 { expect(mapped, "Sequence<Array<Int>, Never>: 1 1 3 2 finished") }
    XCTAssertEqual(calls, 4)
  }

  /// The subscriptions of cold sources show what there is to publish, and keep nothing of it after the end.
  func testDescriptions() {
    func subscription<P: Publisher>(_ publisher: P) throws -> any Subscription {
      var subscription: (any Subscription)?
      publisher.subscribe(AnySubscriber(receiveSubscription: { subscription = $0 }))
      return try XCTUnwrap(subscription)
    }
    func children(_ subscription: any Subscription) -> [String] {
      Mirror(reflecting: subscription).children.map { "\($0.label ?? "_") \($0.value)" }
    }
    let before = Token.alive
    do {
      let tokens = try subscription([Token()].publisher)
      XCTAssertEqual(Token.alive, before + 1)
      tokens.cancel()
      XCTAssertEqual(Token.alive, before, "a cancelled subscription keeps nothing")
      XCTAssertEqual("\(tokens) \(children(tokens))", #"Sequence ["sequence []"]"#)
      for (subscription, expected) in try [
        (subscription(Just(2)), #"Just ["_ 2"]"#),
        (subscription(Int("2").publisher), #"Optional ["_ 2"]"#),
        (subscription(Result<Int, Boom>.Publisher(2)), #"Once ["_ 2"]"#),
        (subscription((1...3).publisher), #"1...3 ["sequence 1...3"]"#),
        (
          subscription(Record<Int, Boom>(output: [1], completion: .failure(Boom()))),
          #"[1] ["sequence [1]", "completion failure(SluiceTests.Boom())"]"#
        ),
      ] {
        XCTAssertEqual("\(subscription) \(children(subscription))", expected)
      }
    } catch {
      XCTFail("no subscription: \(error)")
    }
  }
}
