import SluiceReadings

/// Measures the pulses of a line, for decoders to which their lengths are the bits.
struct PulseTimer {
  /// What was between two edges.
  struct Pulse {
    var isHigh: Bool
    /// When it began, in nanoseconds since the Unix epoch.
    var start: Int64
    /// In nanoseconds; 0 or more.
    var length: Int64
  }

  private var last: Edge?
  /// The time of the edge before; nil before the first.
  private(set) var time: Int64?

  /// The pulse that an edge ends.
  /// - Returns: nil if its length is not known: at the first edge, after a gap, after an edge of the same direction, or if
  ///   time goes back.
  mutating func receive(_ edge: Edge) -> Pulse? {
    defer { (last, time) = (edge.isInitial ? nil : edge, edge.time) }
    guard let last, !edge.isInitial, !edge.isAfterGap, last.isHigh != edge.isHigh else { return nil }
    let (length, overflow) = edge.time.subtractingReportingOverflow(last.time)
    guard !overflow, length >= 0 else { return nil }
    return Pulse(isHigh: last.isHigh, start: last.time, length: length)
  }
}
