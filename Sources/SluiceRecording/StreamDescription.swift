/// What the readings of one stream mean: its name, and for each channel name, unit, scale and offset.
public struct StreamDescription: Hashable, Sendable {
  public var name: String
  public var channels: [Channel]
  /// Where the readings come from; nil where that is not known.
  public var device: Device?
  /// Values have scale and offset applied already; a sink prints them as they are.
  public var isScaled = false
  /// A wide file names its columns by the channels alone, as the trace had them.
  public var hasForeignColumns = false

  public init(name: String, channels: [Channel]) {
    self.name = name
    self.channels = channels
  }

  /// A device, so far as the system tells one from another.
  public struct Device: Hashable, Sendable {
    public var path: String?
    public var bus: String?
    public var label: String?
    public var name: String?

    public init(path: String? = nil, bus: String? = nil, label: String? = nil, name: String? = nil) {
      self.path = path
      self.bus = bus
      self.label = label
      self.name = name
    }
  }

  /// One channel: a reading's value for it means `(raw + offset) * scale`, in `unit`.
  public struct Channel: Hashable, Sendable {
    public var name: String
    /// The kernel's or the file's own name of the unit, for example `mV` or `deg/s`; nil where there is none.
    public var unit: String?
    /// How the device stored it, in the kernel's notation, for example `le:s12/16>>4`; nil where it does not apply.
    public var format: String?
    public var scale: ExactDecimal
    public var offset: ExactDecimal

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
