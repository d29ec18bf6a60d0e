import XCTest

/// How often runs of one stimulus were exact, beside gpiomon.
///
/// The board is a process of a host that may be busy. Kept from running for longer than an edge lasts, the simulator
/// reports two edges as one (a pending interrupt is set once: `irq_sim_set_irqchip_state` in kernel/irq/irq_sim.c), and the
/// kernel's interrupt thread finds a level that has changed again (`edge_irq_thread` in drivers/gpio/gpiolib-cdev.c). gpiomon
/// on lines that are driven together tells when: where it did not get what was driven, the run does not count, exact or
/// not. How late the test itself drove does not tell: 20 ms at times on an idle host, and nothing is lost. Of the runs that
/// count, nearly all have to be exact.
struct ExactRuns {
  enum Outcome { case exact, inexact, heldUp }

  let name: String
  /// So many runs are to count, of at most `limit`.
  let wanted: Int
  let limit: Int
  private var counts: [Outcome: Int] = [:]

  init(_ name: String, wanted: Int, limit: Int) { (self.name, self.wanted, self.limit) = (name, wanted, limit) }

  subscript(outcome: Outcome) -> Int { counts[outcome, default: 0] }
  var counted: Int { self[.exact] + self[.inexact] }
  var goesOn: Bool { counted < wanted && counted + self[.heldUp] < limit }

  /// - Parameter what: What is said of a run that counts and was not exact.
  mutating func add(_ outcome: Outcome, _ what: @autoclosure () -> String) {
    counts[outcome, default: 0] += 1
    if outcome == .inexact { print("\(name): \(outcome): \(what())") }
  }

  /// Says how often, and fails where that is not often enough.
  /// - Parameter floor: The share that has to be exact.
  /// - Throws: A skip where too few runs counted: that is the host's doing, and is said.
  func check(floor: Double, file: StaticString = #filePath, line: UInt = #line) throws {
    let held = self[.heldUp] == 0 ? "" : ", \(self[.heldUp]) more were held up by the host and do not count"
    let told = "\(name): exact in \(self[.exact]) of \(counted) runs\(held)"
    print(told)
    // Also where few count: these were not held up.
    XCTAssertGreaterThanOrEqual(
      Double(self[.exact]), (floor * Double(counted)).rounded(.down), told, file: file, line: line)
    if counted < (wanted + 1) / 2 { throw XCTSkip("\(told): too few to say more than what was asserted for each") }
  }
}
