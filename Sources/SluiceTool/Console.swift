import ArgumentParser
import Sluice
import SluiceReadings

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Standard error: everything that a person reads goes there, so that standard output can be a file of readings.
///
/// On a terminal its last line may be a live one, which is cleared before anything else is printed, and comes back below.
enum Console {
  /// What the live line says; empty if there is none.
  private static let live = PriorityInheritanceMutex("")

  static func printLine(_ text: String) {
    live.withLock { live in write(live.isEmpty ? text + "\n" : clear + text + "\n" + live) }
  }

  /// What happens meanwhile, for a person to know.
  @Sendable static func say(_ text: String) { printLine("sluice: \(text)") }

  @Sendable static func printError(_ error: SluiceError) { printLine("sluice: \(error)") }

  /// Shows a live line; an empty one ends it.
  static func show(_ text: String) {
    live.withLock { live in
      guard !(live.isEmpty && text.isEmpty) else { return }
      live = text
      write(clear + text)
    }
  }

  /// Whether a live line can be shown: rows on the same terminal would be torn by it.
  static func showsLiveLine(besides outputs: [String]) -> Bool {
    isatty(STDERR_FILENO) == 1 && !(outputs.contains("-") && isatty(STDOUT_FILENO) == 1)
  }

  private static let clear = "\r\u{1b}[K"

  private static func write(_ text: String) {
    var text = text
    text.withUTF8 { _ = writeBytes(STDERR_FILENO, UnsafeRawBufferPointer($0)) }
  }
}

/// Prints what was asked for to standard output.
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
    Console.printLine("sluice: stopped before it began: \(error)")
  } catch let error as SluiceError {
    Console.printError(error)
    throw ExitCode(error.code == .usage ? 64 : failure)
  }
}
