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

  func testTheEventIsOnStandardInput() throws {
    let path = try program("cat >>\"$1\"")
    try runShell(
      "\"$SLUICE\" record sim:imu@100 --count 5 --start-paused -o t.csv "
        + "--on-event \"'\(path)' 'their log'\" --events paused,resumed & "
        + "pid=$!; until [ -s 'their log' ]; do sleep 0.01; done; kill -USR2 $pid; wait $pid")
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
    let path = try program("cat >>log; until [ -e go ]; do sleep 0.01; done")
    let recorder = try start("record sim:imu@100 -o t.csv --on-event \(path) --events paused")
    waitUntil("rows") { (try? rows("t.csv").count) ?? 0 > 1 }
    for signal in [SIGUSR1, SIGUSR2, SIGUSR1, SIGUSR2, SIGUSR1] {
      kill(recorder.process.processIdentifier, signal)
      waitUntil("the program") { FileManager.default.fileExists(atPath: "\(folder)/log") }
    }
    try write("go", "")
    kill(recorder.process.processIdentifier, SIGTERM)
    let (status, text) = end(recorder)
    XCTAssertEqual(status, 0)
    // Signals of the same kind that wait together are one.
    let skipped =
      text.contains("events of the kind paused came while") || text.contains("event of the kind paused came while")
    XCTAssertEqual(skipped, try objects("log").count < 3, text)
  }

  func testOneThatHangsFailsOrDoesNotExist() throws {
    let hangs = try program("trap '' TERM; echo began >>log; sleep 100")
    let text = try runShell(
      "\"$SLUICE\" record sim:imu@1000 --count 5 --start-paused -o t.csv "
        + "--on-event '\(hangs)' --on-event-limit 50ms --events paused 2>&1 & pid=$!; "
        + "until [ -s log ]; do sleep 0.01; done; kill -USR2 $pid; wait $pid")
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
