import TestFiles
import XCTest

@testable import SluiceTool

final class EventMachineTests: XCTestCase {
  func testOneAtATimePerKind() {
    var machine = EventMachine()
    XCTAssertEqual(machine.happened("failed"), 0)
    XCTAssertNil(machine.happened("failed"))
    XCTAssertEqual(machine.happened("output-away"), 0, "another kind has its own program")
    XCTAssertNil(machine.happened("failed"))
    machine.ended("failed")
    XCTAssertEqual(machine.happened("failed"), 2)
    machine.ended("failed")
    XCTAssertEqual(machine.happened("failed"), 0)
    XCTAssertEqual(machine.skipped.map(\.kind), ["failed"])
    XCTAssertEqual(machine.skipped.map(\.count), [2])
  }

  /// A law: each event has started a program or was skipped, and each skipped one is told exactly once.
  func testCounts() {
    var machine = EventMachine()
    var generator = TestGenerator()
    var (happened, started, told, isRunning) = (0, 0, 0, false)
    for _ in 0..<10_000 {
      if Bool.random(using: &generator) {
        happened += 1
        let skipped = machine.happened("a")
        XCTAssertEqual(skipped == nil, isRunning)
        if let skipped {
          (started, told, isRunning) = (started + 1, told + skipped, true)
        }
      } else {
        machine.ended("a")
        isRunning = false
      }
    }
    machine.ended("a")
    happened += 1
    started += 1
    told += machine.happened("a") ?? 0
    XCTAssertEqual(happened, started + told)
    XCTAssertEqual(machine.skipped.first?.count ?? 0, told)
  }
}
