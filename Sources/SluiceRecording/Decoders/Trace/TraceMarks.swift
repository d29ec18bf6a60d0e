public import SluiceReadings

/// Sets the flags of readings from the times that the metadata of the trace lists.
public struct TraceMarks {
  /// Sorted times of gaps, and the number of times already passed.
  private struct Gaps {
    private var times: [Int64]
    private var next = 0

    init(_ times: [Int64]) { self.times = times.sorted() }

    /// The times that are not passed.
    var left: ArraySlice<Int64> { times[next...] }

    /// - Returns: The number of times passed in this call.
    mutating func pass(while isPassed: (Int64) -> Bool) -> Int {
      let before = next
      while next < times.count, isPassed(times[next]) { next += 1 }
      return next - before
    }
  }

  /// Times of readings with exactly these times, and how often each time is listed. The readings may come in any order,
  /// because some are late, and because the clock may have been set back between two runs.
  private struct Exact {
    private(set) var counts: [Int64: Int] = [:]

    init(_ times: [Int64]) { for time in times { counts[time, default: 0] += 1 } }

    var count: Int { counts.reduce(0) { $0 + $1.value } }

    /// - Returns: Whether the time was listed, and not taken before.
    mutating func take(_ time: Int64) -> Bool {
      guard !counts.isEmpty, let count = counts[time] else { return false }
      counts[time] = count > 1 ? count - 1 : nil
      return true
    }

    var times: [Int64] { counts.flatMap { Array(repeating: $0.key, count: $0.value) } }
  }

  /// The times of each stream.
  private var gaps: [Gaps]
  /// For each other flag, the times of each stream.
  private var others: [(flag: Reading.Flags, times: [Exact])]
  private var left: Int
  private let rowsHaveFlags: Bool

  /// - Parameter rowsHaveFlags: Whether each row has its own flags. Then a listed time is used only for a reading that
  ///   is not in the file, because the recording left it out.
  public init(_ metadata: TraceMetadata?, _ streams: [StreamDescription], rowsHaveFlags: Bool = false) {
    func times(_ flagged: [FlaggedReadings]?) -> [[Int64]] {
      let named = Dictionary(grouping: flagged ?? [], by: { ExactName($0.stream) })
      return streams.map { stream in (named[ExactName(stream.name)] ?? []).flatMap(\.times) }
    }
    self.rowsHaveFlags = rowsHaveFlags
    let whole =
      rowsHaveFlags ? Set((metadata?.ledger ?? []).lazy.filter { !$0.leavesOut }.map { ExactName($0.stream) }) : []
    gaps = times(metadata?.gapBefore?.filter { !whole.contains(ExactName($0.stream)) }).map { Gaps($0) }
    let lists: [(Reading.Flags, [FlaggedReadings]?)] = [
      (.initialLevel, metadata?.initialLevel), (.late, metadata?.late), (.uncertainTime, metadata?.uncertainTime),
      (.possibleDuplicate, metadata?.possibleDuplicate), (.uncertainLevel, metadata?.uncertainLevel),
    ]
    others = lists.map { flag, list in (flag, times(rowsHaveFlags ? nil : list).map { Exact($0) }) }
    left = 0
    count()
  }

  private mutating func count() {
    left = gaps.reduce(0) { $0 + $1.left.count } + others.flatMap(\.times).reduce(0) { $0 + $1.count }
  }

  /// Flags the readings that follow those of the last call.
  public mutating func flag(_ readings: UnsafeMutableBufferPointer<Reading>) {
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
      left -= passed
      for place in others.indices where others[place].times[stream].take(time) {
        readings[index].flags.insert(others[place].flag)
        left -= 1
      }
    }
  }

  /// Adds the listed times whose readings were not in the part before.
  ///
  /// A recording notes a flag when it receives the reading, and the row may be in a later part.
  /// - Parameter places: For each stream of that part, its number in these marks.
  mutating func add(_ earlier: TraceMarks, at places: [Int]) {
    guard earlier.left > 0 else { return }
    for (stream, place) in places.enumerated() where stream < earlier.gaps.count {
      while gaps.count <= place {
        gaps.append(Gaps([]))
        for index in others.indices { others[index].times.append(Exact([])) }
      }
      gaps[place] = Gaps(Array(gaps[place].left) + earlier.gaps[stream].left)
      for index in others.indices {
        let (before, times) = (earlier.others[index].times[stream].times, others[index].times[place].times)
        others[index].times[place] = Exact(times + before)
      }
    }
    count()
  }

  /// The same marks with other times.
  func mapped(_ time: (Int64) -> Int64) -> TraceMarks {
    var mapped = self
    mapped.gaps = gaps.map { Gaps($0.left.map(time)) }
    mapped.others = others.map { flag, times in (flag, times.map { Exact($0.times.map(time)) }) }
    return mapped
  }
}
