package import SluiceReadings

extension TraceMetadata {
  /// The clock of a run. Times are by this clock, which has no step.
  public struct Clocks: Hashable, Sendable {
    /// The start of the run.
    public var began: Int64?
    /// The end of the run: no reading has a later time. Nil for a run that was cut off.
    public var ended: Int64?
    /// The offset of the run from the monotonic clock; nil for a replay, because its times come from the trace.
    public var offset: Int64?
    /// Whether the wall clock was synchronised at the start; nil if the system did not say.
    public var isSynchronised: Bool?
    /// The first 100 changes.
    public var changes: [ClockChange] = []

    package init(
      began: Int64? = nil, ended: Int64? = nil, offset: Int64? = nil, isSynchronised: Bool? = nil,
      changes: [ClockChange] = []
    ) {
      self.began = began
      self.ended = ended
      self.offset = offset
      self.isSynchronised = isSynchronised
      self.changes = changes
    }
  }

  /// A change of the clock during a run.
  public struct ClockChange: Hashable, Sendable {
    /// The cause of a change.
    public enum Cause: String, Sendable {
      /// The wall clock was set.
      case set
      /// The wall clock became synchronised.
      case synchronised
      /// The machine was suspended, so the clock of the run stopped.
      case suspend
    }

    /// The time when it was noticed.
    public var time: Int64
    /// The cause of the change.
    public var cause: Cause
    /// The right offset from the monotonic clock from then on.
    public var offset: Int64
    /// The length of the suspend, in nanoseconds.
    public var suspended: Int64?

    package init(time: Int64, cause: Cause, offset: Int64, suspended: Int64? = nil) {
      self.time = time
      self.cause = cause
      self.offset = offset
      self.suspended = suspended
    }
  }

  /// One of the runs that have written into a file.
  public struct Run: Hashable, Sendable {
    /// The clock; nil if nothing is known about it.
    public var clocks: Clocks?
    /// By stream, the number of rows written; nil if the run was cut off.
    package var rows: [ExactName: Int]?

    /// By stream, the number of rows written; nil if the run was cut off. Names that only look the same are one.
    public var written: [String: Int]? {
      rows.map { Dictionary($0.map { ($0.key.text, $0.value) }, uniquingKeysWith: &+) }
    }

    package init(clocks: Clocks? = nil, rows: [ExactName: Int]? = nil) {
      self.clocks = clocks
      self.rows = rows
    }
  }
}
