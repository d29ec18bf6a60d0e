import SluiceDevices
public import SluiceReadings

/// The layout of a binary dump of an IIO buffer, as `iio_readdev` or `cat /dev/iio:device0` write it.
///
/// ```swift
/// let scans = try RawScans("accel_x=le:s12/16>>4 *0.0005 m/s^2, timestamp=le:s64/64>>0")
/// ```
///
/// The channels are in the order of their scan indices, each as `NAME=TYPE [+OFFSET] [*SCALE] [UNIT]`. A type is the
/// content of `scan_elements/in_accel_x_type`. Channels are aligned and padded as in the kernel.
public struct RawScans: Hashable, Sendable {
  /// The text of the channels, as the user wrote it.
  public let layout: String
  /// Scans per second, as the user wrote it; nil if there is a channel `timestamp`.
  public let sampleRate: String?

  /// The channels of a reading. A channel with repetition has one per element.
  let channels: [StreamDescription.Channel]
  let scan: ScanLayout
  /// Nil if scans have a timestamp.
  let clock: ScanClock?

  /// The channel with the time, in nanoseconds.
  private static let timestamp = "timestamp"

  /// - Throws: The fault, in a sentence.
  public init(_ layout: String, sampleRate: String? = nil) throws(SluiceError) {
    self.layout = layout
    self.sampleRate = sampleRate
    var channels: [StreamDescription.Channel] = []
    var formats: [(index: Int, format: ScanFormat)] = []
    var timestamp: (index: Int, format: ScanFormat)?
    for (index, text) in layout.split(separator: ",", omittingEmptySubsequences: false).enumerated() {
      let channel = try ScanChannel(String(text))
      if channel.name == Self.timestamp {
        guard timestamp == nil, channel.isPlain else {
          throw ScanChannel.error("\"timestamp\" may appear once, without scale, offset, unit or repetition")
        }
        timestamp = (index, channel.format)
      } else {
        formats.append((index, channel.format))
        channels += channel.elements
        // The count is checked early, because parsing very many channels takes long.
        guard channels.count <= Values.capacity else {
          throw ScanChannel.error("it has more than \(Values.capacity) values in a scan")
        }
      }
    }
    guard !channels.isEmpty else { throw ScanChannel.error("it has no channel except the timestamp") }
    var names: Set<String> = []
    for channel in channels where !names.insert(channel.name).inserted {
      throw ScanChannel.error("two of its channels are called \(channel.name)")
    }
    self.channels = channels
    scan = ScanLayout(channels: formats, timestamp: timestamp)
    clock = try Self.clock(sampleRate, hasTimestamp: timestamp != nil)
  }

  private static func clock(_ rate: String?, hasTimestamp: Bool) throws(SluiceError) -> ScanClock? {
    guard let rate else {
      if hasTimestamp { return nil }
      throw ScanChannel.error("it has no channel timestamp", remedy: "give --sample-rate, such as 400")
    }
    guard !hasTimestamp else {
      throw ScanChannel.error("it has the channel timestamp", remedy: "leave out --sample-rate")
    }
    guard let clock = ExactDecimal(rate).flatMap({ ScanClock(rate: $0) }) else {
      throw SluiceError(
        .usage, "take", "--sample-rate \(rate)", because: "it is not a rate in hertz",
        remedy: "give one such as 400 or 12.5")
    }
    return clock
  }
}
