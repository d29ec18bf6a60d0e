import XCTest

final class DoctorCommandTests: CommandTestCase {
  func testAMachineWithoutDevicesHasNoProblem() throws {
    let said = try run("doctor --root .")
    XCTAssertTrue(said.contains("there is no GPIO chip"), said)
    XCTAssertTrue(said.contains("MB/s"), said)
  }

  func testAProblemIsTheExitStatus() throws {
    let said = try run("doctor --root . --output-directory nowhere --json", status: 1)
    XCTAssertTrue(said.hasPrefix("{\"problems\": 1, "), said)
  }
}
