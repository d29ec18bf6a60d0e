/// The meaning of the readings of one stream: its name, and the name, unit, scale and offset of each channel.
public struct StreamDescription: Hashable, Sendable {
  /// The name of the stream.
  public var name: String
  /// The channels, one for each value of a reading.
  public var channels: [Channel]
  /// Whether values already have scale and offset applied, so that an output writes them unchanged.
  public var isScaled = false
  /// Whether the columns of a wide file have only the names of the channels, as in a trace of another program.
  public var hasForeignColumns = false
  /// The device of the readings; nil if there is none, or if it is not known.
  public var device: Device?

  /// Describes a stream.
  public init(name: String, channels: [Channel], device: Device? = nil) {
    self.name = name
    self.channels = channels
    self.device = device
  }

  /// The device of a stream. It distinguishes two devices with the same name.
  public struct Device: Hashable, Sendable {
    /// Its file: `/dev/gpiochip0`, `/dev/iio:device0`, or the file that is polled. Its number may change at a boot.
    public var path: String?
    /// Its bus identity in sysfs: `1-0048`, `spi0.0`, `3f200000.gpio`. It does not change at a boot unless the device
    /// is connected elsewhere. Nil if it is not on a bus.
    public var bus: String?
    /// The label from the board or the driver; for GPIO the label of the chip.
    public var label: String?
    /// The name of the chip, such as `bmi160`; nil for GPIO, because its chips have only a number and a label.
    public var name: String?

    /// Describes a device.
    public init(path: String? = nil, bus: String? = nil, label: String? = nil, name: String? = nil) {
      self.path = path
      self.bus = bus
      self.label = label
      self.name = name
    }
  }

  /// A channel. The meaning of a value is `(raw + offset) * scale`, in `unit`.
  public struct Channel: Hashable, Sendable {
    /// The name of the channel.
    public var name: String
    /// The unit as the kernel or the file has it, for example `mV` or `deg/s`; nil if there is none.
    public var unit: String?
    /// The format in the device, in the kernel's notation, for example `le:s12/16>>4`; ``level`` for the level of a
    /// line; nil if there is none.
    public var format: String?
    /// The factor for a raw value after the offset was added.
    public var scale: ExactDecimal
    /// The offset of a raw value.
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
