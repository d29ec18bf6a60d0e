import Foundation
import SluiceReadings
import XCTest

/// The virtual board's simulated devices, which these tests drive; without the board they are skipped.
class BoardTestCase: XCTestCase {
  override func setUpWithError() throws {
    try XCTSkipUnless(
      ProcessInfo.processInfo.environment["SLUICE_BOARD"] == "1", "runs on the virtual board: make test-devices")
  }
}

/// A chip of gpio-sim.
struct SimulatedChip {
  let configuration: String
  let label: String
  let lines: String
  let name: String
  var path: String { "/dev/\(name)" }

  init(_ sim: String) throws {
    configuration = "/sys/kernel/config/gpio-sim/\(sim)"
    label = sim
    let device = try Self.text("\(configuration)/dev_name")
    name = try Self.text("\(configuration)/bank0/chip_name")
    lines = "/sys/devices/platform/\(device)/\(name)"
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Toggles the first lines up and down, all of them every so many microseconds, from one thread that keeps the files
  /// open: the simulator delivers an edge a millisecond and line, and forking between edges loses a third.
  /// - Parameters:
  ///   - isPeriod: The microseconds are those from the beginning of one toggle to the beginning of the next.
  ///   - first: Which toggle is the first: up where it is even.
  ///   - around: Carries out the writes of one toggle.
  /// - Returns: The longest time from one toggle to the next: more than was asked for where the host kept the board, and
  ///   its interrupts, from running.
  @discardableResult
  func drive(
    lines count: Int, toggles: Int, every microseconds: UInt32, isPeriod: Bool = false, from first: Int = 0,
    around: (_ writes: () -> Void) -> Void = { $0() }
  ) throws -> Duration {
    let files = (0..<count).map { open("\(lines)/sim_gpio\($0)/pull", O_WRONLY) }
    defer { for file in files { close(file) } }
    XCTAssertFalse(files.contains(-1))
    let clock = ContinuousClock()
    var (before, longest) = (clock.now, Duration.zero)
    for toggle in first..<first + toggles {
      let pull = toggle % 2 == 0 ? "pull-up" : "pull-down"
      around { for file in files { XCTAssertGreaterThan(pwrite(file, pull, pull.utf8.count, 0), 0) } }
      let writing = before.duration(to: clock.now) / .microseconds(1)
      usleep(isPeriod ? UInt32(max(1_000, Double(microseconds) - writing)) : microseconds)
      let now = clock.now
      longest = max(longest, before.duration(to: now))
      before = now
    }
    return longest
  }

  /// The interrupts so far of the lines that a consumer has requested: how many edges the simulator has reported to the
  /// kernel. libgpiod 2's interface gives each a number (`edge_irq_handler` in drivers/gpio/gpiolib-cdev.c). The count of a
  /// line goes on from one request to the next.
  static func interrupts(of consumer: String) throws -> Int {
    try text("/proc/interrupts").split(separator: "\n").reduce(0) { sum, row in
      let words = row.split(separator: " ")
      guard words.contains("irq_sim"), words.last == consumer[...] else { return sum }
      return sum + words.dropFirst().prefix { $0 != "irq_sim" }.reduce(0) { $0 + (Int($1) ?? 0) }
    }
  }

  func unplug() throws { try "0".write(toFile: "\(configuration)/live", atomically: false, encoding: .utf8) }
  func plug() throws { try "1".write(toFile: "\(configuration)/live", atomically: false, encoding: .utf8) }
}

/// Waits for something to become true; the deadline is for a broken board, not a measure.
/// - Parameter interval: Seconds from one look to the next; 0 looks all the time, for what must not pass unseen.
func waitUntil(_ what: String, seconds: Double = 60, every interval: Double = 0.01, _ condition: () -> Bool) {
  let deadline = Date(timeIntervalSinceNow: seconds)
  while !condition() {
    guard Date() < deadline else { return XCTFail("\(what) has not happened") }
    if interval > 0 { RunLoop.current.run(until: Date(timeIntervalSinceNow: interval)) }
  }
}
