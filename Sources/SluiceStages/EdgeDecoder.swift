public import SluiceReadings

/// A change of a line's level, or the level that it had at the beginning.
public struct Edge: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  /// Whether the line is high from now on.
  public var isHigh: Bool
  /// It tells the level at the beginning, and is no change.
  public var isInitial: Bool
  /// At least one edge was lost before it.
  public var isAfterGap: Bool

  /// Makes an edge.
  @inlinable public init(time: Int64, isHigh: Bool, isInitial: Bool = false, isAfterGap: Bool = false) {
    self.time = time
    self.isHigh = isHigh
    self.isInitial = isInitial
    self.isAfterGap = isAfterGap
  }
}

/// A state machine that makes values of the edges of one line.
///
/// ``LineProcessor`` gives each line a copy.
public protocol EdgeDecoder: Sendable {
  /// One for each of the values that it makes.
  var channels: [StreamDescription.Channel] { get }

  /// Takes the next edge of the line.
  mutating func receive(_ edge: Edge, into outputs: inout EdgeOutputs)
  /// The trace has ended.
  mutating func finish(into outputs: inout EdgeOutputs)
}

extension EdgeDecoder {
  /// By default the end makes no values.
  public mutating func finish(into outputs: inout EdgeOutputs) {}
}

/// Where an ``EdgeDecoder`` puts what it makes.
public struct EdgeOutputs {
  @usableFromInline var stream = StreamID(0)
  /// An edge was lost since the last output of the line.
  @usableFromInline var isAfterGap = false
  @usableFromInline var readings: [Reading] = []

  /// Adds a reading.
  /// - Parameter values: One for each channel of the decoder.
  @inlinable public mutating func append(time: Int64, _ values: Values) {
    readings.append(Reading(time: time, stream: stream, values: values, flags: isAfterGap ? .gapBefore : []))
    isAfterGap = false
  }

  /// The next reading says that a gap is before it, because the edges show that one of them was lost.
  @inlinable public mutating func markGap() { isAfterGap = true }
}
