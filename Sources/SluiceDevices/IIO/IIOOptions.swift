/// What is asked of an IIO device's buffer.
public struct IIOOptions: Hashable, Sendable {
  /// In Hz, as sysfs takes it; nil leaves it alone.
  public var samplingFrequency: String?
  /// The name of the trigger to use; nil leaves it alone.
  public var trigger: String?
  /// Makes the trigger first, one that fires by a timer of the kernel's, and removes it in the end.
  public var makesTrigger = false
  /// Scans that the kernel keeps; by default those of two seconds, and no fewer than 1,024.
  public var length: Int?
  /// Scans that gather before they are read; by default those of ``latency``. They are read earlier where they take longer
  /// than that, and where they are half of what the kernel keeps.
  public var watermark: Int?
  /// How long a scan may wait before it is read, in nanoseconds, and at most one second; nil means 50 ms where the rate is
  /// known, and one second where there is a ``watermark``.
  public var latency: Int64?
  /// Describes the channels in units of the SI, where the kernel's are others.
  public var inSI = false

  /// Makes options with the defaults.
  public init() {}
}
