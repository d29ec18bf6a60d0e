import Sluice
import XCTest

/// The operators of a result's publisher are plain publishers; a failure passes through them.
final class ResultTests: XCTestCase {
  private typealias Source = Result<Int, Boom>.Publisher

  /// With the value 2 and with a failure.
  private func expectBoth<P: Publisher>(
    _ make: (Source) -> P, _ type: String, _ success: String, failure: String = "Boom()", line: UInt = #line
  ) {
    expect(make(Source(2)), "\(type): \(success)", line: line)
    expect(make(Source(Boom())), "\(type): \(failure)", line: line)
  }

  func testTransformation() {
    expectBoth({ $0 }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.map { "<\($0)>" } }, "Result<String, Boom>.Publisher", "<2> finished")
    expectBoth({ $0.tryMap { "<\($0)>" } }, "Result<String, Error>.Publisher", "<2> finished")
    expectBoth({ $0.tryMap { _ -> Int in throw Lost() } }, "Result<Int, Error>.Publisher", "Lost()")
    expectBoth({ $0.mapError { _ in Lost() } }, "Result<Int, Lost>.Publisher", "2 finished", failure: "Lost()")
    expectBoth({ $0.replaceError(with: 9) }, "Result<Int, Never>.Publisher", "2 finished", failure: "9 finished")
    expectBoth({ $0.replaceEmpty(with: 9) }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.retry(9) }, "Result<Int, Boom>.Publisher", "2 finished")
    expect(
      Result<Int, Never>.Publisher(2).setFailureType(to: Boom.self), "Result<Int, Boom>.Publisher: 2 finished")
  }

  func testOneAnswer() {
    expectBoth({ $0.allSatisfy { $0 > 2 } }, "Result<Bool, Boom>.Publisher", "false finished")
    expectBoth({ $0.tryAllSatisfy { $0 > 1 } }, "Result<Bool, Error>.Publisher", "true finished")
    expectBoth({ $0.tryAllSatisfy { _ in throw Lost() } }, "Result<Bool, Error>.Publisher", "Lost()")
    expectBoth({ $0.contains(2) }, "Result<Bool, Boom>.Publisher", "true finished")
    expectBoth({ $0.contains { $0 > 2 } }, "Result<Bool, Boom>.Publisher", "false finished")
    expectBoth({ $0.tryContains { $0 > 1 } }, "Result<Bool, Error>.Publisher", "true finished")
    expectBoth({ $0.tryContains { _ in throw Lost() } }, "Result<Bool, Error>.Publisher", "Lost()")
    expectBoth({ $0.collect() }, "Result<Array<Int>, Boom>.Publisher", "[2] finished")
    expectBoth({ $0.count() }, "Result<Int, Boom>.Publisher", "1 finished")
    expectBoth({ $0.min() }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.max() }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.min(by: neverAsked) }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.max(by: neverAsked) }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.tryMin { $0 < $1 } }, "Result<Int, Error>.Publisher", "2 finished")
    expectBoth({ $0.tryMin { _, _ in throw Lost() } }, "Result<Int, Error>.Publisher", "Lost()")
    expectBoth({ $0.tryMax { $0 < $1 } }, "Result<Int, Error>.Publisher", "2 finished")
    expectBoth({ $0.tryMax { _, _ in throw Lost() } }, "Result<Int, Error>.Publisher", "Lost()")
    expectBoth({ $0.ignoreOutput() }, "Empty<Int, Boom>", "finished", failure: "finished")  // as Combine has it
    expectBoth({ $0.reduce(5, -) }, "Result<Int, Boom>.Publisher", "3 finished")
    expectBoth({ $0.tryReduce(5, -) }, "Result<Int, Error>.Publisher", "3 finished")
    expectBoth({ $0.tryReduce(5) { _, _ in throw Lost() } }, "Result<Int, Error>.Publisher", "Lost()")
    expectBoth({ $0.scan(5, -) }, "Result<Int, Boom>.Publisher", "3 finished")
    expectBoth({ $0.tryScan(5, -) }, "Result<Int, Error>.Publisher", "3 finished")
    expectBoth({ $0.tryScan(5) { _, _ in throw Lost() } }, "Result<Int, Error>.Publisher", "Lost()")
  }

  func testPartOfIt() {
    expectBoth({ $0.removeDuplicates() }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.removeDuplicates(by: neverAsked) }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.tryRemoveDuplicates { $0 == $1 } }, "Result<Int, Error>.Publisher", "2 finished")
    expectBoth({ $0.tryRemoveDuplicates { _, _ in throw Lost() } }, "Result<Int, Error>.Publisher", "Lost()")
    expectBoth({ $0.first() }, "Result<Int, Boom>.Publisher", "2 finished")
    expectBoth({ $0.last() }, "Result<Int, Boom>.Publisher", "2 finished")
  }
}

struct Lost: Error {}
