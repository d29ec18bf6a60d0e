package import SluiceReadings

/// The data of one stream of a trace in a plot: the envelope of its channels within the window, and its gaps.
package struct PlotStream: Sendable {
  package private(set) var description = StreamDescription(name: "", channels: [])
  /// The numbers of the channels that are drawn.
  package private(set) var channels: [Int] = []
  package private(set) var envelope: Envelope
  /// The intervals of the whole trace, because a window may be too short to find the rate.
  private var intervals = Intervals()
  /// The intervals of the readings in the window.
  private var shownIntervals = Intervals()
  /// The number of readings in the window.
  package private(set) var count = 0
  /// The times of the earliest and the latest reading, in the whole trace and in the window.
  package private(set) var times: ClosedRange<Int64>?
  package private(set) var shownTimes: ClosedRange<Int64>?
  package private(set) var stepsBack = 0
  package private(set) var flagged = 0
  /// The last reading before the window and the first reading after it, so that lines reach the edges.
  package private(set) var before: Reading?
  package private(set) var after: Reading?
  private var waitAfter: UInt64 = 0
  private var isFlaggedAfter = false
  private var previous: Int64?
  /// The place of each channel of the trace in the envelope; -1 if it is not drawn.
  private var places: [Int] = []
  private let window: ClosedRange<Int64>
  private let isWindow: Bool

  /// - Parameters:
  ///   - window: The window; nil for the whole trace.
  ///   - capacity: The capacity of the envelope.
  init(window: ClosedRange<Int64>?, capacity: Int) {
    self.window = window ?? .min ... .max
    isWindow = window != nil
    envelope = Envelope(channels: 0, capacity: capacity)
  }

  /// A trace from a pipe may get channels while it is read.
  mutating func describe(_ description: StreamDescription, wants: (Int) -> Bool) {
    guard description.channels.count > places.count else { return }
    self.description = description
    for channel in places.count..<description.channels.count {
      places.append(wants(channel) ? channels.count : -1)
      if wants(channel) { channels.append(channel) }
    }
    envelope.setChannels(channels.count)
  }

  package var isDrawn: Bool { !channels.isEmpty }

  mutating func add(_ reading: UnsafePointer<Reading>) {
    let time = reading.pointee.time
    Self.extend(&times, to: time)
    guard isDrawn else { return }
    let wait = previous.flatMap { time >= $0 ? UInt64(bitPattern: time &- $0) : nil }
    defer { previous = time }
    if let wait, let previous { intervals.add(wait, after: count, at: previous) }
    if isWindow, !window.contains(time) { return addOutside(reading.pointee, wait) }
    if let wait, let previous {
      if isWindow { shownIntervals.add(wait, after: count, at: previous) }
    } else if previous != nil {
      stepsBack += 1
    }
    count += 1
    Self.extend(&shownTimes, to: time)
    let isFlagged = reading.pointee.flags.contains(.gapBefore)
    if isFlagged { flagged += 1 }
    let place = envelope.place(of: time)
    if let wait { envelope.addWait(wait, isFlagged: isFlagged, until: time, at: place) }
    let values = min(reading.pointee.values.count, places.count)
    var channel = 0
    Values.forEachInline(reading, values) { value in
      add(value, channel, at: place)
      channel += 1
    }
    while channel < values {
      add(reading.pointee.values[channel], channel, at: place)
      channel += 1
    }
  }

  @inline(__always)
  private static func extend(_ range: inout ClosedRange<Int64>?, to time: Int64) {
    guard let old = range else { return range = time...time }
    if time > old.upperBound { range = old.lowerBound...time }
    if time < old.lowerBound { range = time...old.upperBound }
  }

  @inline(__always)
  private mutating func add(_ value: ExactDecimal, _ channel: Int, at place: Int) {
    guard !value.isMissing, places[channel] >= 0 else { return }
    envelope.add(value.approximate, channel: places[channel], at: place)
  }

  private mutating func addOutside(_ reading: Reading, _ wait: UInt64?) {
    if reading.time < window.lowerBound {
      before = reading
    } else if after == nil {
      after = reading
      waitAfter = wait ?? 0
      isFlaggedAfter = reading.flags.contains(.gapBefore)
    }
  }

  // MARK: Missing readings

  /// A time range in which readings are missing.
  package struct Gap: Equatable, Sendable {
    package var from: Int64
    package var to: Int64
  }

  /// The statistics of regular intervals; nil if the stream does not have a fixed rate.
  package var regular: Intervals.Regular? { description.isLine ? nil : intervals.regular }

  /// The number of gaps in the window, and the number of missing readings, if it is known.
  package var missing: (gaps: Int, readings: Int?) {
    guard let regular else { return (flagged, nil) }
    let shown = isWindow ? shownIntervals.gaps(longerThan: regular.limit, interval: regular.interval) : nil
    return shown ?? (regular.gaps, regular.missing)
  }

  /// The gaps in the order of time: intervals that are too long if the stream has a fixed rate, otherwise the gaps that
  /// the recording has flagged. If a bucket has several gaps, only the longest is included.
  package var gaps: [Gap] {
    let limit = regular?.limit
    var gaps = envelope.buckets.compactMap { Self.gap($0.waits, limit: limit) }
    if let after, let gap = gapAfter(after, limit: limit) { gaps.append(gap) }
    return gaps
  }

  static func gap(_ waits: Envelope.Waits, limit: Double?) -> Gap? {
    if let limit { return Double(waits.longest) > limit ? Gap(waits.longest, until: waits.end) : nil }
    return waits.isFlagged ? Gap(waits.longestFlagged, until: waits.endFlagged) : nil
  }

  private func gapAfter(_ after: Reading, limit: Double?) -> Gap? {
    isGapAfter(limit: limit) ? Gap(waitAfter, until: after.time) : nil
  }

  /// Whether readings are missing before the first reading after the window.
  func isGapAfter(limit: Double?) -> Bool {
    limit.map { Double(waitAfter) > $0 } ?? isFlaggedAfter
  }
}

extension PlotStream.Gap {
  fileprivate init(_ length: UInt64, until end: Int64) {
    self.init(from: end.subtractingReportingOverflow(Int64(clamping: length)).partialValue, to: end)
  }
}
