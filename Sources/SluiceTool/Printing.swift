import ArgumentParser
import SluiceRecording

#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// Everything that a person reads goes to standard error, so that standard output can be a file of readings.
func printText(_ text: String) {
  var text = text
  text.withUTF8 { _ = writeBytes(STDERR_FILENO, UnsafeRawBufferPointer($0)) }
}

func printLine(_ text: String) { printText(text + "\n") }

/// Prints what was asked for to standard output.
func printOutput(_ text: String) throws(SluiceError) {
  var text = text
  let failed = text.withUTF8 { writeBytes(STDOUT_FILENO, UnsafeRawBufferPointer($0)) }
  if let failed { throw SluiceError("write", "standard output", errno: failed.error.code) }
}

func printError(_ error: SluiceError) { printLine("sluice: \(error)") }

/// Runs a command, and turns an error into its sentence and its exit status.
func reportingErrors(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let error as SluiceError {
    printError(error)
    throw ExitCode(error.code == .usage ? 64 : 1)
  }
}

func isDirectory(_ path: String) -> Bool { fileType(path) == S_IFDIR }
func isRegularFile(_ path: String) -> Bool { fileType(path) == S_IFREG }

/// What kind of file it is, or its target; nil where there is none.
private func fileType(_ path: String) -> mode_t? {
  var status = stat()
  return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
}

func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

/// Whether two paths lead to the same file.
func isSameFile(_ a: String, _ b: String) -> Bool {
  var (first, second) = (stat(), stat())
  return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino
}

/// `1234567` as `1,234,567`.
func grouped(_ number: Int) -> String {
  var text = ""
  for (index, digit) in String(number.magnitude).reversed().enumerated() {
    if index > 0, index % 3 == 0 { text.append(",") }
    text.append(digit)
  }
  return (number < 0 ? "-" : "") + String(text.reversed())
}

/// `1234.5` as `1,234.5`.
func grouped(_ number: Double, _ decimals: Int) -> String {
  let text = fixed(number, decimals)
  let whole = text.prefix { $0 != "." }
  guard let grouped = Int(whole).map({ grouped($0) }) else { return text }
  return (grouped == "0" && text.hasPrefix("-") ? "-" : "") + grouped + text[whole.endIndex...]
}

enum Alignment { case left, right }

/// Text with spaces, as wide as a column.
func padded(_ text: String, _ width: Int, _ alignment: Alignment = .left) -> String {
  let spaces = String(repeating: " ", count: max(0, width - text.count))
  return alignment == .left ? text + spaces : spaces + text
}

/// A number with so many decimals.
func fixed(_ number: Double, _ decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  guard number.isFinite, let scaled = Int(exactly: (number * scale).rounded()) else { return "\(number)" }
  let digits = String(scaled.magnitude)
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let sign = scaled < 0 ? "-" : ""
  return decimals == 0 ? sign + padded : sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// Nanoseconds since the epoch as a time of day in UTC, to the millisecond: `2026-11-21T12:00:01.123Z`.
func utcTime(_ nanoseconds: Int64) -> String {
  let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
  var (time, parts) = (time_t(rest < 0 ? seconds - 1 : seconds), tm())
  gmtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 32)
  guard strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts) > 0 else { return "\(nanoseconds) ns" }
  let milliseconds = String(1_000 + (rest < 0 ? rest + 1_000_000_000 : rest) / 1_000_000).dropFirst()
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + ".\(milliseconds)Z"
}

/// A JSON string.
func quoted(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
  if isPlain { return "\"\(text)\"" }
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\n": quoted += "\\n"
    case "\t": quoted += "\\t"
    case _ where scalar.value < 0x20:
      let hex = String(scalar.value, radix: 16)
      quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}
