/// How lines are watched. What the installed libgpiod or the kernel cannot do is refused.
public struct GPIOOptions: Hashable, Sendable {
  /// Which edges are watched.
  public enum Edges: String, CaseIterable, Sendable { case both, rising, falling }
  /// What pulls an open line up or down.
  public enum Bias: String, CaseIterable, Sendable {
    case asIs = "as-is"
    case disabled
    case pullUp = "pull-up"
    case pullDown = "pull-down"
  }
  /// Of outputs: open-drain lines are only ever pulled low, open-source lines only high.
  public enum Drive: String, CaseIterable, Sendable {
    case pushPull = "push-pull"
    case openDrain = "open-drain"
    case openSource = "open-source"
  }
  /// The clock of the events' times.
  public enum Clock: String, CaseIterable, Sendable { case monotonic, realtime, hte }

  /// Which edges are watched.
  public var edges: Edges = .both
  /// What pulls an open line up or down.
  public var bias: Bias = .asIs
  /// Whether a low level counts as 1.
  public var isActiveLow = false
  /// How long a level must last to count, in microseconds. Needs libgpiod 2.
  public var debounce: UInt32?
  /// How many events the kernel keeps for all lines together, 2 to 1,024. Needs libgpiod 2, where it is 1,024 unless said
  /// otherwise; the kernel keeps 16 a line on its own, takes the next power of two, and never keeps more than 1,024
  /// (drivers/gpio/gpiolib-cdev.c, `linereq_create`).
  public var fifo: UInt32?
  /// What the events' times come from. Anything but monotonic needs libgpiod 2; hte needs a hardware timestamping engine,
  /// whose times are taken as if they were monotonic.
  public var clock: Clock = .monotonic
  /// Whether the first reading of each line is its level when it was requested, with
  /// `Reading.Flags.initialLevel`. Edges from before that are left out.
  public var hasInitialLevel = false

  /// Makes options with the defaults.
  public init() {}
}
