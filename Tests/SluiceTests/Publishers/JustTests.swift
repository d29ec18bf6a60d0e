import Sluice
import XCTest

/// The operators of Just are plain publishers, with the outcome of the operator of that name.
final class JustTests: XCTestCase {
  func testTransformation() {
    expect(Just(2).map { $0 + 1 }, "Just<Int>: 3 finished")
    expect(Just(2).tryMap { "<\($0)>" }, "Result<String, Error>.Publisher: <2> finished")
    expect(Just(2).tryMap(fail) as Result<Int, any Error>.Publisher, "Result<Int, Error>.Publisher: Boom()")
    expect(Just(2).mapError(boom), "Result<Int, Boom>.Publisher: 2 finished")
    expect(Just(2).setFailureType(to: Boom.self), "Result<Int, Boom>.Publisher: 2 finished")
    expect(Just("2").compactMap { Int($0) }, "Optional<Int>.Publisher: 2 finished")
    expect(Just("x").compactMap { Int($0) }, "Optional<Int>.Publisher: finished")
    expect(Just(2).filter { $0 > 1 }, "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).filter { $0 > 2 }, "Optional<Int>.Publisher: finished")
    expect(Just(2).replaceError(with: 9), "Just<Int>: 2 finished")
    expect(Just(2).replaceEmpty(with: 9), "Just<Int>: 2 finished")
    expect(Just(2).retry(9), "Just<Int>: 2 finished")
  }

  func testOneAnswer() {
    expect(Just(2).allSatisfy { $0 > 1 }, "Just<Bool>: true finished")
    expect(Just(2).allSatisfy { $0 > 2 }, "Just<Bool>: false finished")
    expect(Just(2).tryAllSatisfy { $0 > 2 }, "Result<Bool, Error>.Publisher: false finished")
    expect(Just(2).tryAllSatisfy(fail), "Result<Bool, Error>.Publisher: Boom()")
    expect(Just(2).contains(2), "Just<Bool>: true finished")
    expect(Just(2).contains(3), "Just<Bool>: false finished")
    expect(Just(2).contains { $0 > 2 }, "Just<Bool>: false finished")
    expect(Just(2).tryContains { $0 > 1 }, "Result<Bool, Error>.Publisher: true finished")
    expect(Just(2).tryContains(where: fail), "Result<Bool, Error>.Publisher: Boom()")
    expect(Just(2).collect(), "Just<Array<Int>>: [2] finished")
    expect(Just(2).count(), "Just<Int>: 1 finished")
    expect(Just(2).min(), "Just<Int>: 2 finished")
    expect(Just(2).max(), "Just<Int>: 2 finished")
    expect(Just(2).min(by: neverAsked), "Just<Int>: 2 finished")
    expect(Just(2).max(by: neverAsked), "Just<Int>: 2 finished")
    expect(Just(2).ignoreOutput(), "Empty<Int, Never>: finished")
    expect(Just(2).reduce(5, -), "Result<Int, Never>.Publisher: 3 finished")
    expect(Just(2).tryReduce(5, -), "Result<Int, Error>.Publisher: 3 finished")
    expect(Just(2).tryReduce(5, fail), "Result<Int, Error>.Publisher: Boom()")
    expect(Just(2).scan(5, -), "Result<Int, Never>.Publisher: 3 finished")
    expect(Just(2).tryScan(5, -), "Result<Int, Error>.Publisher: 3 finished")
    expect(Just(2).tryScan(5, fail), "Result<Int, Error>.Publisher: Boom()")
  }

  func testPartOfIt() {
    expect(Just(2).removeDuplicates(), "Just<Int>: 2 finished")
    expect(Just(2).removeDuplicates(by: neverAsked), "Just<Int>: 2 finished")
    expect(Just(2).tryRemoveDuplicates { $0 == $1 }, "Result<Int, Error>.Publisher: 2 finished")
    expect(Just(2).tryRemoveDuplicates(by: fail), "Result<Int, Error>.Publisher: Boom()")
    expect(Just(2).first(), "Just<Int>: 2 finished")
    expect(Just(2).first { $0 > 1 }, "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).first { $0 > 2 }, "Optional<Int>.Publisher: finished")
    expect(Just(2).last(), "Just<Int>: 2 finished")
    expect(Just(2).last { $0 > 1 }, "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).last { $0 > 2 }, "Optional<Int>.Publisher: finished")
    expect(Just(2).dropFirst(), "Optional<Int>.Publisher: finished")
    expect(Just(2).dropFirst(0), "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).drop { $0 > 1 }, "Optional<Int>.Publisher: finished")
    expect(Just(2).drop { $0 > 2 }, "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).prefix(0), "Optional<Int>.Publisher: finished")
    expect(Just(2).prefix(1), "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).prefix { $0 > 1 }, "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).prefix { $0 > 2 }, "Optional<Int>.Publisher: finished")
    expect(Just(2).output(at: 0), "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).output(at: 1), "Optional<Int>.Publisher: finished")
    expect(Just(2).output(in: 0..<9), "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).output(in: 0...), "Optional<Int>.Publisher: 2 finished")
    expect(Just(2).output(in: 1...), "Optional<Int>.Publisher: finished")
    expect(Just(2).output(in: 0..<0), "Optional<Int>.Publisher: 2 finished")  // as Combine has it
  }

  func testMoreThanIt() {
    expect(Just(2).prepend(0, 1), "Sequence<Array<Int>, Never>: 0 1 2 finished")
    expect(Just(2).prepend(Set([1])), "Sequence<Array<Int>, Never>: 1 2 finished")
    expect(Just(2).append(3, 4), "Sequence<Array<Int>, Never>: 2 3 4 finished")
    expect(Just(2).append(3...5), "Sequence<Array<Int>, Never>: 2 3 4 5 finished")
  }

  func testItsClosuresRunWhenApplied() {
    var calls = 0
    let mapped = Just(2).map { value -> Int in
      calls += 1
      return value
    }
    XCTAssertEqual(calls, 1)
    expect(mapped, "Just<Int>: 2 finished")
    expect(mapped, "Just<Int>: 2 finished")
    XCTAssertEqual(calls, 1)
  }

  private func boom(_: Never) -> Boom {}
}
