/// The settings of lines. A setting that the installed libgpiod or the kernel does not support is refused.
public struct GPIOOptions: Hashable, Sendable {
  /// The edges to watch.
  public enum Edges: String, CaseIterable, Sendable { case both, rising, falling }
  /// The bias of a line.
  public enum Bias: String, CaseIterable, Sendable {
    case asIs = "as-is"
    case disabled
    case pullUp = "pull-up"
    case pullDown = "pull-down"
  }
  /// The drive of outputs. Open-drain lines are only pulled low, open-source lines only high.
  public enum Drive: String, CaseIterable, Sendable {
    case pushPull = "push-pull"
    case openDrain = "open-drain"
    case openSource = "open-source"
  }
  /// The clock for the times of events.
  public enum Clock: String, CaseIterable, Sendable { case monotonic, realtime, hte }

  /// The edges to watch.
  public var edges: Edges = .both
  /// The bias of the lines.
  public var bias: Bias = .asIs
  /// Whether a low level counts as 1.
  public var isActiveLow = false
  /// The shortest level that counts, in microseconds. It needs libgpiod 2.
  public var debounce: UInt32?
  /// The number of events that the kernel keeps for all lines together, 2 to 1,024. It needs libgpiod 2, where the
  /// default is 1,024. The default of the kernel is 16 per line. It takes the next power of two, and never keeps more
  /// than 1,024 (drivers/gpio/gpiolib-cdev.c, `linereq_create`).
  public var fifo: UInt32?
  /// The clock for the times of events. Any clock except monotonic needs libgpiod 2. `hte` needs a hardware
  /// timestamping engine; its times are used as if they were monotonic.
  public var clock: Clock = .monotonic
  /// Whether the first reading of each line is its level at the request, with `Reading.Flags.initialLevel`. Earlier
  /// edges are left out.
  public var hasInitialLevel = false

  /// Makes options with the defaults.
  public init() {}
}
