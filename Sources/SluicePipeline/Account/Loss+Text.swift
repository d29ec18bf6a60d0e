package import SluiceReadings

extension Loss {
  /// `8 lost in the kernel of METER from 2026-11-21T12:00:01.123Z to 2026-11-21T12:00:01.456Z`.
  /// - Parameter isNaming: Whether the text names the streams.
  package func text(isNaming: Bool = false) -> String {
    let what =
      (phrase ?? "\(grouped(count)) \(count == 1 ? Self.singular(reason) : reason)")
      + (isNaming && !streams.isEmpty ? " of \(listed(streams))" : "")
    guard let first, let last else { return what }
    return what + (first == last ? " at \(utcTime(first))" : " from \(utcTime(first)) to \(utcTime(last))")
  }

  /// `1 tick missed`. The metadata keeps the plural.
  private static func singular(_ reason: String) -> String {
    reason.hasPrefix("ticks ") ? "tick " + reason.dropFirst("ticks ".count) : reason
  }

  package var json: JSON {
    // Encoding a loss cannot fail.
    (try? JSON(encoding: self)) ?? .null
  }
}
