/// The settings of the buffer of an IIO device.
public struct IIOOptions: Hashable, Sendable {
  /// The rate in Hz, as sysfs takes it; nil to keep it.
  public var samplingFrequency: String?
  /// The name of the trigger; nil to keep it.
  public var trigger: String?
  /// Whether to create the trigger first, with a timer of the kernel, and to remove it at the end.
  public var makesTrigger = false
  /// The number of scans that the kernel keeps. The default is two seconds of scans, and at least 1,024.
  public var length: Int?
  /// The watermark in scans. The default is the number that ``latency`` allows. Scans are read earlier if the watermark
  /// takes longer than that, or is more than half of the buffer.
  public var watermark: Int?
  /// The longest time that a scan may wait before it is read, in nanoseconds, at most one second. Nil is 50 ms if the
  /// rate is known, and one second with a ``watermark``.
  public var latency: Int64?
  /// Whether values are converted to SI units; otherwise they have the units of the kernel.
  public var inSI = false

  /// Makes options with the defaults.
  public init() {}
}
