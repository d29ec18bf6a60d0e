import Foundation
import XCTest

/// Keys of a terminal that is standard input.
final class TerminalKeysTests: CommandTestCase {
  private var terminal: (main: Int32, other: Int32) = (-1, -1)

  override func setUpWithError() throws {
    try super.setUpWithError()
    // What posix_openpt(3), unlockpt(3) and ptsname(3) do: Glibc's module hides them (TIOCSPTLCK, TIOCGPTN).
    terminal.main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number): (Int32, UInt32) = (0, 0)
    XCTAssertEqual(ioctl(terminal.main, 0x4004_5431, &lock) | ioctl(terminal.main, 0x8004_5430, &number), 0)
    terminal.other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    XCTAssertGreaterThanOrEqual(terminal.other, 0)
    let rows = (0..<5).map { "\($0 * 3_600_000_000_000),\($0)\n" }.joined()
    try write("in.csv", "time_ns,x\n" + rows)
  }

  override func tearDown() {
    close(terminal.other)
    close(terminal.main)
    super.tearDown()
  }

  /// - Parameter showsLine: Whether standard error is the terminal too.
  private func begin(_ arguments: String, showsLine: Bool = false) throws -> (process: Process, said: Pipe) {
    let process = Process()
    process.executableURL = command
    process.arguments = arguments.split(separator: " ").map(String.init)
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let said = Pipe()
    process.standardInput = FileHandle(fileDescriptor: terminal.other, closeOnDealloc: false)
    (process.standardOutput, process.standardError) = (said, said)
    if showsLine { process.standardError = process.standardInput }
    try process.run()
    return (process, said)
  }

  /// What a key sends.
  private func press(_ keys: String) {
    let bytes = Array(keys.utf8)
    XCTAssertEqual(Foundation.write(terminal.main, bytes, bytes.count), bytes.count)
  }

  private var local: tcflag_t {
    var mode = termios()
    XCTAssertEqual(tcgetattr(terminal.other, &mode), 0)
    return mode.c_lflag
  }
  /// Whether each key comes at once.
  private var givesKeys: Bool { local & tcflag_t(ICANON | ECHO) == 0 }

  private func waitForRows(_ count: Int) {
    waitUntil("row \(count)") { ((try? self.rows("out.csv").count) ?? 0) >= count + 1 }
  }

  private let right = "\u{1b}[C"

  func testKeysPauseStepAndEnd() throws {
    let before = local
    let started = try begin("replay in.csv --rate 1 -o out.csv")
    waitForRows(1)
    waitUntil("keys") { self.givesKeys }
    // Not paused yet, so that the first one gives nothing.
    press("\(right) x\(right)")
    waitForRows(2)
    press("\u{1b}")
    press("OC")
    waitForRows(3)
    press("q")
    let (status, text) = end(started)
    XCTAssertEqual(status, 0, text)
    XCTAssertTrue(text.contains("3 written, nothing lost in replay, stopped before the end of the trace"), text)
    XCTAssertEqual(local, before)
  }

  func testSpaceGoesOn() throws {
    let text = "time_ns,x\n0,1\n1000000,2\n2000000,3\n"
    try write("short.csv", text)
    let started = try begin("replay short.csv --rate 0.01 -o out.csv")
    waitUntil("keys") { self.givesKeys }
    press(" ")
    press("x ")
    let (status, said) = end(started)
    XCTAssertEqual(status, 0, said)
    XCTAssertEqual(try rows("out.csv").joined(separator: "\n") + "\n", text)
  }

  func testTheLiveLineNamesTheKeys() throws {
    let started = try begin("replay in.csv --rate 1 --no-live -o out.csv", showsLine: true)
    XCTAssertEqual(fcntl(terminal.main, F_SETFL, O_NONBLOCK), 0)
    var shown = ""
    func waitForLine(_ text: String) {
      var bytes = [UInt8](repeating: 0, count: 4_096)
      waitUntil("\"\(text)\" in \"\(shown)\"") {
        let count = read(terminal.main, &bytes, bytes.count)
        if count > 0 { shown += String(decoding: bytes[..<count], as: UTF8.self) }
        return shown.contains(text)
      }
    }
    waitForLine(" s (space: pause, q: end)")
    press(" ")
    waitForLine(" (space: resume, right: one reading, q: end)")
    press("q")
    waitForLine("1 written, nothing lost in replay")
    XCTAssertEqual(end(started).status, 0)
  }

  /// Of a recording, keys are taken where they are named: with the view and with the line.
  func testAMarkOfARecording() throws {
    let before = local
    for option in ["--live", "--no-live"] {
      let started = try begin("record sim:meter@100 \(option) --force -o r.csv", showsLine: true)
      waitUntil("keys") { self.givesKeys }
      press("mdoor \u{e4}x\u{7f}\r")
      waitUntil("the mark") {
        ((try? String(contentsOfFile: "\(self.folder)/r.csv-metadata.json", encoding: .utf8)) ?? "")
          .contains("\"sluice:text\": \"door \u{e4}\"")
      }
      press("q")
      started.process.waitUntilExit()
      XCTAssertEqual(started.process.terminationStatus, 0)
      XCTAssertEqual(local, before)
      // What the terminal has shown is in nobody's way.
      tcflush(terminal.main, TCIFLUSH)
    }
  }

  /// Its reader may be a pager.
  func testARecordingToStandardOutputTakesNoKeys() throws {
    let before = local
    let started = try begin("record sim:meter@100 --count 100 --live -o -", showsLine: true)
    XCTAssertEqual(end(started).status, 0)
    press("q\n")
    XCTAssertEqual(local, before)
  }

  func testTheTerminalIsAsItWasOnEveryWayOut() throws {
    let before = local
    try write("bad.csv", "time_ns,x\n0,1\n1,2\nx,3\n")
    // What a second signal finds unfinished is an error.
    let ways: [([Int32], statuses: Set<Int32>)] = [
      ([SIGINT], [0]), ([SIGTERM], [0]), ([SIGHUP], [0]), ([SIGINT, SIGINT], [0, 1]), ([SIGQUIT], [-1]),
    ]
    for (signals, statuses) in ways {
      let started = try begin("replay in.csv --rate 1 --force -o out.csv")
      waitUntil("keys") { self.givesKeys }
      for signal in signals { kill(started.process.processIdentifier, signal) }
      let (status, text) = end(started)
      XCTAssertTrue(statuses.contains(status), "\(signals): \(status), \(text)")
      XCTAssertEqual(local, before, "\(signals)")
    }
    XCTAssertEqual(end(try begin("replay bad.csv --rate 1 --force -o out.csv")).status, 1)
    XCTAssertEqual(local, before)
    XCTAssertEqual(end(try begin("replay bad.csv --rate 1 -o out.csv")).status, 1, "there is an output")
    XCTAssertEqual(local, before)
  }

  /// As Ctrl-Z does it, which the shell then sees.
  func testAStoppedProcessGivesTheTerminalBack() throws {
    let before = local
    let started = try begin("replay in.csv --rate 1 -o out.csv")
    let process = started.process.processIdentifier
    for _ in 0..<2 {
      waitUntil("keys") { self.givesKeys }
      kill(process, SIGTSTP)
      waitUntil("its stop") { self.state(of: process) == "T" }
      XCTAssertEqual(local, before)
      kill(process, SIGCONT)
    }
    waitUntil("keys") { self.givesKeys }
    press("q")
    XCTAssertEqual(end(started).status, 0)
    XCTAssertEqual(local, before)
  }

  private func state(of process: Int32) -> Character? {
    let status = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return status.split(separator: ")").last?.first { $0 != " " }
  }

  /// Its keys are nobody's.
  func testAReplayThatDoesNotWaitLeavesTheTerminal() throws {
    let before = local
    let started = try begin("record sim:meter@100 --count 20 -o r.csv")
    XCTAssertEqual(end(started).status, 0)
    press("qx\n")
    XCTAssertEqual(end(try begin("replay in.csv -o out.csv")).status, 0)
    XCTAssertEqual(local, before)
    var bytes = [UInt8](repeating: 0, count: 16)
    XCTAssertEqual(read(terminal.other, &bytes, bytes.count), 3, "the line is there still")
  }
}
