import XCTest

final class DoctorCommandTests: CommandTestCase {
  func testAMachineWithoutDevicesHasNoProblem() throws {
    let said = try run("doctor --root .")
    XCTAssertTrue(said.contains("there is no GPIO chip"), said)
    XCTAssertTrue(said.contains("MB/s"), said)
  }

  /// A service does it at each start: the card is not to be worn by it.
  func testRestoreMeasuresNothing() throws {
    let said = try run("doctor --root . --restore --json")
    XCTAssertTrue(said.contains("\"check\": \"leftovers\""), said)
    for check in ["permissions", "groups", "disk", "clock", "timer"] {
      XCTAssertFalse(said.contains("\"check\": \"\(check)\""), said)
    }
  }

  func testTheDiskIsNotMeasured() throws {
    XCTAssertTrue(try run("doctor --restore --output-directory .", status: 64).contains("looks at devices only"))
  }

  func testAProblemIsTheExitStatus() throws {
    let said = try run("doctor --root . --output-directory nowhere --json", status: 1)
    XCTAssertTrue(said.hasPrefix("{\"problems\": 1, "), said)
  }
}
