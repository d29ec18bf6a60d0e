/// One instant of one stream: what a sensor said, when, and whether anything is known to be missing before it.
///
/// A GPIO edge is a reading with one value; an IIO scan is one reading with all its channels, so an operator that keeps
/// or drops readings keeps or drops whole scans.
public struct Reading: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  /// Which stream it belongs to; a ``StreamDescription`` says what that is.
  public var stream: StreamID
  /// What is known about the reading beside its values.
  public var flags: Flags
  /// One value per channel of the stream, as the device gave it: before offset and scale.
  public var values: Values

  /// Makes a reading.
  @inlinable public init(time: Int64, stream: StreamID, values: Values, flags: Flags = []) {
    self.time = time
    self.stream = stream
    self.flags = flags
    self.values = values
  }

  @inlinable package static var empty: Reading { Reading(time: 0, stream: StreamID(0), values: Values()) }

  /// What a reading of so many values takes of memory; those beyond the first eight are in an array.
  package static func bytes(channels: Int) -> Int {
    let more = channels - Values.inlineCapacity
    return MemoryLayout<Reading>.stride + (more > 0 ? 32 + more * MemoryLayout<ExactDecimal>.stride : 0)
  }

  /// What is known about a reading beside its values.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// One bit per flag.
    public let rawValue: UInt8
    /// Makes flags of bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// At least one reading of this stream was lost just before this one.
    @inlinable public static var gapBefore: Flags { Flags(rawValue: 1) }
    /// The level of a line when recording began, not an edge.
    @inlinable public static var initialLevel: Flags { Flags(rawValue: 2) }
    /// It came after the merge of several sources had passed its time.
    @inlinable public static var late: Flags { Flags(rawValue: 4) }
  }
}

/// The number of a stream within one recording, from 0 in the order in which the streams were named.
public struct StreamID: Hashable, Sendable {
  /// The number, from 0.
  public var index: UInt16
  /// Makes the number of a stream.
  @inlinable public init(_ index: UInt16) { self.index = index }

  /// Of a reading that belongs to no stream, and only shows a time.
  @inlinable package static var none: StreamID { StreamID(.max) }
}
