import SluiceReadings

/// Streams and their readings.
struct Trace {
  var streams: [StreamDescription] = []
  var readings: [Reading] = []

  /// The time from the first to the last reading in nanoseconds, at least 1 and at most `Int64.max`.
  var span: Int64 {
    guard let first = readings.map(\.time).min(), let last = readings.map(\.time).max() else { return 1_000_000_000 }
    return max(1, Int64(clamping: Int128(last) - Int128(first)))
  }

  /// Whether a time is earlier than the one before it.
  var goesBack: Bool { zip(readings, readings.dropFirst()).contains { $0.time > $1.time } }
}
