import SluiceLog
import SluiceReadings

/// Finds the readings that are not the first of their stream with their time. It is a value of a fixed size for each stream.
///
/// It remembers the last ``most`` times of each stream. A reading that is older than all of these may have a time that was
/// forgotten. It gets a number of its own, so that it can never be taken for another reading.
///
/// A clock that was set back, or a board without one, gives a run times that an earlier run had. Such readings get numbers of
/// their run: the same one for all that have different times, so that a server does not get a series for each.
struct EqualTimes {
  /// The number of times that are remembered for each stream.
  static let most = 512
  /// The first ordinal of readings whose time may have been forgotten.
  static let firstLate: UInt32 = 1 << 20
  /// The first ordinal of readings whose time an earlier run may have had.
  static let firstOfRuns: UInt32 = 1 << 31
  /// The bits of the ordinals within a run.
  static let bitsOfRun: UInt32 = 12

  fileprivate struct Stream {
    var times: [(time: Int64, count: UInt32)] = []
    /// The place in `times` of the oldest, once it is full.
    var oldest = 0
    /// The place of the time that came last.
    var last = 0
    var latest = Int64.min
    /// The latest time that was forgotten.
    var forgotten = Int64.min
  }

  private var streams: [Stream] = []
  /// By stream, the latest time of earlier runs.
  private var earlier: [Int64]
  private let run: UInt32

  /// - Parameters:
  ///   - earlier: By stream, the latest time that an earlier run had; empty if nobody knows, or if it has the same readings.
  ///   - run: The number of this run.
  init(after earlier: [Int64] = [], run: UInt32 = 0) { (self.earlier, self.run) = (earlier, run) }

  /// The ordinals of readings, in the order in which they came.
  /// - Parameter first: The sequence number of the first of them.
  mutating func ordinals(of readings: [Reading], first: UInt64) -> ReadingOrdinals {
    var ordinals = ReadingOrdinals()
    for (place, reading) in readings.enumerated() {
      let stream = Int(reading.stream.index)
      while streams.count <= stream { streams.append(Stream()) }
      let ordinal = streams[stream].ordinal(of: reading.time, number: first &+ UInt64(place))
      let isNew = stream >= earlier.count || reading.time > earlier[stream]
      ordinals.add(isNew ? ordinal : ofRun(ordinal), at: place)
    }
    return ordinals
  }

  private func ofRun(_ ordinal: UInt32) -> UInt32 {
    // A late reading has a number of its own already.
    guard ordinal < 1 << Self.bitsOfRun else { return ordinal }
    return Self.firstOfRuns | (run << Self.bitsOfRun & (Self.firstOfRuns - 1)) | ordinal
  }
}

extension EqualTimes.Stream {
  mutating func ordinal(of time: Int64, number: UInt64) -> UInt32 {
    if time > latest || times.isEmpty {
      latest = time
      remember(time)
      return 0
    }
    if let place = times[last].time == time ? last : times.firstIndex(where: { $0.time == time }) {
      defer { times[place].count &+= 1 }
      return times[place].count
    }
    guard time <= forgotten else {
      remember(time)
      return 0
    }
    // The sequence numbers go on over all runs with this spool.
    let room = UInt64(EqualTimes.firstOfRuns - EqualTimes.firstLate)
    return EqualTimes.firstLate + UInt32(number % room)
  }

  private mutating func remember(_ time: Int64) {
    guard times.count == EqualTimes.most else {
      last = times.count
      return times.append((time, 1))
    }
    forgotten = max(forgotten, times[oldest].time)
    times[oldest] = (time, 1)
    last = oldest
    oldest = (oldest + 1) % EqualTimes.most
  }
}
