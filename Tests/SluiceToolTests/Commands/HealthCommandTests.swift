import Foundation
import XCTest

/// `sluice ctl NAME health`, with a board in a folder.
final class HealthCommandTests: CommandTestCase {
  private func health(_ arguments: String, status: Int32, line: UInt = #line) throws -> String {
    try runShell(
      "XDG_RUNTIME_DIR='\(folder)/run' \"$SLUICE\" ctl room health \(arguments) 2>&1", status: status, line: line)
  }

  /// The wall clock of the machine of the test may be synchronised or not.
  private func withoutClock(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { !$0.hasSuffix("the wall clock is not synchronised") }
  }

  func testWhatIsNotWell() throws {
    try FileManager.default.createDirectory(atPath: "\(folder)/run", withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(folder)/run")
    try put("root/sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    try put("root/sys/class/thermal/thermal_zone0/temp", "91000")
    try put("root/sys/class/thermal/thermal_zone0/trip_point_0_type", "passive")
    try put("root/sys/class/thermal/thermal_zone0/trip_point_0_temp", "80000")
    XCTAssertTrue(try health("", status: 2).contains("no running recording of this name"))

    let recorder = try startShell(
      "export XDG_RUNTIME_DIR='\(folder)/run'; exec \"$SLUICE\" record poll:thermal:cpu-thermal@10ms -o '\(folder)/t.csv' --name room --root '\(folder)/root'"
    )
    waitUntil("rows") { (try? rows("t.csv").count) ?? 0 > 1 }
    XCTAssertEqual(
      withoutClock(try health("", status: 1)),
      ["room: cpu-thermal has 91.0 degrees, at which the kernel slows the board down"])
    kill(recorder.process.processIdentifier, SIGUSR1)
    var lines: [String] = []
    waitUntil("the pause") {
      lines = withoutClock((try? health("", status: 1)) ?? "")
      return lines.count > 1
    }
    XCTAssertEqual(lines.first, "room: the recording is paused")
    let text = try health("--json", status: 1)
    let document = try XCTUnwrap(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    XCTAssertEqual(document["status"] as? Int, 1)
    let topics = (document["findings"] as? [[String: Any]])?.compactMap { $0["topic"] as? String } ?? []
    // A machine that is busy may miss a read.
    XCTAssertEqual(topics.filter { !["clock", "loss"].contains($0) }, ["paused", "heat"])

    kill(recorder.process.processIdentifier, SIGSTOP)
    XCTAssertTrue(try health("", status: 2).contains("is stopped"))
    kill(recorder.process.processIdentifier, SIGCONT)
    kill(recorder.process.processIdentifier, SIGTERM)
    XCTAssertEqual(end(recorder).status, 0)
  }

  /// Without a folder for sockets, no recording of the user has one: that says more than that there is no such name.
  func testWithoutAFolderForSocketsTheNameIsNotBlamed() throws {
    let ofServices = try FileManager.default.contentsOfDirectory(atPath: "/run").filter { $0.hasPrefix("sluice") }
    try XCTSkipIf(!ofServices.isEmpty, "services of this machine have sockets")
    let said = try run("ctl walk status", status: 1)
    XCTAssertTrue(
      said.contains("cannot find walk: this user can see no running recording; cannot control recordings in "), said)
    XCTAssertTrue(said.contains("XDG_RUNTIME_DIR"), said)
  }
}
