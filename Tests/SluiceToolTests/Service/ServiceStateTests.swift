import XCTest

@testable import SluiceTool

final class ServiceStateTests: XCTestCase {
  private func text(_ changes: [String: String]) -> String {
    var values = [
      "Id": "sluice-record@room.service", "LoadState": "loaded", "ActiveState": "active", "SubState": "running",
      "Result": "success", "MainPID": "812", "NRestarts": "0", "StatusText": "12,345 readings, 998/s",
      "ActiveEnterTimestamp": "Tue 2026-11-24 08:00:12 UTC", "InactiveEnterTimestamp": "", "UnitFileState": "enabled",
    ]
    for (name, value) in changes { values[name] = value }
    return ServiceState(values.map { "\($0)=\($1)\n" }.joined()).text
  }

  func testRunning() {
    XCTAssertEqual(
      text([:]),
      """
      sluice-record@room.service: running since Tue 2026-11-24 08:00:12 UTC, process 812
        12,345 readings, 998/s

      """)
    XCTAssertEqual(
      text(["NRestarts": "1", "UnitFileState": "disabled", "StatusText": "a=b"]),
      """
      sluice-record@room.service: running since Tue 2026-11-24 08:00:12 UTC, process 812
        a=b
        restarted once since it was started
        it does not start with the machine: sudo systemctl enable sluice-record@room.service

      """)
  }

  func testNotRunning() {
    let since = "Tue 2026-11-24 09:00:00 UTC"
    XCTAssertEqual(
      text(["ActiveState": "inactive", "SubState": "dead", "InactiveEnterTimestamp": since]),
      "sluice-record@room.service: not running since \(since)\n")
    XCTAssertEqual(
      text(["ActiveState": "failed", "Result": "exit-code", "ExecMainStatus": "64", "InactiveEnterTimestamp": since]),
      "sluice-record@room.service: failed since \(since) (exit status 64)\n")
    XCTAssertEqual(
      text(["ActiveState": "activating", "SubState": "auto-restart", "Result": "watchdog", "NRestarts": "1200"]),
      """
      sluice-record@room.service: failed (its writer hung, so the watchdog ended it), and systemd will start it again
        restarted 1,200 times since it was started

      """)
    XCTAssertEqual(
      text(["LoadState": "not-found", "ActiveState": "inactive"]),
      "sluice-record@room.service: systemd has no such unit; the package, or make install, brings it\n")
  }
}
