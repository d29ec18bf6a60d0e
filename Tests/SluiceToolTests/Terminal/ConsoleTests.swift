import Foundation
import XCTest

/// On a terminal.
final class ConsoleTests: CommandTestCase {
  /// What a terminal shows line by line, and how it got there.
  private func record(
    _ arguments: String, columns: UInt16 = 0, _ environment: [String: String] = [:],
    _ body: (Process) -> Void = { _ in }
  ) throws -> String {
    // What posix_openpt(3), unlockpt(3) and ptsname(3) do: Glibc's module hides them (TIOCSPTLCK, TIOCGPTN).
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number): (Int32, UInt32) = (0, 0)
    XCTAssertEqual(ioctl(main, 0x4004_5431, &lock) | ioctl(main, 0x8004_5430, &number), 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    XCTAssertGreaterThanOrEqual(terminal, 0)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    XCTAssertEqual(ioctl(terminal, UInt(TIOCSWINSZ), &size), 0)
    let process = Process()
    process.executableURL = command
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardError = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    process.standardOutput = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    try process.run()
    close(terminal)
    body(process)
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    // Fails once nobody has the terminal open any more.
    while case let count = read(main, &part, part.count), count > 0 { bytes += part[..<count] }
    close(main)
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A message begins at the left of a line of its own, and the live line comes back below it.
  func testMessagesClearTheLiveLine() throws {
    let text = try record("record timer:1ms --duration 1500ms --no-live -o t.csv") { process in
      waitUntil("rows") { ((try? self.rows("t.csv").count) ?? 0) > 500 }
      kill(process.processIdentifier, SIGUSR1)
    }
    let live = #"\r\x1b\[K[0-9,]+ readings, [0-9,.]+/s, buffer [0-9]+ %, lost [0-9]+"#
    XCTAssertNotNil(text.range(of: live, options: .regularExpression), "there is no live line: \(text)")
    XCTAssertTrue(text.contains("\r\u{1b}[Ksluice: paused; SIGUSR2 resumes\r\n"), text)
    XCTAssertTrue(text.contains("\r\u{1b}[Krecorded "), text)
  }

  /// Rows on the same terminal would be torn by it.
  func testRowsOnTheTerminalHaveNoLiveLine() throws {
    let text = try record("record timer:1ms --duration 800ms -o -")
    XCTAssertFalse(text.contains("\u{1b}"), text)
    XCTAssertTrue(text.contains("time_ns,timer 1ms\r\n"), text)
  }

  /// A line that is wider than the window cannot be cleared.
  func testTheLiveLineFitsTheWindow() throws {
    let text = try record("record timer:1ms --duration 800ms --no-live -o t.csv", columns: 20)
    let lines = text.components(separatedBy: "\r\u{1b}[K").filter { $0.contains("lost ") && !$0.hasPrefix("rec") }
    XCTAssertFalse(lines.isEmpty, text)
    for line in lines { XCTAssertLessThan(line.count, 20, line) }
  }

  func testADumbTerminalHasOneLine() throws {
    let text = try record("record timer:1ms --duration 800ms -o t.csv", columns: 60, ["TERM": "dumb"])
    XCTAssertFalse(text.contains("\u{1b}"), text)
    let clear = "\r" + String(repeating: " ", count: 59) + "\r"
    XCTAssertTrue(text.hasPrefix(clear), text)
    XCTAssertTrue(text.contains(" readings, "), text)
    XCTAssertTrue(text.contains(clear + "recorded "), text)
    let without = try record("record timer:1ms --duration 800ms --no-live -o u.csv", ["TERM": "dumb"])
    XCTAssertTrue(without.hasPrefix("recorded "), without)
  }

  /// Messages are above the view, which is gone at the end.
  func testTheView() throws {
    let text = try record(
      "record timer:1ms --duration 1500ms -o t.csv", columns: 100, ["TERM": "xterm", "NO_COLOR": "1"]
    ) { process in
      waitUntil("rows") { ((try? self.rows("t.csv").count) ?? 0) > 500 }
      kill(process.processIdentifier, SIGUSR1)
    }
    XCTAssertTrue(text.contains("\r\n  stream "), text)
    XCTAssertTrue(text.contains("\r\n  timer 1ms "), text)
    XCTAssertTrue(text.contains("A\u{1b}[Jsluice: paused; SIGUSR2 resumes\r\n"), text)
    XCTAssertTrue(text.contains("A\u{1b}[Jrecorded "), text)
    XCTAssertFalse(text.contains("\u{1b}[?"), "no mode of the terminal is changed")
    XCTAssertFalse(text.contains("m\u{1b}") || text.contains("[0m"), "without colours")
  }

  func testAReplayThatDoesNotWaitHasNoView() throws {
    try write("in.csv", "time_ns,x\n0,1\n1,2\n")
    XCTAssertFalse(try record("replay in.csv -o out.csv", ["TERM": "xterm"]).contains("\u{1b}["))
  }

  func testManyStreamsAreATable() throws {
    let sources = (1...12).map { "s\($0)=sim:meter@100,seed=\($0)" }.joined(separator: " ")
    let text = try record("record \(sources) --count 300 --quiet --stats text -o t.csv", columns: 60)
    XCTAssertEqual(text, "")
    let said = try record("record \(sources) --count 300 -o u.csv", columns: 60)
    let table = said.components(separatedBy: "\r\n").drop { !$0.contains("stream  received") }
    XCTAssertEqual(table.first, "stream  received    stream  received    stream  received", said)
    XCTAssertEqual(table.filter { $0.hasPrefix("s") }.count, 5, said)
  }

  /// sd-daemon(3): the priority stands before each line. Only the journal itself is to get it.
  func testLinesForTheJournalHaveTheirPriority() throws {
    let journal = "JOURNAL_STREAM=$(stat -Lc %d:%i log)"
    try runShell(": >log; \(journal) \"$SLUICE\" record a=sim:imu@500 --count 20 -v -o t.csv 2>>log")
    XCTAssertTrue(
      try rows("log").contains(
        "<7>sluice: a: accel_x (m/s^2), accel_y (m/s^2), accel_z (m/s^2), anglvel_x (rad/s), anglvel_y (rad/s), anglvel_z (rad/s); simulated imu"
      ))
    XCTAssertTrue(try rows("log").contains { $0.hasPrefix("<5>recorded 20 readings") })
    try runShell(": >log; \(journal) \"$SLUICE\" record timer:1ms --count 1 -o t.csv 2>>log || true")
    XCTAssertTrue(try rows("log")[0].hasPrefix("<3>sluice: cannot write t.csv: file exists"))
    try runShell(": >log; \(journal) \"$SLUICE\" record timer:1 2>>log || true")
    XCTAssertTrue(try rows("log")[0].hasPrefix("<3>sluice: timer:1: timer takes PERIOD"))
    let elsewhere = "JOURNAL_STREAM=$(stat -Lc %d:%i t.csv)"
    try runShell(": >log; \(elsewhere) \"$SLUICE\" record timer:1ms --count 1 -o t.csv 2>>log || true")
    XCTAssertTrue(try rows("log")[0].hasPrefix("sluice: cannot write"))
  }

  func testVerboseSaysWhatItUses() throws {
    let said = try runShell("\"$SLUICE\" record a=sim:imu@500 --count 20 --buffer 100 --throttle 1ms -v -o t.csv 2>&1")
    for part in [
      "sluice: stages: buffer of 100 readings per stream, throttle\n", "sluice: t.csv: csv, sync 1s\n",
      " s of processor time, ", " MB resident",
    ] { XCTAssertTrue(said.contains(part), said) }
    XCTAssertTrue(try run("record timer:1ms -q -v -o u.csv", status: 64).contains("give one of them"))
  }
}
