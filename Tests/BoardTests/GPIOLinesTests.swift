import Foundation
import Sluice
import SluiceDevices
import SluiceReadings
import SluiceTesting
import XCTest

final class GPIOLinesTests: BoardTestCase {
  private func refusal(_ body: () throws -> Void) -> SluiceError? {
    do {
      try body()
      return nil
    } catch {
      return error as? SluiceError
    }
  }

  func testALineIsFoundByItsName() throws {
    let chip = try SimulatedChip("sim8")
    let lines = try GPIOLines.named(["METER"])
    XCTAssertEqual(lines.count, 1)
    let edges = try Publishers.GPIOEdges(lines[0], consumer: "board test")
    XCTAssertEqual(edges.streams.map(\.name), ["METER"])
    let line = GPIOChips.list().first { $0.label == "sim8" }?.lines[3]
    XCTAssertEqual(line?.consumer, "board test")
    let subscriber = TestSubscriber<Reading, SluiceError>()
    edges.subscribe(subscriber)
    try chip.drive(lines: 4, toggles: 2, every: 20_000)
    waitUntil("two edges") { subscriber.values.count == 2 }
    subscriber.cancel()
    edges.teardown.wait()
    XCTAssertEqual(refusal { _ = try GPIOLines.named(["METRE"]) }?.remedy, "did you mean METER?")
  }

  func testAnUnprivilegedUserIsToldWhatToDo() throws {
    // A process of its own would be none of XCTest's: only the effective user changes.
    let path = try XCTUnwrap(GPIOChips.paths().first)
    XCTAssertEqual(seteuid(65_534), 0)
    defer { XCTAssertEqual(seteuid(0), 0) }
    for chip in [path, "sim8"] {
      let error = refusal { _ = try Publishers.GPIOEdges(chip: chip, lines: ["0"]) }
      XCTAssertEqual(error?.code, .permissionDenied, chip)
      XCTAssertTrue(error?.description.contains("open /dev/gpiochip") == true, error?.description ?? "")
      XCTAssertTrue(error?.remedy?.contains("group") == true, error?.description ?? "")
    }
    XCTAssertEqual(refusal { _ = try GPIOLines.named(["METER"]) }?.code, .permissionDenied)
  }

  func testWhatTheKernelWouldCutOffIsRefused() {
    let long = refusal {
      _ = try Publishers.GPIOEdges(chip: "sim8", lines: ["0"], consumer: String(repeating: "x", count: 32))
    }
    XCTAssertEqual(long?.code, .usage)
    var options = GPIOOptions()
    let isOld = GPIOChips.libraryVersion?.hasPrefix("1.") == true
    let sizes: [(UInt32, SluiceError.Code?)] = [(0, .usage), (1, .usage), (2, nil), (1_024, nil), (1_025, .usage)]
    for (size, code) in sizes {
      options.fifo = size
      let fifo = refusal { _ = try Publishers.GPIOEdges(chip: "sim8", lines: ["0"], options: options) }
      XCTAssertEqual(fifo?.code, isOld ? .unsupported : code, "\(size)")
    }
    for clock in [GPIOOptions.Clock.realtime, .hte] {
      options = GPIOOptions()
      options.clock = clock
      let error = refusal { _ = try Publishers.GPIOEdges(chip: "sim8", lines: ["0"], options: options) }
      if isOld {
        XCTAssertTrue(error?.remedy?.contains("libgpiod 2") == true, error?.description ?? "")
      } else {
        // The board's kernel has no timestamping engine.
        XCTAssertEqual(error?.code, clock == .hte ? .unsupported : nil)
      }
    }
  }

  func testValuesOfLinesAreReadAgainAndAgain() throws {
    let chip = try SimulatedChip("sim8")
    try chip.drive(lines: 8, toggles: 1, every: 0, from: 1)
    try chip.drive(lines: 2, toggles: 1, every: 0)
    let values = try Publishers.GPIOValues(
      GPIOLines(chip: "sim8", lines: ["0", "5", "1"]), every: .milliseconds(2))
    XCTAssertEqual(values.description.channels.map(\.name), ["0", "5", "1"])
    let subscriber = TestSubscriber<Reading, SluiceError>()
    values.subscribe(subscriber)
    waitUntil("readings") { subscriber.values.count >= 3 }
    try chip.drive(lines: 8, toggles: 1, every: 0)
    waitUntil("the change") { subscriber.values.last?.values.map(\.significand) == [1, 1, 1] }
    XCTAssertEqual(refusal { _ = try Publishers.GPIOEdges(chip: "sim8", lines: ["5"]) }?.code, .busy)
    subscriber.cancel()
    XCTAssertEqual(subscriber.values.first?.values.map(\.significand), [1, 0, 1])
    try withExtendedLifetime(values) {
      values.teardown.wait()
      _ = try Publishers.GPIOEdges(chip: "sim8", lines: ["5"])
    }
  }

  func testValuesOfAnUnpluggedChip() throws {
    let chip = try SimulatedChip("sim64")
    let values = try Publishers.GPIOValues(GPIOLines(chip: "sim64", lines: ["7"]), every: .milliseconds(2))
    let waiting = try Publishers.GPIOValues(
      GPIOLines(chip: "sim64", lines: ["8"]), every: .milliseconds(2), whenRemoved: { _ in })
    let (ending, going) = (TestSubscriber<Reading, SluiceError>(), TestSubscriber<Reading, SluiceError>())
    values.subscribe(ending)
    waiting.subscribe(going)
    waitUntil("readings") { !ending.values.isEmpty && !going.values.isEmpty }
    try chip.unplug()
    waitUntil("the failure") { ending.failure != nil && waiting.losses[.removed].count == 1 }
    XCTAssertEqual(ending.failure?.code, .disconnected)
    let before = going.values.count
    try chip.plug()
    waitUntil("readings after the return") { going.values.count > before }
    going.cancel()
    XCTAssertTrue(going.values[before].flags.contains(.gapBefore))
  }

  func testOutputsAreWhatTheyWereToldLast() throws {
    let chip = try SimulatedChip("sim8")
    func level(_ line: Int) throws -> String { try SimulatedChip.text("\(chip.lines)/sim_gpio\(line)/value") }
    let lines = GPIOLines(chip: "sim8", lines: ["5", "6"])
    let ends = Ends()
    let output = try Subscribers.GPIOOutput<Never>(lines, initial: [true, false]) { ends.add($0) }
    XCTAssertEqual(try [level(5), level(6)], ["1", "0"])
    let levels = PassthroughSubject<[Bool], Never>()
    levels.subscribe(output)
    levels.send([false, true])
    XCTAssertEqual(try [level(5), level(6)], ["0", "1"])
    XCTAssertEqual(refusal { _ = try Publishers.GPIOEdges(chip: "sim8", lines: ["5"]) }?.code, .busy)
    levels.send([true])
    XCTAssertEqual(ends.all.map(\.?.code), [.usage])
    // The lines are free again.
    let low = try Subscribers.GPIOOutput<Never>(lines, isActiveLow: true) { ends.add($0) }
    XCTAssertEqual(try [level(5), level(6)], ["1", "1"])
    [[true, false]].publisher.subscribe(low)
    XCTAssertEqual(ends.all.map(\.?.code), [.usage, nil])
    XCTAssertNil(refusal { _ = try Publishers.GPIOEdges(chip: "sim8", lines: ["5", "6"]) })
    XCTAssertEqual(refusal { _ = try Subscribers.GPIOOutput<Never>(lines, initial: [true]) }?.code, .usage)
    // An open drain lets go of a line that is to be high, and the simulated pull is down.
    let drain = try Subscribers.GPIOOutput<Never>(lines, initial: [true, false], drive: .openDrain)
    XCTAssertEqual(try [level(5), level(6)], ["0", "0"])
    drain.cancel()
    let source = try Subscribers.GPIOOutput<Never>(lines, initial: [true, false], drive: .openSource)
    XCTAssertEqual(try [level(5), level(6)], ["1", "0"])
    source.cancel()
  }
}

/// How outputs ended.
private final class Ends: @unchecked Sendable {
  // The lock protects `ends`.
  private let lock = NSLock()
  private var ends: [SluiceError?] = []
  func add(_ completion: Subscribers.Completion<any Error>) {
    lock.withLock {
      if case .failure(let error) = completion { ends.append(error as? SluiceError) } else { ends.append(nil) }
    }
  }
  var all: [SluiceError?] { lock.withLock { ends } }
}
