package import SluiceReadings

/// Gives readings the flags that the metadata of their trace lists by time.
package struct TraceMarks {
  /// Times in their order, and how many of them are behind.
  private struct Times {
    var times: [Int64]
    var next = 0

    init(_ times: [Int64]) { self.times = times.sorted() }

    /// - Returns: How many more are behind.
    mutating func pass(while isPassed: (Int64) -> Bool) -> Int {
      let before = next
      while next < times.count, isPassed(times[next]) { next += 1 }
      return next - before
    }
  }

  /// By stream.
  private var gaps: [Times]
  private var levels: [Times]
  private var late: [Set<Int64>]
  private var left: Int

  package init(_ metadata: TraceMetadata?, _ streams: [StreamDescription]) {
    func times(_ flagged: [TraceMetadata.Flagged]?) -> [Times] {
      let named = Dictionary(grouping: flagged ?? [], by: \.stream)
      return streams.map { stream in Times((named[stream.name] ?? []).flatMap(\.times)) }
    }
    gaps = times(metadata?.gapBefore)
    levels = times(metadata?.initialLevel)
    late = times(metadata?.late).map { Set($0.times) }
    left = (gaps + levels).reduce(0) { $0 + $1.times.count } + late.reduce(0) { $0 + $1.count }
  }

  /// Flags readings that follow those of the last call.
  package mutating func flag(_ readings: UnsafeMutableBufferPointer<Reading>) {
    guard left > 0 else { return }
    for index in readings.indices {
      let stream = Int(readings[index].stream.index)
      guard stream < gaps.count else { continue }
      let time = readings[index].time
      // The reading itself may have been left out by an operator: the first one from then on follows the gap.
      let passed = gaps[stream].pass { $0 <= time }
      if passed > 0 { readings[index].flags.insert(.gapBefore) }
      let before = levels[stream].pass { $0 < time }
      let equal = levels[stream].pass { $0 == time }
      if equal > 0 { readings[index].flags.insert(.initialLevel) }
      // Late ones are not in the order of their times.
      let isLate = late[stream].remove(time) != nil
      if isLate { readings[index].flags.insert(.late) }
      left -= passed + before + equal + (isLate ? 1 : 0)
    }
  }
}
