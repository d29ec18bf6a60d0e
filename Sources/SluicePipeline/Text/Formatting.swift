import SluiceReadings
import SluiceSystem

/// A number with thousands separators: `1,234.5` for `1234.5`.
package func grouped(_ number: Double, _ decimals: Int) -> String {
  let text = fixed(number, decimals)
  let whole = text.prefix { $0 != "." }
  guard let grouped = Int(whole).map({ grouped($0) }) else { return text }
  return (grouped == "0" && text.hasPrefix("-") ? "-" : "") + grouped + text[whole.endIndex...]
}

package enum Alignment { case left, right }

/// Text padded with spaces to the width of a column.
package func padded(_ text: String, _ width: Int, _ alignment: Alignment = .left) -> String {
  let spaces = String(repeating: " ", count: max(0, width - text.count))
  return alignment == .left ? text + spaces : spaces + text
}

/// Names for a sentence: `a, b, c, d`, or `a, b, c and 61 more` if there are more than four.
package func listed(_ names: [String]) -> String {
  guard names.count > 4 else { return names.joined(separator: ", ") }
  return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more"
}

/// A number with a fixed number of decimals.
package func fixed(_ number: Double, _ decimals: Int) -> String {
  var scale = 1.0
  for _ in 0..<decimals { scale *= 10 }
  guard number.isFinite, let scaled = Int(exactly: (number * scale).rounded()) else { return "\(number)" }
  let digits = String(scaled.magnitude)
  let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  let sign = scaled < 0 ? "-" : ""
  return decimals == 0 ? sign + padded : sign + padded.dropLast(decimals) + "." + padded.suffix(decimals)
}

/// Nanoseconds since the epoch as a time of day in UTC, to the millisecond: `2026-11-21T12:00:01.123Z`.
package func utcTime(_ nanoseconds: Int64) -> String {
  let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
  var (time, parts) = (time_t(rest < 0 ? seconds - 1 : seconds), tm())
  gmtime_r(&time, &parts)
  var text = [CChar](repeating: 0, count: 32)
  guard strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts) > 0 else { return "\(nanoseconds) ns" }
  let milliseconds = String(1_000 + (rest < 0 ? rest + 1_000_000_000 : rest) / 1_000_000).dropFirst()
  return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + ".\(milliseconds)Z"
}

/// Nanoseconds with four digits, in the unit that fits: `10.08 ms`.
package func spanText(_ nanoseconds: Double) -> String {
  let (value, unit): (Double, String) =
    switch nanoseconds {
    case ..<1e3: (nanoseconds, "ns")
    case ..<1e6: (nanoseconds / 1e3, "us")
    case ..<1e9: (nanoseconds / 1e6, "ms")
    default: (nanoseconds / 1e9, "s")
    }
  let decimals = value < 10 ? 3 : value < 100 ? 2 : value < 1_000 ? 1 : 0
  return "\(unit == "ns" ? fixed(value, 0) : grouped(value, decimals)) \(unit)"
}

/// A number of bytes on a disk, for a person: `12.3 GB`.
package func byteText(_ count: Int) -> String {
  // Not a loop: see TimeSpan.description.
  let size = Double(count)
  if size >= 1e12 { return "\(fixed(size / 1e12, 1)) TB" }
  if size >= 1e9 { return "\(fixed(size / 1e9, 1)) GB" }
  if size >= 1e6 { return "\(fixed(size / 1e6, 1)) MB" }
  return "\(grouped(count / 1_000)) kB"
}
