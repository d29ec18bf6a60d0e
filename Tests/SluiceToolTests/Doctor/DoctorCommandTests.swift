import XCTest

final class DoctorCommandTests: CommandTestCase {
  func testAMachineWithoutDevicesHasNoProblem() throws {
    let said = try run("doctor --root .")
    XCTAssertTrue(said.contains("there is no GPIO chip"), said)
    XCTAssertTrue(said.contains("MB/s"), said)
  }

  /// A service does it at each start: the card is not to be worn by it.
  func testRestoreMeasuresNothing() throws {
    let said = try run("doctor --root . --restore --output-directory nowhere --json")
    XCTAssertTrue(said.contains("\"check\": \"leftovers\""), said)
    for check in ["permissions", "groups", "disk", "clock", "timer"] {
      XCTAssertFalse(said.contains("\"check\": \"\(check)\""), said)
    }
  }

  func testRepairHasAnotherName() throws {
    XCTAssertTrue(try run("doctor --repair", status: 64).contains("--repair is --restore now"))
    XCTAssertFalse(try run("doctor --help").contains("--repair"))
  }

  func testAProblemIsTheExitStatus() throws {
    let said = try run("doctor --root . --output-directory nowhere --json", status: 1)
    XCTAssertTrue(said.hasPrefix("{\"problems\": 1, "), said)
  }
}
