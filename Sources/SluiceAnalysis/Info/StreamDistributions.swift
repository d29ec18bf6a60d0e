import SluiceReadings

/// The distributions of one stream: of its intervals, and of the values of its channels.
package struct StreamDistributions: Sendable {
  /// The greatest number of channels. Each needs up to 2 MB.
  static let channels = 64

  private let options: DistributionOptions
  private var description: StreamDescription
  private var readings: IntervalDistribution
  private var lines: [LineIntervals] = []
  /// The values of each channel in its unit.
  package private(set) var values: [LogLinearHistogram] = []
  private var scales: [(factor: Double, offset: Double)] = []
  private var previous: Int64?
  private var count = 0

  init(_ description: StreamDescription, _ options: DistributionOptions) {
    (self.description, self.options) = (description, options)
    readings = IntervalDistribution(description.name, .period, period: options.period)
    describe(description)
  }

  mutating func describe(_ description: StreamDescription) {
    self.description = description
    while lines.count < min(description.channels.count, Self.channels) {
      let channel = description.channels[lines.count]
      let name =
        description.hasForeignColumns
        ? channel.name : description.channels.count == 1 ? description.name : "\(description.name).\(channel.name)"
      lines.append(LineIntervals(name, isEachAnEdge: description.isLine, options))
      values.append(LogLinearHistogram())
      let isPlain = description.isScaled || (channel.scale == .one && channel.offset.significand == 0)
      scales.append(isPlain ? (1, 0) : (channel.scale.approximate, channel.offset.approximate))
    }
  }

  mutating func add(_ reading: UnsafePointer<Reading>) {
    let time = reading.pointee.time
    let isAfterGap = reading.pointee.flags.contains(.gapBefore)
    count += 1
    if options.intervals {
      if !description.isLine, let previous, time >= previous {
        let length = UInt64(bitPattern: time &- previous)
        if isAfterGap {
          readings.addFlagged(length, after: count - 1, at: previous)
        } else {
          readings.add(length, after: count - 1, at: previous)
        }
      }
      previous = time
    }
    for channel in 0..<min(reading.pointee.values.count, lines.count) {
      let value = reading.pointee.values[channel]
      if options.intervals {
        lines[channel].add(value, reading: count, time: time, isAfterGap: isAfterGap)
      }
      if options.values, !value.isMissing {
        values[channel].add((value.approximate + scales[channel].offset) * scales[channel].factor)
      }
    }
  }

  /// The distributions with intervals: of the readings, and of the lines.
  package var intervals: [IntervalDistribution] {
    let lines = lines.flatMap(\.distributions)
    // If each reading is an edge of the only channel, the intervals between readings say nothing more.
    let isOfEdges = self.lines.count == 1 && self.lines[0].isLine && self.lines[0].edges >= max(1, count - 1)
    return (isOfEdges || readings.count == 0 ? [] : [readings]) + lines
  }
}
