package import SluiceReadings

/// Sets the flags of readings from the times that the metadata of the trace lists.
package struct TraceMarks {
  /// Sorted times, and the number of times already passed.
  private struct Times {
    var times: [Int64]
    var next = 0

    init(_ times: [Int64]) { self.times = times.sorted() }

    /// - Returns: The number of times passed in this call.
    mutating func pass(while isPassed: (Int64) -> Bool) -> Int {
      let before = next
      while next < times.count, isPassed(times[next]) { next += 1 }
      return next - before
    }
  }

  /// The times of each stream.
  private var gaps: [Times]
  private var levels: [Times]
  private var late: [Set<Int64>]
  private var left: Int
  private let rowsHaveFlags: Bool

  /// - Parameter rowsHaveFlags: Whether each row has its own flags. Then a listed time is used only for a reading that
  ///   is not in the file, because the recording left it out.
  package init(_ metadata: TraceMetadata?, _ streams: [StreamDescription], rowsHaveFlags: Bool = false) {
    func times(_ flagged: [TraceMetadata.Flagged]?) -> [Times] {
      let named = Dictionary(grouping: flagged ?? [], by: \.stream)
      return streams.map { stream in Times((named[stream.name] ?? []).flatMap(\.times)) }
    }
    self.rowsHaveFlags = rowsHaveFlags
    if rowsHaveFlags {
      let whole = Set((metadata?.ledger ?? []).lazy.filter { !$0.leavesOut }.map(\.stream))
      gaps = times(metadata?.gapBefore?.filter { !whole.contains($0.stream) })
      levels = times(nil)
      late = times(nil).map { Set($0.times) }
    } else {
      gaps = times(metadata?.gapBefore)
      levels = times(metadata?.initialLevel)
      late = times(metadata?.late).map { Set($0.times) }
    }
    left = (gaps + levels).reduce(0) { $0 + $1.times.count } + late.reduce(0) { $0 + $1.count }
  }

  /// Flags the readings that follow those of the last call.
  package mutating func flag(_ readings: UnsafeMutableBufferPointer<Reading>) {
    guard left > 0 else { return }
    for index in readings.indices {
      let stream = Int(readings[index].stream.index)
      guard stream < gaps.count else { continue }
      let time = readings[index].time
      // An operator may have left out the listed reading. Then the first reading after its time follows the gap.
      // A row of the same time without the flag is another reading.
      let isItself = !rowsHaveFlags || readings[index].flags.contains(.gapBefore)
      let passed = gaps[stream].pass { isItself ? $0 <= time : $0 < time }
      if passed > 0 { readings[index].flags.insert(.gapBefore) }
      let before = levels[stream].pass { $0 < time }
      let equal = levels[stream].pass { $0 == time }
      if equal > 0 { readings[index].flags.insert(.initialLevel) }
      // Late readings are not in the order of their times.
      let isLate = late[stream].remove(time) != nil
      if isLate { readings[index].flags.insert(.late) }
      left -= passed + before + equal + (isLate ? 1 : 0)
    }
  }
}
