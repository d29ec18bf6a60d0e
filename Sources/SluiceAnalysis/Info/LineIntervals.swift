import SluiceReadings

/// The intervals between the edges of a line, and the widths of its levels.
///
/// A column of another program is a line as long as all its values are 0 or 1: then its edges are the readings at which
/// the value changes.
package struct LineIntervals: Sendable {
  /// False as soon as the channel has a value that is not a level.
  private(set) var isLine = true
  private(set) var edges = 0
  private let isEachAnEdge: Bool
  private var rising: IntervalDistribution
  private var falling: IntervalDistribution
  private var high: IntervalDistribution
  private var low: IntervalDistribution
  private var level: Bool?
  /// The last edge, and the last one of each kind.
  private var edge: Edge?
  private var lastRising: Edge?
  private var lastFalling: Edge?

  fileprivate struct Edge: Sendable {
    var reading: Int
    var time: Int64
  }

  /// - Parameter isEachAnEdge: Whether each reading is an edge, as those of a recorded line are.
  init(_ name: String, isEachAnEdge: Bool, _ options: DistributionOptions) {
    self.isEachAnEdge = isEachAnEdge
    func distribution(_ kind: String, _ what: IntervalDistribution.Kind) -> IntervalDistribution {
      IntervalDistribution(
        "\(name) \(kind)", what, period: options.period,
        shorterThan: what == .width ? options.shorterThan : nil)
    }
    (rising, falling) = (distribution("rising", .period), distribution("falling", .period))
    (high, low) = (distribution("high", .width), distribution("low", .width))
  }

  /// - Parameters:
  ///   - reading: The number of the reading, from 1.
  ///   - isAfterGap: Whether edges before it may be missing.
  mutating func add(_ value: ExactDecimal, reading: Int, time: Int64, isAfterGap: Bool) {
    guard isLine else { return }
    if isAfterGap || value.isMissing || edge.map({ time < $0.time }) ?? false { lose(reading, time, isAfterGap) }
    guard !value.isMissing else { return }
    let isHigh = value.significand != 0
    guard !isHigh || value.significand == 1 && value.exponent == 0 || value.approximate == 1 else {
      isLine = false
      return
    }
    defer { level = isHigh }
    if !isEachAnEdge, level == nil || level == isHigh { return }
    edges += 1
    let now = Edge(reading: reading, time: time)
    if let edge, level != isHigh {
      if isHigh {
        low.add(edge, until: time)
      } else {
        high.add(edge, until: time)
      }
    }
    if isHigh {
      if let lastRising { rising.add(lastRising, until: time) }
      lastRising = now
    } else {
      if let lastFalling { falling.add(lastFalling, until: time) }
      lastFalling = now
    }
    edge = now
  }

  private mutating func lose(_ reading: Int, _ time: Int64, _ isAfterGap: Bool) {
    if isAfterGap, let edge, time >= edge.time {
      let length = UInt64(bitPattern: time &- edge.time)
      rising.addFlagged(length, after: edge.reading, at: edge.time)
      falling.addFlagged(length, after: edge.reading, at: edge.time)
    }
    (level, edge, lastRising, lastFalling) = (nil, nil, nil, nil)
  }

  /// Those with intervals. Falling edges are shown if there are no rising ones, because both have the same period.
  var distributions: [IntervalDistribution] {
    guard isLine, edges > 0 else { return [] }
    return [rising.count > 0 ? rising : falling, high, low].filter { $0.count > 0 }
  }
}

extension IntervalDistribution {
  fileprivate mutating func add(_ edge: LineIntervals.Edge, until time: Int64) {
    add(UInt64(bitPattern: time &- edge.time), after: edge.reading, at: edge.time)
  }
}
