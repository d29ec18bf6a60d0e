import SluiceReadings

extension Spill {
  /// Counts of readings, by stream where it is known.
  struct Counts {
    /// Readings that were appended to the log.
    var spilled: [Int]
    /// Readings that the output got from the log.
    var drained: [Int]
    /// Those of them that an earlier run had left.
    var resumed: [Int]
    /// Readings that the output has got, and that stay in the log for the next run, because they are not safe: those that the
    /// output counts as written, and the others.
    var undone: (written: [Int], others: [Int])
    /// The readings of earlier runs that are still in the log.
    var earlier = 0
    /// Readings of earlier runs that could not be read.
    var earlierLost = 0
    /// Readings of this run that were appended, and could not be read.
    var lost: [Int]
    /// Readings that memory had no room for while the log took nothing.
    var dropped: [Int]
    /// The times of the first and the last of them.
    var droppedTimes: ClosedRange<Int64>?
    /// The readings of the log that the spill has flagged.
    var flagged: [StreamFlags]
    /// Readings that the log did not take at the end.
    var untaken: [Int]
    /// The times of the first and the last reading that was appended.
    var times: ClosedRange<Int64>?

    /// By stream, the readings in the log for the next run, without those of earlier runs that this run did not give to the
    /// output (``earlier``).
    var held: [Int] {
      spilled.indices.map { stream in
        spilled[stream] - (drained[stream] - resumed[stream]) - lost[stream] + undone.written[stream]
          + undone.others[stream]
      }
    }

    init(streams: Int) {
      let none = Array(repeating: 0, count: streams)
      (spilled, drained, resumed, lost, untaken, undone) = (none, none, none, none, none, (none, none))
      dropped = none
      flagged = Array(repeating: StreamFlags(), count: streams)
    }

    mutating func drop(_ readings: [Reading]) {
      for reading in readings where Int(reading.stream.index) < dropped.count {
        dropped[Int(reading.stream.index)] += 1
        let before = droppedTimes ?? reading.time...reading.time
        droppedTimes = min(before.lowerBound, reading.time)...max(before.upperBound, reading.time)
      }
    }
  }
}
