import Foundation
import SluiceAnalysis
import SluicePipeline
import XCTest

@testable import SluiceTool

final class PermissionCheckTests: DoctorTestCase {
  private func findings() -> [Finding] { PermissionCheck.findings(surroundings) }

  func testEverythingOpens() throws {
    XCTAssertEqual(findings(), [.ok("permissions", "there is no device to open")])
    try put("dev/gpiochip0")
    try put("dev/iio:device0")
    try put("sys/bus/iio/devices/iio:device0/buffer/enable", "0")
    XCTAssertEqual(findings(), [.ok("permissions", "all 3 files of GPIO and IIO devices can be opened")])
  }

  func testOnlyRootMay() throws {
    try put("dev/gpiochip0", mode: 0o600)
    refused["dev/gpiochip0"] = EACCES
    let finding = try XCTUnwrap(findings().first)
    XCTAssertEqual(finding.verdict, .problem)
    XCTAssertEqual(finding.meaning, "\(root)/dev/gpiochip0 cannot be read and written by pi, only by root")
    XCTAssertEqual(finding.remedy?.contains("60-sluice.rules"), true)
  }

  func testAnotherGroupMay() throws {
    try put("dev/gpiochip0")
    try XCTSkipIf(chown("\(root)/dev/gpiochip0", getuid(), 997) != 0, "needs root")
    refused["dev/gpiochip0"] = EACCES
    accounts.groups.append(Accounts.Group(name: "gpio997", id: 997, members: []))
    XCTAssertEqual(
      findings().first?.remedy, "sudo usermod --append --groups gpio997 pi, then log in again")
    accounts.groups[accounts.groups.count - 1].members = ["pi"]
    XCTAssertEqual(findings().first?.remedy, "log in again", "it is a member, but not since this login")
  }

  func testAFileThatIsNotThere() throws {
    try put("sys/bus/iio/devices/iio:device0/buffer0/enable", "0")
    refused["dev/iio:device0"] = ENOENT
    let finding = try XCTUnwrap(findings().first)
    XCTAssertEqual(finding.meaning, "\(root)/dev/iio:device0 cannot be read: No such file or directory")
    XCTAssertEqual(finding.remedy?.contains("devtmpfs"), true)
  }
}
