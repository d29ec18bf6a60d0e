public import SluiceDevices
import SluiceReadings

/// The settings of sources: for one source as `key=value`, for all sources by the option of the same name. Nil members
/// are not set. A kind of source says in ``SourceKind/keys`` which of them it has.
public struct SourceSettings: Hashable, Sendable {
  // A new setting is a member here and a row in `Key`. Parsing, limits, plans, options and the schema follow from the row.

  /// The edges of GPIO lines.
  public var edges: GPIOOptions.Edges?
  /// The bias of GPIO lines.
  public var bias: GPIOOptions.Bias?
  /// Whether low is active.
  public var activeLow: Bool?
  /// The debounce time of GPIO lines. The unit of the kernel is a microsecond, in 32 bits.
  public var debounce: TimeSpan?
  /// The edges that the kernel's FIFO keeps.
  public var fifo: Int?
  /// The clock of the edges' times.
  public var eventClock: GPIOOptions.Clock?
  /// Whether a recording begins with the level of each line.
  public var initialLevel: Bool?
  /// The consumer name of GPIO lines.
  public var consumer: String?
  /// Whether the recording waits for a device that was removed.
  public var reconnect: Bool?
  /// The rate of an IIO device or of its trigger, in hertz.
  public var sampleRate: String?
  /// The trigger of an IIO device.
  public var trigger: String?
  /// The scans after which the device becomes readable.
  public var watermark: Int?
  /// The watermark as a time.
  public var latency: TimeSpan?
  /// The length of the kernel's buffer, in scans.
  public var length: Int?
  /// Whether values are written in SI units.
  public var si: Bool?

  /// Makes settings of which none is set.
  public init() {}

  // MARK: Values

  /// Sets a value of a plan, or a text behind a source.
  mutating func set(_ key: Key, to node: PlanNode) throws(Fault) { try key.setting.set(node, &self) }

  /// What a plan has for a key; nil if it is not set.
  func json(_ key: Key) -> JSON? { key.setting.json(self, SourceSettings()) }

  /// The keys that are set.
  package var keys: [Key] {
    // Without settings, a start is spared the table of them.
    self == SourceSettings() ? [] : Key.all.filter { json($0) != nil }
  }

  /// The settings of some keys only.
  package func only(_ keys: [Key]) -> SourceSettings {
    var settings = SourceSettings()
    for key in keys { key.setting.copy(self, &settings) }
    return settings
  }

  /// These settings, completed by the others.
  package func or(_ others: SourceSettings) -> SourceSettings {
    var settings = others
    // Both set the watermark, one as a number and one as a time.
    if watermark != nil || latency != nil { (settings.watermark, settings.latency) = (nil, nil) }
    for key in keys { key.setting.copy(self, &settings) }
    return settings
  }
}
