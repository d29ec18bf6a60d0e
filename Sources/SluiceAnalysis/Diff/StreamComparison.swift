import DequeModule
import SluicePipeline
import SluiceReadings

/// Compares the readings of one stream in two traces, in the order of each trace.
///
/// A reading waits in a queue until the other trace has its next reading. If the two times differ by no more than the
/// tolerance, their values are compared. Otherwise the earlier reading is only in its trace, and the later reading
/// waits on.
struct StreamComparison {
  enum Side: Int {
    case a, b
    var other: Side { self == .a ? .b : .a }
  }

  /// One of the traces.
  private struct End {
    var description: StreamDescription?
    /// Readings that the other trace has not reached yet. At least one of the two queues is empty.
    var queue: Deque<(number: Int, reading: Reading)> = []
    /// The number of readings so far, including those outside the window.
    var number = 0
    /// The time of the last reading that was removed because the queue was full.
    var givenUp: Int64?
  }

  /// A channel of both traces.
  private struct Channel {
    let name: String
    let a: ChannelValue
    let b: ChannelValue
  }

  private(set) var differences: StreamDifferences
  private let tolerance: ValueTolerance
  private let timeTolerance: Int64
  /// The times of the readings that count; nil for all.
  private let window: Range<Int64>?
  private var ends = [End(), End()]
  private var channels: [Channel] = []

  init(_ name: String, _ tolerance: ValueTolerance, timeTolerance: Int64, window: Range<Int64>?) {
    differences = StreamDifferences(name: name)
    self.tolerance = tolerance
    self.timeTolerance = timeTolerance
    self.window = window
  }

  /// Sets the description of the stream in one trace. A trace from a pipe may change it later.
  mutating func describe(_ stream: StreamDescription, in side: Side) {
    ends[side.rawValue].description = stream
    if side == .b, !stream.name.isExactly(differences.name) { differences.nameInB = stream.name }
    guard let a = ends[0].description, let b = ends[1].description else { return }
    channels = []
    differences.channelsOnlyInA = []
    for (index, channel) in a.channels.enumerated() {
      if let other = b.channels.firstIndex(where: { $0.name.isExactly(channel.name) }) {
        channels.append(Channel(name: channel.name, a: ChannelValue(index, of: a), b: ChannelValue(other, of: b)))
      } else {
        differences.channelsOnlyInA.append(channel.name)
      }
    }
    let names = Set(a.channels.map { ExactName($0.name) })
    differences.channelsOnlyInB = b.channels.map(\.name).filter { !names.contains(ExactName($0)) }
  }

  /// - Parameters:
  ///   - limit: The number of readings that may wait for the other trace.
  ///   - waits: Whether the other trace has the stream, or may still get it.
  /// - Throws: If the reading may belong to one that was removed.
  mutating func add(_ reading: Reading, from side: Side, limit: Int, waits: Bool) throws(SluiceError) {
    ends[side.rawValue].number += 1
    let number = ends[side.rawValue].number
    if isCounted(reading.time) { count(1, in: side) }
    guard waits else { return }
    let other = side.other
    if let givenUp = ends[other.rawValue].givenUp, !isBefore(givenUp, reading.time) { throw tooFarApart(limit) }
    while let head = ends[other.rawValue].queue.first {
      if isBefore(reading.time, head.reading.time) { return unmatched(number, reading.time, in: side) }
      ends[other.rawValue].queue.removeFirst()
      if !isBefore(head.reading.time, reading.time) {
        return side == .b ? compare(head, (number, reading)) : compare((number, reading), head)
      }
      unmatched(head.number, head.reading.time, in: other)
    }
    // A reading near the window may belong to a reading in the window.
    guard isNearWindow(reading.time) else { return }
    ends[side.rawValue].queue.append((number, reading))
    guard ends[side.rawValue].queue.count > limit, let head = ends[side.rawValue].queue.popFirst() else { return }
    unmatched(head.number, head.reading.time, in: side)
    ends[side.rawValue].givenUp = max(ends[side.rawValue].givenUp ?? .min, head.reading.time)
  }

  /// Ends the comparison at the ends of both traces.
  mutating func finish() {
    differences.isInA = ends[0].description != nil
    differences.isInB = ends[1].description != nil
    for side in [Side.a, .b] {
      while let head = ends[side.rawValue].queue.popFirst() {
        unmatched(head.number, head.reading.time, in: side)
      }
    }
  }

  // MARK: Times

  /// Whether a reading is earlier by more than the tolerance.
  private func isBefore(_ a: Int64, _ b: Int64) -> Bool {
    let (distance, overflow) = b.subtractingReportingOverflow(a)
    return overflow ? a < b : distance > timeTolerance
  }

  private func isCounted(_ time: Int64) -> Bool { window?.contains(time) ?? true }

  private func isNearWindow(_ time: Int64) -> Bool {
    guard let window else { return true }
    return !isBefore(time, window.lowerBound) && !isBefore(window.upperBound, time)
  }

  // MARK: Counts

  private mutating func count(_ readings: Int, in side: Side) {
    if side == .a { differences.readingsInA += readings } else { differences.readingsInB += readings }
  }

  private mutating func unmatched(_ number: Int, _ time: Int64, in side: Side) {
    guard isCounted(time) else { return }
    let path: WritableKeyPath<StreamDifferences, StreamDifferences.Unmatched> = side == .a ? \.onlyInA : \.onlyInB
    if differences[keyPath: path].count == 0 {
      differences[keyPath: path].number = number
      differences[keyPath: path].time = time
    }
    differences[keyPath: path].count += 1
  }

  private mutating func compare(_ a: (number: Int, reading: Reading), _ b: (number: Int, reading: Reading)) {
    guard isCounted(min(a.reading.time, b.reading.time)) else { return }
    differences.greatestTimeDifference = max(
      differences.greatestTimeDifference, UInt64((a.reading.time - b.reading.time).magnitude))
    for channel in channels {
      let (x, y) = (channel.a.raw(of: a.reading), channel.b.raw(of: b.reading))
      if x == y, channel.a.isSame(as: channel.b) { continue }
      let (value, other) = (channel.a.value(x), channel.b.value(y))
      if tolerance.areSame(value, other) { continue }
      differences.values += 1
      if differences.firstValue == nil {
        differences.firstValue = StreamDifferences.Value(
          channel: channel.name, numberInA: a.number, numberInB: b.number, timeInA: a.reading.time,
          timeInB: b.reading.time, a: value?.description, b: other?.description)
      }
    }
  }

  private func tooFarApart(_ limit: Int) -> SluiceError {
    SluiceError(
      .unsupported, "compare", "the stream \(differences.name)",
      because: "readings of one time are more than \(grouped(limit)) readings apart in the two traces",
      remedy: "put both into the order of time first, with sluice convert --reorder T")
  }
}

/// The values of one channel, after scale and offset.
private struct ChannelValue {
  private let index: Int
  private let isScaled: Bool
  private let scale: ExactDecimal
  private let offset: ExactDecimal

  init(_ index: Int, of stream: StreamDescription) {
    self.index = index
    let channel = stream.channels[index]
    isScaled = !stream.isScaled && !(channel.scale == .one && channel.offset.significand == 0)
    (scale, offset) = isScaled ? (channel.scale, channel.offset) : (.one, .zero)
  }

  func isSame(as other: ChannelValue) -> Bool { scale == other.scale && offset == other.offset }

  func raw(of reading: Reading) -> ExactDecimal {
    index < reading.values.count ? reading.values[index] : .missing
  }

  /// Nil for a missing value, and for a value of more than 38 digits, which no format can hold either.
  func value(_ raw: ExactDecimal) -> WideDecimal? {
    if raw.isMissing { return nil }
    if isScaled { return raw.scaled(by: scale, offset: offset) }
    return WideDecimal(significand: Int128(raw.significand), exponent: Int(raw.exponent))
  }
}
