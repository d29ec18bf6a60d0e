import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceTesting
import XCTest

final class GPIOEdgesTests: BoardTestCase {
  /// 8 lines, 2,000 edges a second in all, for a second, again and again: four lines for Sluice, four for gpiomon.
  ///
  /// With libgpiod 2, what was received and what is known to be lost is what the kernel was told of, in every run, and a
  /// loss never goes without a sign with either. Beyond that, runs are counted: a build that loses an edge in two of three
  /// fails in 9 of 10 times.
  func testEveryEdgeArrivesInOrder() throws {
    let chip = try SimulatedChip("sim8")
    let toggles = 250
    let driven = (0..<toggles).map { $0 % 2 == 0 }
    var runs = ExactRuns("8 lines", wanted: 12, limit: 36)
    while runs.goesOn {
      try chip.drive(lines: 8, toggles: 1, every: 20_000, from: 1)
      let monitor = try GPIOMon(chip, lines: [4, 5, 6, 7], GPIOOptions())
      defer { monitor.end() }
      monitor.waitForRequest()
      let edges = try Publishers.GPIOEdges(chip: "sim8", lines: (0..<4).map(String.init))
      XCTAssertEqual(edges.streams.map(\.name), ["\(chip.name):0", "\(chip.name):1", "\(chip.name):2", "METER"])
      let subscriber = TestSubscriber<Reading, SluiceError>()
      edges.subscribe(subscriber)
      let before = try SimulatedChip.interrupts(of: "sluice")
      try chip.drive(lines: 8, toggles: toggles, every: 4_000)
      // The edge after which nothing can come any more.
      try chip.drive(lines: 1, toggles: 2, every: 200_000)
      waitUntil("the last edges") { subscriber.values.suffix(2).map(\.stream.index) == [0, 0] }
      let reported = try SimulatedChip.interrupts(of: "sluice") - before
      subscriber.cancel()
      edges.teardown.wait()
      let readings = subscriber.values
      XCTAssertEqual(edges.losses[.skipped].count, 0)
      XCTAssertEqual(subscriber.violations, [])
      XCTAssertLessThanOrEqual(readings.count, reported)
      if !GPIOMon.isOld { XCTAssertEqual(readings.count + edges.losses[.unassigned].count, reported) }
      var lines = (0..<4).map { line in
        readings.filter { $0.stream.index == line }.map { $0.values[0].significand == 1 }
      }
      let repeated = lines.reduce(0) { sum, levels in sum + zip(levels, levels.dropFirst()).filter { $0 == $1 }.count }
      XCTAssertEqual(edges.losses[.repeated].count, repeated)
      lines[0].removeLast(2)
      let unordered = zip(readings, readings.dropFirst()).filter { $0.time > $1.time }.count
      let theirs = monitor.levels()
      runs.add(
        sluice: lines == Array(repeating: driven, count: 4) && unordered == 0,
        gpiomon: theirs == Array(repeating: driven, count: 4),
        "\(readings.count) edges of \(reported) reported, \(4 * toggles + 2) driven; \(unordered) out of order")
    }
    try runs.check(floor: 0.85)
  }

  func testWithoutDemandEdgesWaitInTheKernel() throws {
    let chip = try SimulatedChip("sim8")
    let edges = try Publishers.GPIOEdges(chip: "sim8", lines: ["0"])
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .max(2))
    edges.subscribe(subscriber)
    try chip.drive(lines: 1, toggles: 10, every: 20_000)
    waitUntil("two edges") { subscriber.values.count == 2 }
    subscriber.request(.max(3))
    waitUntil("three more") { subscriber.values.count == 5 }
    subscriber.request(.unlimited)
    waitUntil("the rest") { subscriber.values.count == 10 }
    subscriber.cancel()
    edges.teardown.wait()
    XCTAssertEqual(subscriber.values.map { $0.values[0].significand }, [1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    XCTAssertEqual(subscriber.violations, [])
  }

  func testOnlyRisingEdges() throws {
    let chip = try SimulatedChip("sim8")
    var options = GPIOOptions()
    options.edges = .rising
    let edges = try Publishers.GPIOEdges(chip: "sim8", lines: ["METER"], options: options)
    let subscriber = TestSubscriber<Reading, SluiceError>()
    edges.subscribe(subscriber)
    try chip.drive(lines: 4, toggles: 10, every: 20_000)
    waitUntil("five edges") { subscriber.values.count == 5 }
    subscriber.cancel()
    edges.teardown.wait()
    XCTAssertEqual(Set(subscriber.values.map { $0.values[0].significand }), [1])
  }

  func testWhatIsRefusedIsNamed() throws {
    func refusal(_ chip: String, _ lines: [String], _ options: GPIOOptions = GPIOOptions()) -> SluiceError? {
      do {
        _ = try Publishers.GPIOEdges(chip: chip, lines: lines, options: options)
        return nil
      } catch {
        return error
      }
    }
    XCTAssertEqual(refusal("nope", ["0"])?.code, .notFound)
    XCTAssertTrue(refusal("sim8", ["8"])?.description.contains("0 to 7") == true)
    XCTAssertEqual(refusal("sim8", ["1", "1"])?.code, .usage)
    let taken = try Publishers.GPIOEdges(chip: "sim8", lines: ["5"], consumer: "somebody")
    let busy = refusal("sim8", ["4", "5"])
    XCTAssertEqual(busy?.code, .busy)
    XCTAssertTrue(busy?.description.contains("somebody") == true, busy?.description ?? "")
    withExtendedLifetime(taken) {}
    var options = GPIOOptions()
    options.debounce = 1_000
    if GPIOChips.libraryVersion?.hasPrefix("1.") == true {
      XCTAssertEqual(refusal("sim8", ["0"], options)?.code, .unsupported)
    } else {
      XCTAssertNil(refusal("sim8", ["0"], options))
    }
  }

  func testAnUnpluggedChipIsNamed() throws {
    let chip = try SimulatedChip("sim64")
    let edges = try Publishers.GPIOEdges(chip: "sim64", lines: ["0"])
    let subscriber = TestSubscriber<Reading, SluiceError>()
    edges.subscribe(subscriber)
    try chip.drive(lines: 1, toggles: 4, every: 20_000)
    waitUntil("four edges") { subscriber.values.count == 4 }
    try chip.unplug()
    waitUntil("the failure") { subscriber.failure != nil }
    XCTAssertEqual(subscriber.failure?.code, .disconnected)
    XCTAssertTrue(subscriber.failure?.description.contains(chip.name) == true)
    try chip.plug()
  }
}
