import SluiceReadings

/// Flags the next reading of each stream after a loss of which nobody knows the stream.
struct GapFlags {
  private var losses = 0
  /// By stream, the losses before its last reading.
  private var seen: [Int]

  init(streams: Int) { seen = Array(repeating: 0, count: streams) }

  /// Notes a loss. It takes the same time for any number of streams.
  mutating func mark() { losses += 1 }

  /// Whether the next reading of a stream follows a gap. It is asked once for each reading.
  mutating func take(_ stream: Int) -> Bool {
    guard seen[stream] != losses else { return false }
    seen[stream] = losses
    return true
  }
}
