import SluiceReadings

/// One channel of a figure.
package struct PlotSeries {
  /// The values in one column of the picture.
  package struct Point: Equatable {
    /// The position on the axis, from 0, the start, to 1.
    package var position: Double
    package var extent: Extent
    /// Whether no line is drawn to it, because readings are missing before it.
    package var isAfterGap = false
  }

  package let name: String
  /// The number of its colour within its panel.
  package var colour = 0
  /// Whether it is a level, which lasts until the next reading.
  package let isLevel: Bool
  /// Whether a value lasts until the next reading, so that it is drawn as steps.
  let isHeld: Bool
  private let stream: PlotStream
  /// Its place in the envelope, and its number in the stream.
  private let place: Int
  private let number: Int
  private let scale: Double
  private let offset: Double
  private let limit: Double?
  private let times: ClosedRange<Int64>
  /// The position up to which a level is known.
  private let end: Int64

  /// - Parameters:
  ///   - place: The place of the channel in the envelope.
  ///   - times: The time range of the axis.
  ///   - end: The time of the last reading of the trace.
  ///   - isStepped: Whether all values are drawn as steps. Those of files that are polled are in any case.
  init(
    _ stream: PlotStream, place: Int, name: String, times: ClosedRange<Int64>, end: Int64, isStepped: Bool = false
  ) {
    self.stream = stream
    self.place = place
    (self.name, self.times, self.end) = (name, times, end)
    number = stream.channels[place]
    let channel = stream.description.channels[number]
    isLevel = channel.format == StreamDescription.Channel.level || stream.isNamedLevel(place)
    isHeld = isLevel || isStepped || stream.description.isPolled
    let isPlain = stream.description.isScaled || (channel.scale == .one && channel.offset.significand == 0)
    scale = isPlain ? 1 : channel.scale.approximate
    offset = isPlain ? 0 : channel.offset.approximate
    limit = stream.regular?.limit
  }

  /// The minimum and the maximum in the picture; nil if there are no values.
  package var values: ClosedRange<Double>? {
    let extents =
      stream.envelope.buckets.map { extent(in: $0) } + points(columns: 1).map(\.extent)
    let shown = extents.filter { !$0.isEmpty }
    guard let smallest = shown.map(\.smallest).min(), let largest = shown.map(\.largest).max() else { return nil }
    return smallest...largest
  }

  private func extent(in bucket: Envelope.Bucket) -> Extent {
    stream.envelope.extent(of: place, in: bucket).scaled(by: scale, offset: offset)
  }

  /// The points in the order of time: one per column with readings, and one at each edge of a window.
  ///
  /// If a bucket has readings in two columns, it is drawn in both, because nobody knows which of its values belong to
  /// which column.
  package func points(columns: Int) -> [Point] {
    var points: [Point] = []
    var last = -1
    var isAfterGap = false
    for bucket in stream.envelope.buckets {
      // A gap that is narrower than half a column cannot be seen.
      if let gap = PlotStream.gap(bucket.waits, limit: limit), width(of: gap) * Double(columns) >= 0.5 {
        isAfterGap = true
      }
      let extent = extent(in: bucket)
      guard !extent.isEmpty else { continue }
      for time in [bucket.times.lowerBound, bucket.times.upperBound] {
        let position = position(of: time)
        let column = DotCanvas.place(of: position, among: columns)
        if column != last {
          points.append(Point(position: position, extent: extent, isAfterGap: isAfterGap))
        } else if time == bucket.times.lowerBound {
          points[points.count - 1].extent.append(extent)
        }
        (last, isAfterGap) = (column, false)
      }
    }
    return edged(points)
  }

  /// The part of the picture that it covers.
  fileprivate var ink: Double {
    stream.envelope.buckets.reduce(0) { sum, bucket in
      let extent = extent(in: bucket)
      return extent.isEmpty ? sum : sum + (extent.largest - extent.smallest)
    }
  }

  // MARK: The edges of a window

  private func edged(_ points: [Point]) -> [Point] {
    var edged = points
    let start = value(of: stream.before)
    let end = value(of: stream.after)
    let isGapAfter = stream.isGapAfter(limit: limit)
    if let start, !(points.first?.isAfterGap ?? false) {
      let next = points.first.map { ($0.position, $0.extent.first) } ?? (isGapAfter ? nil : end)
      if let value = value(at: 0, from: start, to: next) { edged.insert(Point(position: 0, extent: value), at: 0) }
    }
    if isHeld {
      // A level is known up to a gap, and to the end of the trace.
      if let level = edged.last?.extent.last, !isGapAfter, self.end >= times.lowerBound {
        edged.append(Point(position: position(of: self.end), extent: Extent(level)))
      }
    } else if let end, !isGapAfter {
      let previous = points.last.map { ($0.position, $0.extent.last) } ?? start
      if let previous, let value = value(at: 1, from: previous, to: end) {
        edged.append(Point(position: 1, extent: value))
      }
    }
    return edged
  }

  /// Linear interpolation between two values.
  private func value(
    at position: Double, from start: (position: Double, value: Double), to end: (position: Double, value: Double)?
  ) -> Extent? {
    if isHeld { return Extent(start.value) }
    guard let end, end.position > start.position else { return nil }
    let part = (position - start.position) / (end.position - start.position)
    return Extent(start.value + (end.value - start.value) * part)
  }

  /// The position and the value of a reading outside of the window.
  private func value(of reading: Reading?) -> (position: Double, value: Double)? {
    guard let reading, number < reading.values.count, !reading.values[number].isMissing else { return nil }
    let distance =
      reading.time < times.lowerBound
      ? -length(times.lowerBound &- reading.time) : length(reading.time &- times.lowerBound)
    return (
      distance / length(times.upperBound &- times.lowerBound), (reading.values[number].approximate + offset) * scale
    )
  }

  // MARK: Positions

  private func length(_ difference: Int64) -> Double { Double(UInt64(bitPattern: difference)) }

  private func width(of gap: PlotStream.Gap) -> Double {
    length(gap.to &- gap.from) / length(times.upperBound &- times.lowerBound)
  }

  private func position(of time: Int64) -> Double {
    let time = min(max(time, times.lowerBound), times.upperBound)
    return length(time &- times.lowerBound) / length(times.upperBound &- times.lowerBound)
  }
}

extension Extent {
  fileprivate init(_ value: Double) { self.init(first: value, smallest: value, largest: value, last: value) }
}

extension PlotPanel {
  /// The series in the order of drawing: a series that covers more comes first, so that it does not hide the others.
  var seriesByInk: [PlotSeries] {
    series.map { ($0, $0.ink) }.enumerated().sorted { a, b in
      a.element.1 == b.element.1 ? a.offset < b.offset : a.element.1 > b.element.1
    }.map(\.element.0)
  }
}

extension StreamDescription {
  /// Whether it is read from a file again and again: a value of sysfs, a temperature. Devices with readings of their own
  /// are in /dev.
  fileprivate var isPolled: Bool { device?.path.map { !$0.hasPrefix("/dev/") } ?? false }
}

extension PlotStream {
  /// Whether the name and the values show that a channel is a level of a line. It is used for traces without metadata.
  /// The values distinguish it from the water level of a tank.
  fileprivate func isNamedLevel(_ place: Int) -> Bool {
    let channel = description.channels[channels[place]]
    guard description.channels.count == 1, channel.name == StreamDescription.Channel.level, channel.unit == nil else {
      return false
    }
    return envelope.buckets.allSatisfy { bucket in
      let extent = envelope.extent(of: place, in: bucket)
      return extent.isEmpty || [extent.smallest, extent.largest].allSatisfy { $0 == 0 || $0 == 1 }
    }
  }
}
