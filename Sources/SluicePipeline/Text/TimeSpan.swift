package import Dispatch
import Sluice
package import SluiceDispatch
import SluiceRecording

/// A time span in its text form: `250us`, `10ms`, `1.5s`, `2m`, `1h`, `7d`.
///
/// Use it for the limits and the stages of a ``RecordingPlan``. It has whole nanoseconds, from 1 ns to 292 years.
///
/// ```swift
/// TimeSpan("1.5s")?.nanoseconds  // 1500000000
/// TimeSpan.milliseconds(1_500).description  // 1500ms
/// ```
public struct TimeSpan: Hashable, Sendable, LosslessStringConvertible {
  /// The number of nanoseconds.
  public let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// A number of nanoseconds; at least 1.
  public static func nanoseconds(_ count: Int64) -> TimeSpan { TimeSpan(count, times: 1) }

  /// A number of milliseconds; at least 1 ns, at most 292 years.
  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(count, times: 1_000_000) }

  /// A number of seconds; at least 1 ns, at most 292 years.
  public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(count, times: 1_000_000_000) }

  private init(_ count: Int64, times scale: Int64) {
    let (product, overflow) = max(0, count).multipliedReportingOverflow(by: scale)
    nanoseconds = overflow ? .max : max(1, product)
  }

  /// Parses a number with its unit: `ns`, `us`, `ms`, `s`, `m` or `min`, `h`, `d`. Nil if it is not a time span, or
  /// below 1 ns.
  public init?(_ argument: String) {
    let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let scale = Self.units[String(argument[number.endIndex...])] else { return nil }
    if let whole = Int64(number) {
      let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
      guard !overflow, product >= 1 else { return nil }
      nanoseconds = product
      return
    }
    guard let value = Double(number) else { return nil }
    let nanoseconds = (value * Double(scale)).rounded()
    // A day in nanoseconds is below 2^53. So a Double is exact up to a day, and exact enough for longer spans.
    guard nanoseconds >= 1, let whole = Int64(exactly: nanoseconds) else { return nil }
    self.nanoseconds = whole
  }

  /// Parses a period: a time span, or a rate such as `10Hz`, `2.5kHz` or `1MHz`, which is rounded to whole nanoseconds.
  /// Nil if it is neither, or below 1 ns.
  public init?(period text: String) {
    guard let span = RowPeriod(text)?.time(ofRow: 1) else { return nil }
    self.init(nanoseconds: span)
  }

  private static let units: [String: Int64] = [
    "ns": 1, "us": 1_000, "µs": 1_000, "ms": 1_000_000, "s": 1_000_000_000, "m": 60_000_000_000,
    "min": 60_000_000_000, "h": 3_600_000_000_000, "d": 86_400_000_000_000,
  ]

  package var stride: DispatchQueue.SchedulerTimeType.Stride {
    DispatchQueue.SchedulerTimeType.Stride(nanoseconds: nanoseconds)
  }
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The span in the largest unit, up to seconds, that gives a whole number. Parsing it gives the same span.
  public var description: String {
    // Not a loop over units and scales: the compiler unrolls it, and then orders both by where they lie in its memory, which
    // is another place in each build. Two builds must give the same bytes.
    if nanoseconds % 1_000_000_000 == 0 { return "\(nanoseconds / 1_000_000_000)s" }
    if nanoseconds % 1_000_000 == 0 { return "\(nanoseconds / 1_000_000)ms" }
    if nanoseconds % 1_000 == 0 { return "\(nanoseconds / 1_000)us" }
    return "\(nanoseconds)ns"
  }
}
