/// Where a trace keeps its time, and in which unit.
public struct TraceFormat: Hashable, Sendable {
  /// A unit of time; its raw value is how it is written.
  public enum Unit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"

    /// Nanoseconds are ten to this power times smaller.
    var power: Int {
      switch self {
      case .seconds: 9
      case .milliseconds: 6
      case .microseconds: 3
      case .nanoseconds: 0
      }
    }
  }

  /// The column that has the time.
  public var timeColumn: String
  /// The unit of the time.
  public var timeUnit: Unit

  /// Makes a format; by default that of recordings.
  public init(timeColumn: String = "time_ns", timeUnit: Unit = .nanoseconds) {
    self.timeColumn = timeColumn
    self.timeUnit = timeUnit
  }
}
