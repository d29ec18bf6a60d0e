import Sluice
import SluiceAnalysis
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Standard error. Everything for the user goes there, so that standard output can be a file of readings.
///
/// On a terminal the last line may be a live line, or the last lines a view. It is cleared before another line is
/// printed, and then shown again.
/// In a service of systemd each line has its priority, so that `journalctl -p warning` finds the warnings.
enum Console {
  /// The priority of a line, with the numbers of syslog(3).
  enum Priority: Int { case error = 3, warning, notice, info, debug }

  private struct State {
    /// The text of the live line; empty if there is none.
    var line = ""
    var area = TerminalArea()
    /// Whether this process has stopped itself, and the signal that continued it has not been heard yet.
    var hasStopped = false
  }

  private static let state = PriorityInheritanceMutex(State())

  /// A line feed in a name would begin another message, so it is not printed.
  static func printLine(_ text: String, _ priority: Priority) {
    let text = (isJournal ? "<\(priority.rawValue)>" : "") + TerminalText.safe(text.inOneLine)
    state.withLock { state in
      if !state.area.isEmpty { return write(state.area.above(text)) }
      write(state.line.isEmpty ? text + "\n" : clear + text + "\n" + state.line)
    }
  }

  /// Prints an event that needs attention: a device was removed, a disk is away.
  @Sendable static func warn(_ text: String) { printLine("sluice: \(text)", .warning) }

  /// Prints an event of normal operation.
  @Sendable static func say(_ text: String) { printLine("sluice: \(text)", .info) }

  /// Prints a detail, for `--verbose`.
  @Sendable static func detail(_ text: String) { printLine("sluice: \(text)", .debug) }

  @Sendable static func printError(_ error: SluiceError) {
    for line in ["sluice: \(error.sentence)"] + error.lines { printLine(line, .error) }
  }

  /// Shows a live line; an empty one ends it.
  static func show(_ text: String) {
    // A line wider than the window would take two lines, and only the second would be cleared.
    let text = String(text.prefix(max(0, columns - 1)))
    state.withLock { state in
      guard !(state.line.isEmpty && text.isEmpty) else { return }
      state.line = text
      write(clear + text)
    }
  }

  /// Shows the lines of a view, below which the cursor stays; no lines end it. It is not shown in the background, where
  /// it would tear what another program shows, nor while the terminal takes nothing.
  static func show(_ lines: [TerminalLine]) {
    state.withLock { state in
      let window = TerminalWindow.of(STDERR_FILENO)
      guard TerminalMode.isForeground(STDERR_FILENO) else { return state.area.forget() }
      guard isReady else { return }
      write(state.area.show(lines, columns: window.columns, rows: window.rows ?? 0))
    }
  }

  /// Stops this process, and lets nothing be shown meanwhile. What was shown before stays above what the shell shows.
  static func stopping(_ stop: () -> Void) {
    state.withLock { state in
      (state.line, state.hasStopped) = ("", true)
      state.area.forget()
      stop()
    }
  }

  /// Another program may have written to the terminal since another process has stopped this one.
  static func hasContinued() {
    state.withLock { state in
      if !state.hasStopped { state.area.forget() }
      state.hasStopped = false
    }
  }

  /// Whether the terminal takes something: after Ctrl-S it does not, and a write would wait.
  private static var isReady: Bool {
    var waiting = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  /// The width of the window, or 80.
  static var columns: Int { TerminalWindow.of(STDERR_FILENO).columns }

  /// Whether a live line can be shown. If rows go to the same terminal, the live line would break them.
  static func showsLiveLine(besides outputs: [String]) -> Bool {
    isatty(STDERR_FILENO) == 1 && !(outputs.contains("-") && isatty(STDOUT_FILENO) == 1)
  }

  /// Whether the terminal knows no more than to go back to the beginning of a line.
  static var isDumb: Bool { variable("TERM") == "dumb" }

  private static var clear: String {
    isDumb ? "\r" + String(repeating: " ", count: max(0, columns - 1)) + "\r" : "\r\u{1b}[K"
  }

  /// Whether standard error is connected to the journal: see JOURNAL_STREAM in systemd.exec(5).
  private static let isJournal: Bool = {
    var status = stat()
    guard let stream = variable("JOURNAL_STREAM"), fstat(STDERR_FILENO, &status) == 0 else { return false }
    return stream == "\(status.st_dev):\(status.st_ino)"
  }()

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = writeBytes(STDERR_FILENO, UnsafeRawBufferPointer($0)) }
  }
}

/// Prints a line to standard output. A line feed in a name does not begin another line.
func printLine(_ line: String) throws(SluiceError) { try printText([line].asLines) }

/// Prints text to standard output, without the control characters of names but their line feeds. Lines with names are made by
/// `asLines`.
func printText(_ text: String) throws(SluiceError) { try printOutput(TerminalText.safe(text)) }

/// Prints the result of a command to standard output, unchanged.
func printOutput(_ text: String) throws(SluiceError) {
  var text = text
  let failed = text.withUTF8 { writeBytes(STDOUT_FILENO, UnsafeRawBufferPointer($0)) }
  if let failed { throw SluiceError("write", "standard output", errno: failed.error.code) }
}

/// Runs a command. It prints an error as a sentence, and ends with its exit status.
/// - Parameter failure: The exit status for errors other than wrong usage.
func reportingErrors(
  failure: Int32 = 1, told: (SluiceError) -> Void = { _ in }, _ body: () throws -> Void
) throws {
  do {
    try body()
  } catch let error as SluiceError where error.code == .interrupted {
    // The user has stopped it. Nothing has begun, so nothing is unfinished, and the status is 0.
    Console.say("stopped before it began: \(error)")
  } catch let error as SluiceError {
    Console.printError(error)
    told(error)
    throw ExitCode(error.code == .usage ? 64 : failure)
  }
}
