import Sluice

/// A time span as people write it: `250us`, `10ms`, `1.5s`, `2m`, `1h`.
package struct TimeSpan: Hashable, LosslessStringConvertible {
  package let nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package init?(_ argument: String) {
    let number = argument.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let scale = Self.units[String(argument[number.endIndex...])], let value = Double(number) else { return nil }
    let nanoseconds = (value * scale).rounded()
    // A day of nanoseconds is below 2^53: longer spans need no more precision.
    guard nanoseconds >= 1, let whole = Int64(exactly: nanoseconds) else { return nil }
    self.nanoseconds = whole
  }

  private static let units: [String: Double] = [
    "ns": 1, "us": 1e3, "µs": 1e3, "ms": 1e6, "s": 1e9, "m": 6e10, "min": 6e10, "h": 3.6e12,
  ]

  package var stride: SchedulerStride { SchedulerStride(nanoseconds: nanoseconds) }
  package var seconds: Double { Double(nanoseconds) / 1e9 }

  package var description: String {
    for (unit, scale) in [("s", Int64(1_000_000_000)), ("ms", 1_000_000), ("us", 1_000)]
    where nanoseconds % scale == 0 {
      return "\(nanoseconds / scale)\(unit)"
    }
    return "\(nanoseconds)ns"
  }
}
