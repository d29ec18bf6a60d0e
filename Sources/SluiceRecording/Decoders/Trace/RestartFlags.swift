import SluiceReadings

/// Flags the first reading of each stream after a restart.
struct RestartFlags {
  /// The streams without a reading since the restart.
  private var waiting: [Bool]

  init(streams: Int) { waiting = Array(repeating: true, count: streams) }

  /// Flags the readings that follow.
  /// - Returns: Whether each stream has had a reading.
  mutating func flag(_ readings: UnsafeMutableBufferPointer<Reading>) -> Bool {
    for index in readings.indices { flag(&readings[index]) }
    return !waiting.contains(true)
  }

  mutating func flag(_ reading: inout Reading) {
    guard reading.stream != .none else { return }
    let stream = Int(reading.stream.index)
    // A trace may get streams while it is read.
    while waiting.count <= stream { waiting.append(true) }
    guard waiting[stream] else { return }
    waiting[stream] = false
    reading.flags.formUnion([.gapBefore, .restart])
  }
}
