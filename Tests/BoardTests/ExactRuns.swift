import XCTest

/// How often runs of one stimulus were exact, beside gpiomon.
///
/// The board is a process of a host that may be busy. Kept from running for longer than an edge lasts, the simulator
/// reports two edges as one (a pending interrupt is set once: `irq_sim_set_irqchip_state` in kernel/irq/irq_sim.c), and the
/// kernel's interrupt thread finds a level that has changed again (`edge_irq_thread` in drivers/gpio/gpiolib-cdev.c). gpiomon
/// on lines that are driven together is the control: only runs count that it got whole, and of these nearly all have to be
/// exact. On a busy host either of the two loses an edge at times. Then Sluice must not lose one more often than gpiomon
/// does, beyond chance.
struct ExactRuns {
  let name: String
  /// So many runs are to count, of at most `limit`.
  let wanted: Int
  let limit: Int
  private(set) var exact = 0
  private(set) var sluiceLost = 0
  private(set) var gpiomonLost = 0
  private(set) var bothLost = 0

  init(_ name: String, wanted: Int, limit: Int) { (self.name, self.wanted, self.limit) = (name, wanted, limit) }

  var counted: Int { exact + sluiceLost }
  var goesOn: Bool { counted < wanted && counted + gpiomonLost + bothLost < limit }

  /// - Parameter what: What is said of a run in which Sluice alone was not exact.
  mutating func add(sluice: Bool, gpiomon: Bool, _ what: @autoclosure () -> String) {
    switch (sluice, gpiomon) {
    case (true, true): exact += 1
    case (true, false): gpiomonLost += 1
    case (false, false): bothLost += 1
    case (false, true):
      sluiceLost += 1
      print("\(name): inexact: \(what())")
    }
  }

  /// Says how often, and fails if that is not often enough.
  /// - Parameter floor: The share of the runs that count that has to be exact.
  /// - Throws: A skip if too few runs counted: that is the host's doing, and is said.
  func check(floor: Double, file: StaticString = #filePath, line: UInt = #line) throws {
    let told =
      "\(name): exact in \(exact) of \(counted) runs; gpiomon alone lost edges in \(gpiomonLost), both in \(bothLost)"
    print(told)
    let isBelow = Double(exact) < (floor * Double(counted)).rounded(.down)
    XCTAssertFalse(isBelow && byChance < 0.02, told, file: file, line: line)
    if counted < (wanted + 1) / 2 { throw XCTSkip("\(told): too few to say more than what was asserted for each") }
  }

  /// How likely it is that Sluice alone lost edges this often, or more often, if both lose them equally often (sign test).
  var byChance: Double {
    let runs = sluiceLost + gpiomonLost
    var (ways, sum) = (1.0, 0.0)
    for count in 0...runs {
      if count >= sluiceLost { sum += ways }
      ways *= Double(runs - count) / Double(count + 1)
    }
    return sum / Double(sign: .plus, exponent: runs, significand: 1)
  }
}
