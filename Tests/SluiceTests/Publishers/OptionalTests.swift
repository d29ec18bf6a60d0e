import Sluice
import XCTest

/// The operators of an optional's publisher are plain publishers; of nothing nothing comes.
final class OptionalTests: XCTestCase {
  /// With the value 2 and without one.
  private func expectBoth<P: Publisher>(
    _ make: (Optional<Int>.Publisher) -> P, _ type: String, _ some: String, none: String = "finished",
    line: UInt = #line
  ) {
    expect(make(Int("2").publisher), "\(type): \(some)", line: line)
    expect(make(Int("x").publisher), "\(type): \(none)", line: line)
  }

  func testTransformation() {
    expectBoth({ $0 }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.map { "<\($0)>" } }, "Optional<String>.Publisher", "<2> finished")
    expectBoth({ $0.compactMap { $0 > 1 ? "\($0)" : nil } }, "Optional<String>.Publisher", "2 finished")
    expectBoth({ $0.compactMap { $0 > 2 ? "\($0)" : nil } }, "Optional<String>.Publisher", "finished")
    expectBoth({ $0.filter { $0 > 1 } }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.filter { $0 > 2 } }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.replaceError(with: 9) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.replaceEmpty(with: 9) }, "Just<Int>", "2 finished", none: "9 finished")
    expectBoth({ $0.retry(9) }, "Optional<Int>.Publisher", "2 finished")
  }

  func testOneAnswer() {
    expectBoth({ $0.allSatisfy { $0 > 2 } }, "Optional<Bool>.Publisher", "false finished")
    expectBoth({ $0.contains(2) }, "Optional<Bool>.Publisher", "true finished")
    expectBoth({ $0.contains(3) }, "Optional<Bool>.Publisher", "false finished")
    expectBoth({ $0.contains { $0 > 1 } }, "Optional<Bool>.Publisher", "true finished")
    expectBoth({ $0.collect() }, "Optional<Array<Int>>.Publisher", "[2] finished", none: "[] finished")
    expectBoth({ $0.count() }, "Optional<Int>.Publisher", "1 finished")
    expectBoth({ $0.min() }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.max() }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.min(by: neverAsked) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.max(by: neverAsked) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.ignoreOutput() }, "Empty<Int, Never>", "finished")
    expectBoth({ $0.reduce(5, -) }, "Optional<Int>.Publisher", "3 finished")
    expectBoth({ $0.scan(5, -) }, "Optional<Int>.Publisher", "3 finished")
  }

  func testPartOfIt() {
    expectBoth({ $0.removeDuplicates() }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.removeDuplicates(by: neverAsked) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.first() }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.first { $0 > 2 } }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.last() }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.last { $0 > 2 } }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.dropFirst() }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.dropFirst(0) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.drop { $0 > 1 } }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.drop { $0 > 2 } }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.prefix(0) }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.prefix(1) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.prefix { $0 > 2 } }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.output(at: 0) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.output(at: 1) }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.output(in: 0..<9) }, "Optional<Int>.Publisher", "2 finished")
    expectBoth({ $0.output(in: ..<0) }, "Optional<Int>.Publisher", "finished")
    expectBoth({ $0.output(in: 1..<9) }, "Optional<Int>.Publisher", "finished")
  }
}
