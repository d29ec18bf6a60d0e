import ArgumentParser
import Sluice
import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Standard error: everything that a person reads goes there, so that standard output can be a file of readings.
///
/// On a terminal its last line may be a live one. It is cleared before anything else is printed, and then shown again. In a
/// service that systemd started, each line has its priority, so that `journalctl -p warning` finds the warnings.
enum Console {
  /// How urgent a line is, as syslog(3) numbers it.
  enum Priority: Int { case error = 3, warning, notice, info, debug }

  /// The text of the live line; empty if there is none.
  private static let live = PriorityInheritanceMutex("")

  static func printLine(_ text: String, _ priority: Priority) {
    let safe = TerminalText.safe(text)
    let text = isJournal ? prefixed(safe, priority) : safe
    live.withLock { live in write(live.isEmpty ? text + "\n" : clear + text + "\n" + live) }
  }

  /// An event that a person should know of: a device was removed, a disk is away.
  @Sendable static func warn(_ text: String) { printLine("sluice: \(text)", .warning) }

  /// An event that is as it should be.
  @Sendable static func say(_ text: String) { printLine("sluice: \(text)", .info) }

  /// A detail that `--verbose` asks for.
  @Sendable static func detail(_ text: String) { printLine("sluice: \(text)", .debug) }

  @Sendable static func printError(_ error: SluiceError) { printLine("sluice: \(error)", .error) }

  /// Shows a live line; an empty one ends it.
  static func show(_ text: String) {
    // A line that is wider than the window is two lines, and only the last of them would be cleared.
    let text = String(text.prefix(max(0, columns - 1)))
    live.withLock { live in
      guard !(live.isEmpty && text.isEmpty) else { return }
      live = text
      write(clear + text)
    }
  }

  /// The width of the window, or 80.
  static var columns: Int { TerminalWindow.of(STDERR_FILENO).columns }

  /// Whether a live line can be shown: rows on the same terminal would be torn by it.
  static func showsLiveLine(besides outputs: [String]) -> Bool {
    isatty(STDERR_FILENO) == 1 && variable("TERM") != "dumb"
      && !(outputs.contains("-") && isatty(STDOUT_FILENO) == 1)
  }

  private static let clear = "\r\u{1b}[K"

  /// Whether standard error is connected to the journal: systemd.exec(5) on JOURNAL_STREAM.
  private static let isJournal: Bool = {
    var status = stat()
    guard let stream = variable("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }()

  /// As sd-daemon(3) has it: the priority stands before each line.
  private static func prefixed(_ text: String, _ priority: Priority) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { "<\(priority.rawValue)>\($0)" }
      .joined(separator: "\n")
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = writeBytes(STDERR_FILENO, UnsafeRawBufferPointer($0)) }
  }
}

/// Prints text for a reader to standard output, without control characters of names in it.
func printText(_ text: String) throws(SluiceError) { try printOutput(TerminalText.safe(text)) }

/// Prints what was asked for to standard output, as it is.
func printOutput(_ text: String) throws(SluiceError) {
  var text = text
  let failed = text.withUTF8 { writeBytes(STDOUT_FILENO, UnsafeRawBufferPointer($0)) }
  if let failed { throw SluiceError("write", "standard output", errno: failed.error.code) }
}

/// Runs a command, and turns an error into its sentence and its exit status.
/// - Parameter failure: The status of an error, but for wrong usage.
func reportingErrors(failure: Int32 = 1, _ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as SluiceError where error.code == .interrupted {
    // As asked: nothing was begun, and so nothing is unfinished.
    Console.say("stopped before it began: \(error)")
  } catch let error as SluiceError {
    Console.printError(error)
    throw ExitCode(error.code == .usage ? 64 : failure)
  }
}
