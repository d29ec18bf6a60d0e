import Foundation
import XCTest

/// Programs for events, as the command runs them.
final class EventProgramsTests: CommandTestCase {
  private func program(_ script: String) throws -> String {
    try put("program", "#!/bin/sh\n\(script)")
    let path = "\(folder)/program"
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func objects(_ name: String) throws -> [[String: Any]] {
    try rows(name).map { try XCTUnwrap(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
  }

  /// The commands of this test can be controlled.
  override var environment: [String: String] { ["XDG_RUNTIME_DIR": "\(folder)/run"] }

  override func setUpWithError() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/run", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  func testTheEventIsOnStandardInput() throws {
    let path = try program("cat >>\"$1\"")
    let recorder = try startShell(
      "exec \"$SLUICE\" record sim:imu@100 --count 5 --start-paused -o t.csv "
        + "--on-event \"'\(path)' 'their log'\" --events paused,resumed")
    waitUntil("the event") { (try? rows("their log").count) == 1 }
    kill(recorder.process.processIdentifier, SIGUSR2)
    XCTAssertEqual(end(recorder).status, 0)
    let events = try objects("their log")
    XCTAssertEqual(events.map { $0["kind"] as? String }, ["paused", "resumed"])
    for event in events {
      XCTAssertEqual(event["skipped"] as? Int, 0)
      XCTAssertGreaterThan(event["time_ns"] as? Int ?? 0, 1_500_000_000_000_000_000)
    }
  }

  /// What does not need attention starts nothing, unless it is named; a fault does.
  func testTheUsualKinds() throws {
    let path = try program("cat >>log")
    try run("record sim:imu@1000 --count 300 --rotate 100ms -o a.csv --on-event \(path)")
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/log"))
    try run("record sim:imu@1000 --count 5 -o b.csv --on-event \(path) --events part-began,part-ended")
    XCTAssertFalse(FileManager.default.fileExists(atPath: "\(folder)/log"), "it has no parts")
    try run("record sim:imu@1000 --count 300 --rotate 100ms -o c.csv --on-event \(path) --events part-ended")
    XCTAssertEqual(try objects("log").first?["kind"] as? String, "part-ended")
    XCTAssertTrue((try objects("log").first?["path"] as? String)?.hasPrefix("c.000001.") ?? false)
  }

  func testThoseThatComeMeanwhileAreSkippedAndCounted() throws {
    // It ends when somebody has read from the pipe.
    try runShell("mkfifo gate")
    let path = try program("cat >>log; echo >gate")
    let recorder = try start("record sim:imu@100 -o t.csv --name room --on-event \(path) --events paused")
    waitUntil("the recording") { (try? rows("t.csv").count) ?? 0 > 1 }
    // Each answer comes after the event.
    for _ in 1...3 {
      try run("ctl room pause")
      try run("ctl room resume")
    }
    waitUntil("the program") { (try? rows("log").count) == 1 }
    try runShell("read line <gate || true")
    kill(recorder.process.processIdentifier, SIGTERM)
    let (status, text) = end(recorder)
    XCTAssertEqual(status, 0)
    XCTAssertTrue(text.contains("2 events of the kind paused started no program, because"), text)
    XCTAssertEqual(try objects("log").count, 1)
  }

  func testOneThatHangsFailsOrDoesNotExist() throws {
    let hangs = try program("trap '' TERM; echo began >>log; exec tail -f /dev/null")
    let recorder = try start(
      "record sim:imu@1000 --count 5 --start-paused -o t.csv --on-event \(hangs) --on-event-limit 50ms --events paused")
    waitUntil("the program") { FileManager.default.fileExists(atPath: "\(folder)/log") }
    kill(recorder.process.processIdentifier, SIGUSR2)
    let text = end(recorder).text
    XCTAssertTrue(text.contains("program of --on-event, for paused, was ended, because it took longer than"), text)
    let fails = try program("exit 7")
    let paused = "--start-paused --duration 20ms --events paused -o"
    XCTAssertTrue(
      try run("record sim:imu@1000 \(paused) u.csv --on-event \(fails)").contains(
        "the program \(fails) of --on-event, for paused, ended with status 7"))
    XCTAssertTrue(
      try run("record sim:imu@1000 \(paused) v.csv --on-event /nonexistent/program").contains(
        "cannot start the program /nonexistent/program of --on-event: no such file or directory"))
  }

  func testWrongUse() throws {
    for (options, said) in [
      ("--events paused", "--events is for --on-event"), ("--on-event-limit 1s", "--on-event-limit is for --on-event"),
      ("--on-event x --events nothing", "there is no event \"nothing\""),
    ] {
      let text = try run("record timer:1ms -o t.csv \(options)", status: 64)
      XCTAssertTrue(text.contains(said), text)
    }
    let text = try runShell("\"$SLUICE\" record timer:1ms -o t.csv --on-event 'a \"b' 2>&1", status: 64)
    XCTAssertTrue(text.contains("the quote \" has no end"), text)
  }
}
