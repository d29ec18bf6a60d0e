package import SluiceReadings
import SluiceStages

/// The statistics of one stream: the number of readings, their times and intervals, and the values of each channel.
package struct StreamStatistics {
  package private(set) var description: StreamDescription
  package private(set) var count = 0
  /// The times of the earliest and the latest reading.
  package private(set) var first: Int64 = .max
  package private(set) var last: Int64 = .min
  package private(set) var intervals: Intervals
  /// The number of times that go back; these steps are not intervals.
  package private(set) var stepsBack = 0
  /// The first intervals in which the recording was restarted.
  package private(set) var restarts: [Intervals.Long] = []
  /// The number of intervals in which the recording was restarted.
  package private(set) var restartCount = 0
  /// The times of restarts that are still to come, the next one last.
  private var begins: [Int64]
  /// The number of windows of `--around` or `--while`; 0 without a channel of their numbers. Between them is no gap.
  package private(set) var windows = 0
  /// The channel with the numbers of windows.
  private var windowChannel: Int?
  private var window: ExactDecimal?
  /// The number of readings that are flagged as following a gap.
  package private(set) var flagged = 0
  package private(set) var channels: [ChannelStatistics] = []
  /// The time for which a line was high, and the time for which its level was known.
  package private(set) var high: UInt64 = 0
  package private(set) var known: UInt64 = 0
  private var time: Int64 = 0
  private var level: Bool?
  /// Whether it is a line: each reading is an edge.
  package let isLine: Bool
  /// Nil unless they are wanted.
  package private(set) var distributions: StreamDistributions?

  /// - Parameters:
  ///   - begins: The starts of the runs after the first one.
  ///   - streams: The number of streams that are looked at.
  init(
    _ description: StreamDescription, restarts begins: [Int64] = [], of streams: Int = 1,
    _ options: DistributionOptions = DistributionOptions()
  ) {
    if !options.isEmpty { distributions = StreamDistributions(description, options) }
    self.begins = begins.sorted(by: >)
    intervals = Intervals(of: streams)
    isLine = description.isLine
    self.description = description
    describe(description)
  }

  /// A trace from a pipe may get channels while it is read.
  mutating func describe(_ description: StreamDescription) {
    self.description = description
    windowChannel = description.channels.lastIndex { $0.name == WindowedStreams.channel && $0.unit == nil }
    while channels.count < description.channels.count { channels.append(ChannelStatistics()) }
    distributions?.describe(description)
  }

  mutating func add(_ reading: UnsafePointer<Reading>) {
    distributions?.add(reading)
    let time = reading.pointee.time
    // The level may have changed within the gap, so its duration is unknown.
    let isWindow = beginsWindow(reading)
    if reading.pointee.flags.contains(.gapBefore) {
      level = nil
      if !begins.isEmpty { addRestart(before: time) }
    }
    if count > 0 {
      if time < self.time {
        stepsBack += 1
      } else if isWindow {
        level = nil
      } else {
        let interval = UInt64(bitPattern: time &- self.time)
        intervals.add(interval, after: count, at: self.time)
        if let level {
          known &+= interval
          if level { high &+= interval }
        }
      }
    }
    count += 1
    self.time = time
    first = min(first, time)
    last = max(last, time)
    if reading.pointee.flags.contains(.gapBefore), !isWindow { flagged += 1 }
    let values = min(reading.pointee.values.count, channels.count)
    channels.withUnsafeMutableBufferPointer { channels in
      var index = 0
      Values.forEachInline(reading, values) { value in
        channels[index].add(value)
        index += 1
      }
      while index < values {
        channels[index].add(reading.pointee.values[index])
        index += 1
      }
    }
    if isLine { setLevel(values > 0 ? reading.pointee.values[0] : .missing) }
  }

  /// Whether a reading is the first one of a window.
  private mutating func beginsWindow(_ reading: UnsafePointer<Reading>) -> Bool {
    guard let windowChannel, windowChannel < reading.pointee.values.count else { return false }
    let number = reading.pointee.values[windowChannel]
    guard !number.isMissing, number != window else { return false }
    window = number
    windows += 1
    return true
  }

  private mutating func addRestart(before time: Int64) {
    let after = begins.count
    while let began = begins.last, began <= time { begins.removeLast() }
    guard begins.count < after, count > 0, time >= self.time else { return }
    restartCount += 1
    guard restarts.count < Intervals.kept else { return }
    restarts.append(
      Intervals.Long(length: UInt64(bitPattern: time &- self.time), reading: count, time: self.time))
  }

  private mutating func setLevel(_ value: ExactDecimal) { level = value.isMissing ? nil : value.significand != 0 }
}

extension StreamDescription {
  /// Whether the only channel is the level of a line, so that each reading is an edge.
  var isLine: Bool { channels.count == 1 && channels[0].format == Channel.level }
}
