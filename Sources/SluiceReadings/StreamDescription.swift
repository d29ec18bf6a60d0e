/// What the readings of one stream mean: its name, and for each channel name, unit, scale and offset.
public struct StreamDescription: Hashable, Sendable {
  /// The name of the stream.
  public var name: String
  /// One for each value of a reading.
  public var channels: [Channel]
  /// Values have scale and offset applied already: a sink prints them as they are.
  public var isScaled = false
  /// A wide file names its columns by the channels alone, as the trace had them that they come from.
  public var hasForeignColumns = false
  /// Where they come from; nil if that is no device, or not known.
  public var device: Device?

  /// Describes a stream.
  public init(name: String, channels: [Channel], device: Device? = nil) {
    self.name = name
    self.channels = channels
    self.device = device
  }

  /// The device that readings come from, so that two of one name can be told apart.
  public struct Device: Hashable, Sendable {
    /// Its file: `/dev/gpiochip0`, `/dev/iio:device0`, or the one that is polled. Its number may be another after a boot.
    public var path: String?
    /// What it is connected to, as sysfs names it: `1-0048`, `spi0.0`, `3f200000.gpio`. It stays the same over a boot as
    /// long as the device stays where it is. Nil where it is on no bus.
    public var bus: String?
    /// What the board or its driver calls it; for GPIO the chip's label.
    public var label: String?
    /// The name of the chip, `bmi160`; nil for GPIO, whose chips have only a number and a label.
    public var name: String?

    /// Names a device.
    public init(path: String? = nil, bus: String? = nil, label: String? = nil, name: String? = nil) {
      self.path = path
      self.bus = bus
      self.label = label
      self.name = name
    }
  }

  /// One channel: a reading's value for it means `(raw + offset) * scale`, in `unit`.
  public struct Channel: Hashable, Sendable {
    /// The name of the channel.
    public var name: String
    /// The kernel's or the file's own name of the unit, for example `mV` or `deg/s`; nil where there is none.
    public var unit: String?
    /// How the device stored it, in the kernel's notation, for example `le:s12/16>>4`; ``level`` for the level of a line;
    /// nil where it does not apply.
    public var format: String?
    /// What a raw value is multiplied by, after the offset is added.
    public var scale: ExactDecimal
    /// What is added to a raw value.
    public var offset: ExactDecimal

    /// The ``format`` of the level of a line: 0 or 1.
    public static let level = "level"

    /// Describes a channel.
    public init(
      name: String, unit: String? = nil, format: String? = nil, scale: ExactDecimal = .one, offset: ExactDecimal = .zero
    ) {
      self.name = name
      self.unit = unit
      self.format = format
      self.scale = scale
      self.offset = offset
    }
  }
}
