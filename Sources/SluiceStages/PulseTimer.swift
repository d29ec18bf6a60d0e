import SluiceReadings

/// Measures the pulses of a line, for protocols in which the length of a pulse is the value of a bit.
struct PulseTimer {
  /// The time between two edges.
  struct Pulse {
    var isHigh: Bool
    /// The time of its first edge, in nanoseconds since the Unix epoch.
    var start: Int64
    /// Its length in nanoseconds; 0 or more.
    var length: Int64
  }

  private var last: Edge?
  /// The time of the previous edge; nil before the first edge.
  private(set) var time: Int64?

  /// The pulse that an edge ends.
  /// - Returns: nil if its length is not known: at the first edge, after a gap, after an edge of the same direction, or
  ///   if the time goes back.
  mutating func receive(_ edge: Edge) -> Pulse? {
    defer { (last, time) = (edge.isInitial ? nil : edge, edge.time) }
    guard let last, !edge.isInitial, !edge.isAfterGap, last.isHigh != edge.isHigh else { return nil }
    let (length, overflow) = edge.time.subtractingReportingOverflow(last.time)
    guard !overflow, length >= 0 else { return nil }
    return Pulse(isHigh: last.isHigh, start: last.time, length: length)
  }
}
