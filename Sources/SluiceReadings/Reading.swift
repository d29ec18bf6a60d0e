/// The values of one stream at one time, with flags.
///
/// A GPIO edge is a reading with one value. An IIO scan is one reading with all its channels. So an operator that keeps
/// or drops readings keeps or drops whole scans.
public struct Reading: Hashable, Sendable {
  /// Nanoseconds since the Unix epoch.
  public var time: Int64
  /// The number of its stream; a ``StreamDescription`` describes the stream.
  public var stream: StreamID
  /// Facts about the reading besides its values.
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

  /// The memory of a reading with this number of values. Values after the first eight are in an array.
  package static func bytes(channels: Int) -> Int {
    let more = channels - Values.inlineCapacity
    return MemoryLayout<Reading>.stride + (more > 0 ? 32 + more * MemoryLayout<ExactDecimal>.stride : 0)
  }

  /// Facts about a reading besides its values.
  public struct Flags: OptionSet, Hashable, Sendable {
    /// One bit per flag.
    public let rawValue: UInt8
    /// Makes flags from bits.
    @inlinable public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Readings of this stream were lost just before this one, or may have been lost.
    @inlinable public static var gapBefore: Flags { Flags(rawValue: 1) }
    /// The reading is the level of a line at the start of the recording, not an edge.
    @inlinable public static var initialLevel: Flags { Flags(rawValue: 2) }
    /// The reading came after the merge of several sources had passed its time.
    @inlinable public static var late: Flags { Flags(rawValue: 4) }
    /// The reading is the first of its stream after a restart of the recording. Nothing was recorded in between, in
    /// any stream. It also follows a gap.
    @inlinable public static var restart: Flags { Flags(rawValue: 8) }
    /// The total in this reading may be too small, because an earlier run of the recording was cut off.
    @inlinable public static var atLeast: Flags { Flags(rawValue: 16) }
    /// The time may be wrong: the wall clock, which gave it, was set at about this time, or was worse than the recording
    /// allows.
    @inlinable public static var uncertainTime: Flags { Flags(rawValue: 32) }
    /// The reading may be in the file twice: an earlier run was killed while its spill was written to the file, and
    /// nobody knows how many of these readings the file has.
    @inlinable public static var possibleDuplicate: Flags { Flags(rawValue: 64) }
    /// The reading is an edge of a line with the same level as the edge before it. An edge between them was lost, or
    /// one of the two levels is wrong, because the kernel read it late, after the next edge.
    @inlinable public static var uncertainLevel: Flags { Flags(rawValue: 128) }
  }
}

/// The number of a stream within one recording, from 0 in the order in which the streams were named.
public struct StreamID: Hashable, Sendable {
  /// The number, from 0.
  public var index: UInt16
  /// Makes the number of a stream.
  @inlinable public init(_ index: UInt16) { self.index = index }

  /// The stream of a reading that belongs to no stream, and only shows a time.
  @inlinable package static var none: StreamID { StreamID(.max) }
}
