import XCTest

@testable import SluiceTool

final class GroupCheckTests: DoctorTestCase {
  func testMembershipYoungerThanTheLogin() {
    accounts.groups = [
      Accounts.Group(name: "pi", id: 1_000, members: []), Accounts.Group(name: "gpio", id: 997, members: ["pi"]),
    ]
    XCTAssertEqual(
      GroupCheck.findings(surroundings),
      [
        .ok("groups", "pi is in pi"),
        .warning("groups", "this login is older than pi's membership of gpio", "log in again"),
      ])
    user.groups.insert(997)
    XCTAssertEqual(GroupCheck.findings(surroundings), [.ok("groups", "pi is in gpio, pi")])
  }

  func testAnUnknownUser() {
    user = User(id: 4_711, groups: [4_712])
    XCTAssertEqual(GroupCheck.findings(surroundings), [.ok("groups", "4711 is in 4712")])
  }
}
