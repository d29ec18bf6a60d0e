import Foundation
import Sluice
import SluiceDevices
import SluiceRecording
import SluiceTesting
import XCTest

final class GPIOEdgesTests: BoardTestCase {
  private let eight = (0..<8).map(String.init)

  /// 8 lines, 2,000 edges a second in all, for 2.5 seconds, again and again.
  ///
  /// What was received and what is known to be lost is what the kernel was told of, in every run with libgpiod 2. The
  /// older interface loses without a sign while the board is held up, so there, and for the order, runs are counted.
  func testEveryEdgeArrivesInOrder() throws {
    let chip = try SimulatedChip("sim8")
    let numbersEdges = GPIOChips.libraryVersion?.hasPrefix("1.") != true
    let (toggles, period) = (626, 4_000)
    var runs = ExactRuns("8 lines", wanted: 8, limit: 16)
    while runs.goesOn {
      let edges = try Publishers.GPIOEdges(chip: "sim8", lines: eight)
      XCTAssertEqual(edges.streams[3].name, "METER")
      XCTAssertEqual(edges.streams[4].name, "\(chip.name):4")
      let subscriber = TestSubscriber<Reading, SluiceError>()
      edges.subscribe(subscriber)
      let before = try SimulatedChip.interrupts(of: "sluice")
      let longest = try chip.drive(lines: 8, toggles: toggles, every: UInt32(period))
      // The edge after which nothing can come any more.
      try chip.drive(lines: 1, toggles: 2, every: 200_000)
      waitUntil("the last edges") { subscriber.values.suffix(2).map(\.stream.index) == [0, 0] }
      let reported = try SimulatedChip.interrupts(of: "sluice") - before
      subscriber.cancel()
      edges.teardown.wait()
      let readings = subscriber.values.dropLast(2)
      XCTAssertEqual(edges.losses[.skipped].count, 0)
      XCTAssertEqual(subscriber.violations, [])
      let received = readings.count + 2
      XCTAssertLessThanOrEqual(received, reported)
      if numbersEdges { XCTAssertEqual(received + edges.losses[.unassigned].count, reported) }
      let lines = (0..<8).map { line in
        readings.filter { $0.stream.index == line }.map { $0.values[0].significand == 1 }
      }
      // Whatever is lost, two equal edges in a row are said to be.
      let repeated = lines.reduce(0) { sum, levels in sum + zip(levels, levels.dropFirst()).filter { $0 == $1 }.count }
      XCTAssertGreaterThanOrEqual(edges.losses[.repeated].count, repeated)
      let unordered = zip(readings, readings.dropFirst()).filter { $0.time > $1.time }.count
      let isExact = unordered == 0 && lines.allSatisfy { $0 == (0..<toggles).map { $0 % 2 == 0 } }
      if isExact { XCTAssertEqual(edges.losses[.repeated].count, 0) }
      let isHeldUp = longest >= .microseconds(2 * period) || reported < 8 * toggles + 2
      runs.add(
        isHeldUp ? .heldUp : isExact ? .exact : .inexact,
        "\(received) edges of \(reported) reported, \(8 * toggles + 2) driven; \(unordered) out of order, "
          + "\(edges.losses[.repeated].count) signs of loss; \(longest) at most between two toggles")
    }
    try runs.check(floor: 0.875)
  }

  func testWithoutDemandEdgesWaitInTheKernel() throws {
    let chip = try SimulatedChip("sim8")
    let edges = try Publishers.GPIOEdges(chip: "sim8", lines: ["0"])
    let subscriber = TestSubscriber<Reading, SluiceError>(initial: .max(2))
    edges.subscribe(subscriber)
    try chip.drive(lines: 1, toggles: 10, every: 4_000)
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
    try chip.drive(lines: 4, toggles: 10, every: 4_000)
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
    try chip.drive(lines: 1, toggles: 4, every: 4_000)
    waitUntil("four edges") { subscriber.values.count == 4 }
    try chip.unplug()
    waitUntil("the failure") { subscriber.failure != nil }
    XCTAssertEqual(subscriber.failure?.code, .disconnected)
    XCTAssertTrue(subscriber.failure?.description.contains(chip.name) == true)
    try chip.plug()
  }
}
