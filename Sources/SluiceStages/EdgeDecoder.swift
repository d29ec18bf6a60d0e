public import SluiceReadings

/// A change of the level of a line, or its initial level.
public struct Edge: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  /// Whether the line is high after the edge.
  public var isHigh: Bool
  /// Whether it is the initial level, and not a change.
  public var isInitial: Bool
  /// Whether edges were lost just before it, or may have been lost.
  public var isAfterGap: Bool

  /// Makes an edge.
  @inlinable public init(time: Int64, isHigh: Bool, isInitial: Bool = false, isAfterGap: Bool = false) {
    self.time = time
    self.isHigh = isHigh
    self.isInitial = isInitial
    self.isAfterGap = isAfterGap
  }
}

/// A state machine that makes values from the edges of one line.
///
/// ``LineProcessor`` gives each line a copy.
public protocol EdgeDecoder: Sendable {
  /// The channels of the values that it makes.
  var channels: [StreamDescription.Channel] { get }

  /// Takes the next edge of the line.
  mutating func receive(_ edge: Edge, into outputs: inout EdgeOutputs)
  /// Adds the last values at the end of the trace.
  mutating func finish(into outputs: inout EdgeOutputs)
}

extension EdgeDecoder {
  /// By default, the end adds no values.
  public mutating func finish(into outputs: inout EdgeOutputs) {}
}

/// Collects the readings that an ``EdgeDecoder`` makes.
public struct EdgeOutputs {
  @usableFromInline var stream = StreamID(0)
  /// Whether an edge may be missing since the last output of the line.
  @usableFromInline var isAfterGap = false
  /// The flags of each reading.
  @usableFromInline var flags: Reading.Flags = []
  @usableFromInline var readings: [Reading] = []

  /// Adds a reading.
  /// - Parameter values: One value per channel of the decoder.
  @inlinable public mutating func append(time: Int64, _ values: Values) {
    readings.append(
      Reading(time: time, stream: stream, values: values, flags: isAfterGap ? flags.union(.gapBefore) : flags))
    isAfterGap = false
  }

  /// Flags the next reading as the first after a gap. Call it if the edges show that one of them is missing or wrong.
  @inlinable public mutating func markGap() { isAfterGap = true }
}
