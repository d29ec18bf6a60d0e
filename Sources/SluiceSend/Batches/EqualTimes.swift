import SluiceLog
import SluiceReadings

/// Finds the readings that are not the first of their stream with their time. It is a value of a fixed size for each stream.
///
/// It remembers the last ``most`` times of each stream. A reading that is older than all of these may have a time that was
/// forgotten. It gets a number of its own, so that it can never be taken for another reading.
struct EqualTimes {
  /// The number of times that are remembered for each stream.
  static let most = 512
  /// The first ordinal of readings whose time may have been forgotten.
  static let firstLate: UInt32 = 1 << 20

  fileprivate struct Stream {
    var times: [(time: Int64, count: UInt32)] = []
    /// The place in `times` of the oldest, once it is full.
    var oldest = 0
    /// The place of the time that came last.
    var last = 0
    var latest = Int64.min
    /// The latest time that was forgotten.
    var forgotten = Int64.min
    var lateCount: UInt32 = 0
  }

  private var streams: [Stream] = []

  /// The ordinals of readings, in the order in which they came.
  mutating func ordinals(of readings: [Reading]) -> ReadingOrdinals {
    var ordinals = ReadingOrdinals()
    for (place, reading) in readings.enumerated() {
      let stream = Int(reading.stream.index)
      while streams.count <= stream { streams.append(Stream()) }
      ordinals.add(streams[stream].ordinal(of: reading.time), at: place)
    }
    return ordinals
  }
}

extension EqualTimes.Stream {
  mutating func ordinal(of time: Int64) -> UInt32 {
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
    defer { lateCount &+= 1 }
    return EqualTimes.firstLate &+ lateCount
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
