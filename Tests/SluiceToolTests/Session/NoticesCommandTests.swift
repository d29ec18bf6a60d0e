import Foundation
import SluiceSystem
import TestFiles
import XCTest

/// A recording of the command as a service, with a socket in the place of systemd's.
final class NoticesCommandTests: CommandTestCase {
  private var manager: Int32 = -1

  override func setUp() {
    super.setUp()
    manager = SluiceSystem.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var name = sockaddr_un()
    name.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: "\(folder)/n".utf8) }
    let bound = withUnsafePointer(to: &name) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(manager, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    XCTAssertEqual(bound, 0)
    // A deadline for a broken command, not a measure.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(manager, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  override func tearDown() {
    close(manager)
    super.tearDown()
  }

  /// The next message, in lines; none after a minute.
  private func next() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = recv(manager, &bytes, bytes.count, 0)
    XCTAssertGreaterThan(count, 0, "nothing has come")
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func next(beginning start: String) -> [String] {
    while true {
      let lines = next()
      if lines.isEmpty || lines[0].hasPrefix(start) { return lines }
    }
  }

  /// The watchdog of this shell is that of the command, which takes its place.
  private func serve(_ arguments: String, watchdog: String = "") throws -> (process: Process, said: Pipe) {
    try startShell("export NOTIFY_SOCKET='\(folder)/n' \(watchdog); exec \"$SLUICE\" \(arguments)")
  }

  func testReadyStatusWatchdogStopping() throws {
    let recorder = try serve(
      "record sim:imu@100 -o t.csv", watchdog: "WATCHDOG_USEC=200000 WATCHDOG_PID=$$")
    let ready = next()
    XCTAssertEqual(ready.first, "READY=1")
    XCTAssertTrue(ready.last?.hasPrefix("STATUS=0 readings, ") ?? false || ready.last?.contains("/s, ") ?? false)
    for _ in 1...3 { XCTAssertEqual(next(beginning: "WATCHDOG"), ["WATCHDOG=1"]) }
    kill(recorder.process.processIdentifier, SIGUSR1)
    XCTAssertTrue(next(beginning: "STATUS=").first?.hasPrefix("STATUS=paused, ") ?? false)
    // A pause is no silence of the writer.
    for _ in 1...3 { XCTAssertEqual(next(beginning: "WATCHDOG"), ["WATCHDOG=1"]) }
    kill(recorder.process.processIdentifier, SIGTERM)
    XCTAssertEqual(next(beginning: "STOPPING"), ["STOPPING=1", "STATUS=Writing the rest"])
    XCTAssertEqual(end(recorder).status, 0)
  }

  func testTheWatchdogOfAnotherProcessAndNoManager() throws {
    let recorder = try serve("record sim:imu@100 --count 5 -o t.csv", watchdog: "WATCHDOG_USEC=1000 WATCHDOG_PID=1")
    XCTAssertEqual(next().first, "READY=1")
    XCTAssertEqual(next().first, "STOPPING=1", "its end is told too")
    XCTAssertEqual(end(recorder).status, 0)
    // A manager that is not there changes nothing.
    try runShell("NOTIFY_SOCKET=/nonexistent/n \"$SLUICE\" record sim:imu@100 --count 5 --force -o t.csv")
  }

  /// By a signal here, by `sluice ctl` in the unit: both end up in the same place.
  func testAReload() throws {
    try InstalledLibrary.yaml.needed()
    try runShell("\"$SLUICE\" plan station record sim:imu@100 -o t.csv >station.yaml")
    let recorder = try serve("record --station station.yaml")
    XCTAssertEqual(next().first, "READY=1")
    kill(recorder.process.processIdentifier, SIGHUP)
    let reloading = next(beginning: "RELOADING")
    XCTAssertEqual(reloading.first, "RELOADING=1")
    XCTAssertTrue(reloading.dropFirst().first?.hasPrefix("MONOTONIC_USEC=") ?? false, "\(reloading)")
    XCTAssertEqual(next(beginning: "READY").first, "READY=1")
    kill(recorder.process.processIdentifier, SIGTERM)
    XCTAssertEqual(end(recorder).status, 0)
  }

  func testNothingIsReadyIfASourceCannotBeOpened() throws {
    let recorder = try serve("record iio:no-such-device -o t.csv")
    XCTAssertEqual(end(recorder).status, 1)
    var bytes = [UInt8](repeating: 0, count: 10)
    XCTAssertEqual(recv(manager, &bytes, 10, Int32(MSG_DONTWAIT)), -1)
  }
}
