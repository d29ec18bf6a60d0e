import Foundation
import XCTest

/// On a terminal.
final class ConsoleTests: CommandTestCase {
  /// What a terminal shows line by line, and how it got there.
  private func record(_ arguments: String, _ body: (Process) -> Void) throws -> String {
    // What posix_openpt(3), unlockpt(3) and ptsname(3) do: Glibc's module hides them (TIOCSPTLCK, TIOCGPTN).
    let main = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (lock, number): (Int32, UInt32) = (0, 0)
    XCTAssertEqual(ioctl(main, 0x4004_5431, &lock) | ioctl(main, 0x8004_5430, &number), 0)
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    XCTAssertGreaterThanOrEqual(terminal, 0)
    let process = Process()
    process.executableURL = command
    process.arguments = arguments.split(separator: " ").map(String.init)
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
    let text = try record("record --timer 1ms --duration 1500ms -o t.csv") { process in
      waitUntil("rows") { ((try? self.rows("t.csv").count) ?? 0) > 500 }
      kill(process.processIdentifier, SIGUSR1)
    }
    XCTAssertTrue(text.contains(" dropped, "), "there is no live line: \(text)")
    XCTAssertTrue(text.contains("\r\u{1b}[Ksluice: paused; SIGUSR2 resumes\r\n"), text)
    XCTAssertTrue(text.contains("\r\u{1b}[Krecorded "), text)
  }

  /// Rows on the same terminal would be torn by it.
  func testRowsOnTheTerminalHaveNoLiveLine() throws {
    let text = try record("record --timer 1ms --duration 800ms -o -") { _ in }
    XCTAssertFalse(text.contains("\u{1b}"), text)
    XCTAssertTrue(text.contains("time_ns,timer 1ms\r\n"), text)
  }
}
