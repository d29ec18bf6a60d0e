import Foundation
import Sluice
import SluiceReadings
import SluiceTesting
import XCTest

@testable import SluiceDevices

final class GPIOLossTests: BoardTestCase {
  private var numbersEdges: Bool { GPIOChips.libraryVersion?.hasPrefix("1.") != true }

  /// A reader stalls for 100 ms at 2,000 edges a second, longer than the kernel's FIFO lasts. All of this holds in every
  /// run, whatever the host does meanwhile.
  ///
  /// With libgpiod 2 every edge that the kernel was told of is written, or counted as lost. With libgpiod 1 a full FIFO and
  /// two equal edges in a row are left as signs, and that an odd number is missing.
  func testAStalledReaderKnowsWhatItLost() throws {
    let chip = try SimulatedChip("sim8")
    var options = GPIOOptions()
    if numbersEdges { options.fifo = 64 }
    for run in 1...12 {
      let edges = try Publishers.GPIOEdges(chip: "sim8", lines: (0..<8).map(String.init), options: options)
      let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none)
      edges.subscribe(subscriber)
      let before = try SimulatedChip.interrupts(of: "sluice")
      // Odd, so that what follows tells whether an odd or an even number is missing.
      try chip.drive(lines: 8, toggles: 25, every: 4_000)
      subscriber.request(.unlimited)
      waitUntil("what the kernel kept") { subscriber.values.count >= (numbersEdges ? 64 : 128) }
      // Every line tells its number once more, slowly enough.
      try chip.drive(lines: 8, toggles: 1, every: 50_000, from: 25)
      waitUntil("the last edges") { Set(subscriber.values.suffix(8).map(\.stream.index)).count == 8 }
      let reported = try SimulatedChip.interrupts(of: "sluice") - before
      edges.finish()
      edges.teardown.wait()
      let (readings, losses) = (subscriber.values, edges.losses)
      let (skipped, repeated) = (losses[.skipped], losses[.repeated])
      let told = "run \(run): \(readings.count) of \(reported) edges, \(losses.all.map { "\($0.count) \($0.sign)" })"
      XCTAssertLessThanOrEqual(reported, 8 * 26, told)
      let flagged = readings.filter { $0.flags.contains(.gapBefore) }.count
      guard numbersEdges else {
        let equal = (0..<8).reduce(0) { sum, line in
          let levels = readings.filter { $0.stream.index == line }.map { $0.values[0].significand }
          return sum + zip(levels, levels.dropFirst()).filter { $0 == $1 }.count
        }
        // A line that lost an even number shows nothing in its edges, but that its FIFO was full.
        XCTAssertEqual(skipped.count, 0, told)
        XCTAssertEqual(repeated.count, equal, told)
        XCTAssertGreaterThan(repeated.count, 0, told)
        XCTAssertGreaterThanOrEqual(flagged, max(8, repeated.count), told)
        XCTAssertLessThanOrEqual(readings.count + losses[.mismatched].count, 8 * 26, told)
        XCTAssertGreaterThanOrEqual(losses[.full].count, 8, told)
        XCTAssertTrue(losses.mayHaveUncountedLosses, told)
        XCTAssertLessThan(readings.count, reported, told)
        XCTAssertEqual(repeated.first.map { $0 <= (repeated.last ?? 0) }, true, told)
        continue
      }
      XCTAssertEqual(readings.count + skipped.count + losses[.unassigned].count, reported, told)
      XCTAssertGreaterThanOrEqual(flagged, 8, told)
      XCTAssertGreaterThan(skipped.count, 0, told)
      XCTAssertGreaterThan(losses[.full].count, 0, told)
      XCTAssertFalse(losses.mayHaveUncountedLosses, "numbers count them")
      XCTAssertLessThanOrEqual(skipped.first ?? .max, skipped.last ?? .min, told)
    }
  }

  /// Edges that come faster than the simulator reports them, so that it coalesces some, and the kernel reads the level
  /// after the next edge for others. Whatever that does to their order, no more is said to be lost than is missing, and a
  /// loss that follows from the order is said.
  ///
  /// With `SLUICE_LONG_TESTS`, 100 runs at a rate that it reports: for a machine that is busy with something else.
  func testNoMoreIsSaidToBeLostThanIsMissing() throws {
    let chip = try SimulatedChip("sim8")
    let isLong = ProcessInfo.processInfo.environment["SLUICE_LONG_TESTS"] != nil
    let periods: [UInt32] = isLong ? Array(repeating: 2_000, count: 100) : [2_000, 1_000, 700, 500, 300, 200]
    let emitted = 8 * 400
    var (least, equal, missing, exact) = (0, 0, 0, 0)
    for (run, period) in periods.enumerated() {
      try chip.drive(lines: 8, toggles: 1, every: 50_000, from: 1)
      let edges = try Publishers.GPIOEdges(chip: "sim8", lines: (0..<8).map(String.init))
      let subscriber = TestSubscriber<Reading, SluiceError>()
      edges.subscribe(subscriber)
      // Nothing changes, so that the levels at the request are those before the first edge.
      try chip.drive(lines: 8, toggles: 1, every: 100_000, from: 1)
      let before = try SimulatedChip.interrupts(of: "sluice")
      let longest = try chip.drive(lines: 8, toggles: 400, every: period)
      try chip.drive(lines: 8, toggles: 1, every: 300_000, from: 1)
      let reported = try SimulatedChip.interrupts(of: "sluice") - before
      edges.finish()
      edges.teardown.wait()
      let (readings, losses) = (subscriber.values, edges.losses)
      let told =
        "run \(run + 1): \(readings.count) edges, \(reported) reported, \(losses.all.map { "\($0.count) \($0.sign)" }), \(longest)"
      let lines = (0..<8).map { line in
        readings.filter { $0.stream.index == line }.map { $0.values[0].significand == 1 }
      }
      let repeated = lines.reduce(0) { sum, levels in sum + zip([false] + levels, levels).filter { $0 == $1 }.count }
      XCTAssertEqual(readings.filter { $0.flags.contains(.uncertainLevel) }.count, losses[.repeated].count, told)
      if numbersEdges {
        XCTAssertEqual(readings.count + losses[.skipped].count + losses[.unassigned].count, reported, told)
        XCTAssertEqual(losses[.mismatched].count, 0, told)
      } else {
        XCTAssertEqual(losses[.repeated].count, repeated, told)
        XCTAssertEqual(
          losses.all.filter(\.isCountOfReadings).map(\.sign), losses[.mismatched].count > 0 ? [.mismatched] : [])
        // All lines begin low, and each edge changes the level.
        let proven = lines.filter { $0.last ?? false == $0.count.isMultiple(of: 2) }.count
        if longest < .milliseconds(900) { XCTAssertEqual(losses[.mismatched].count, proven, told) }
      }
      let lost = losses.all.reduce(0) { $0 + ($1.isCountOfReadings ? $1.count : 0) }
      XCTAssertLessThanOrEqual(readings.count + lost, emitted, told)
      print(told)
      (least, equal, missing) = (least + lost, equal + losses[.repeated].count, missing + emitted - readings.count)
      if readings.count + lost == emitted { exact += 1 }
    }
    print(
      "\(periods.count) runs of \(emitted) edges: \(missing) are missing, \(least) are said to be lost, \(equal) equal edges in a row; "
        + "rows and lost are all edges in \(exact) runs")
  }

  /// Edges of one direction show nothing of a loss with libgpiod 1, but that the FIFO was full.
  func testAFullFIFOIsASignOfItsOwn() throws {
    let chip = try SimulatedChip("sim8")
    var options = GPIOOptions()
    options.edges = .rising
    if numbersEdges { options.fifo = 64 }
    let edges = try Publishers.GPIOEdges(chip: "sim8", lines: (0..<8).map(String.init), options: options)
    XCTAssertEqual(edges.losses.coverage, numbersEdges ? .some : .none)
    XCTAssertEqual(edges.losses.coverageRemedy == nil, numbersEdges)
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .none)
    edges.subscribe(subscriber)
    // Up and down, forty rising edges a line.
    try chip.drive(lines: 8, toggles: 80, every: 3_000)
    XCTAssertEqual(edges.losses.all, [])
    subscriber.request(.unlimited)
    waitUntil("what the kernel kept") { subscriber.values.count >= (numbersEdges ? 64 : 128) }
    try chip.drive(lines: 8, toggles: 2, every: 100_000)
    waitUntil("the last edges") { Set(subscriber.values.suffix(8).map(\.stream.index)).count == 8 }
    edges.finish()
    edges.teardown.wait()
    let full = edges.losses[.full]
    XCTAssertLessThanOrEqual(full.first ?? .max, full.last ?? .min)
    XCTAssertLessThan(full.last ?? .max, subscriber.values.last?.time ?? 0)
    guard !numbersEdges else {
      XCTAssertEqual(full.count, 1)
      XCTAssertGreaterThan(edges.losses[.skipped].count, 0)
      XCTAssertFalse(edges.losses.mayHaveUncountedLosses)
      return
    }
    XCTAssertEqual(full.count, 8, "each line has a FIFO of its own")
    XCTAssertEqual(edges.losses.all.map(\.sign), [.full])
    XCTAssertTrue(edges.losses.mayHaveUncountedLosses)
    for line in 0..<8 {
      let flags = subscriber.values.filter { $0.stream.index == line }.map(\.flags)
      XCTAssertEqual(flags, Array(repeating: [], count: 16) + [.gapBefore], "line \(line)")
    }
  }

  /// Twenty edges a millisecond, where the simulator can report one.
  func testEdgesTooFastForTheChipAreEqualEdgesInARow() throws {
    let chip = try SimulatedChip("sim8")
    let edges = try Publishers.GPIOEdges(chip: "sim8", lines: ["0"])
    let subscriber = TestSubscriber<Reading, SluiceError>()
    edges.subscribe(subscriber)
    // Each burst goes up and down and ends as it began.
    for _ in 0..<50 {
      try chip.drive(lines: 1, toggles: 20, every: 0)
      try chip.drive(lines: 1, toggles: 1, every: 5_000)
      try chip.drive(lines: 1, toggles: 1, every: 5_000, from: 1)
    }
    waitUntil("some edges") { subscriber.values.count >= 60 }
    edges.finish()
    edges.teardown.wait()
    XCTAssertLessThan(subscriber.values.count, 50 * 22)
    XCTAssertGreaterThan(edges.losses[.repeated].count, 0)
    XCTAssertEqual(edges.losses[.skipped].count, 0, "the kernel gave them no numbers")
    XCTAssertEqual(
      subscriber.values.filter { $0.flags.contains(.gapBefore) }.count, edges.losses[.repeated].count)
  }

  /// What was received is delivered, then it waits, and goes on with the same lines.
  func testAChipThatComesBackGoesOn() throws { try goOn(by: \.label) }

  func testAChipThatNeverComesBackIsAway() throws {
    let chip = try SimulatedChip("sim64")
    let edges = try Publishers.GPIOEdges(chip: "sim64", lines: ["0", "1"], whenRemoved: { _ in })
    let subscriber = TestSubscriber<Reading, SluiceError>()
    edges.subscribe(subscriber)
    XCTAssertFalse(edges.losses.isAway)
    try chip.unplug()
    waitUntil("the removal") { edges.losses[.removed].count == 1 }
    XCTAssertTrue(edges.losses.isAway)
    edges.finish()
    edges.teardown.wait()
    XCTAssertTrue(edges.losses.isAway)
    XCTAssertTrue(subscriber.isFinished)
    try chip.plug()
  }

  /// Its number is free for it only when nobody has the removed chip open any more.
  func testAChipComesBackUnderItsName() throws {
    try goOn(by: \.name)
    try goOn(by: \.path)
    try goOn { String($0.name.dropFirst("gpiochip".count)) }
  }

  #if SLUICE_GPIO
    /// As on a kernel that tells nobody who waits for edges.
    func testARemovedChipIsNoticedWithoutAnEdge() throws {
      let chip = try SimulatedChip("sim64")
      let request = try GPIORequest(
        GPIOLines(chip: "sim64", lines: ["0", "1"]), options: GPIOOptions(), consumer: "sluice", root: "/dev")
      let reader = GPIOReader(request, StreamID(0), DeviceLosses(), FIFOLevel(capacity: 16))
      XCTAssertEqual(reader.timeout, 1_000)
      var batch: [Reading] = []
      try reader.read(ready: reader.descriptors.map { _ in false }, limit: 9, into: &batch)
      XCTAssertFalse(reader.descriptors.isEmpty)
      try chip.unplug()
      try reader.read(ready: reader.descriptors.map { _ in false }, limit: 9, into: &batch)
      XCTAssertTrue(reader.descriptors.isEmpty)
      XCTAssertThrowsError(try reader.read(ready: [], limit: 9, into: &batch)) {
        XCTAssertEqual(($0 as? SluiceError)?.code, .disconnected)
      }
      reader.close()
      try chip.plug()
    }
  #endif

  /// - Parameter designation: What the chip is asked for by.
  private func goOn(by designation: (SimulatedChip) -> String) throws {
    let chip = try SimulatedChip("sim64")
    let reports = Reports()
    var options = GPIOOptions()
    options.hasInitialLevel = true
    let edges = try Publishers.GPIOEdges(
      chip: designation(chip), lines: ["0", "1"], options: options, whenRemoved: { reports.add($0) })
    let subscriber = TestSubscriber<Reading, SluiceError>()
    edges.subscribe(subscriber)
    waitUntil("the levels") { subscriber.values.count == 2 }
    XCTAssertEqual(subscriber.values.map(\.flags), [.initialLevel, .initialLevel])
    try chip.drive(lines: 2, toggles: 4, every: 20_000)
    waitUntil("eight edges") { subscriber.values.count == 10 }
    try chip.unplug()
    waitUntil("the removal") { reports.all.count == 1 }
    XCTAssertEqual(reports.all.first??.code, .disconnected)
    XCTAssertEqual(edges.losses[.removed].count, 1)
    try chip.plug()
    waitUntil("the return") { reports.all.count == 2 }
    let again = try SimulatedChip("sim64")
    XCTAssertEqual(again.name, chip.name)
    waitUntil("the levels") { subscriber.values.count == 12 }
    try again.drive(lines: 2, toggles: 2, every: 20_000)
    waitUntil("four edges more") { subscriber.values.count == 16 }
    edges.finish()
    edges.teardown.wait()
    let after = subscriber.values.dropFirst(10)
    XCTAssertEqual(after.prefix(2).map(\.flags), Array(repeating: [.initialLevel, .gapBefore], count: 2))
    XCTAssertEqual(after.dropFirst(2).map(\.flags), [[], [], [], []])
    XCTAssertEqual(edges.losses[.skipped].count, 0)
    XCTAssertNil(subscriber.failure)
    XCTAssertTrue(subscriber.isFinished)
  }
}

/// What was told about removals.
private final class Reports: @unchecked Sendable {
  // The lock protects `reports`.
  private let lock = NSLock()
  private var reports: [SluiceError?] = []
  func add(_ report: SluiceError?) { lock.withLock { reports.append(report) } }
  var all: [SluiceError?] { lock.withLock { reports } }
}
