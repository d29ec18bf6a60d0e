extension TraceMetadata {
  /// What a run knew of its clock. Times are by this clock, which has no step.
  public struct Clocks: Hashable, Sendable {
    /// When the run began.
    public var began: Int64?
    /// When it ended: no reading of it has a later time. Nil for a run that was cut off.
    public var ended: Int64?
    /// What was added to the monotonic clock; nil for a replay, whose times are the trace's.
    public var offset: Int64?
    /// Whether the wall clock was synchronised when the run began; nil if the system did not say it.
    public var isSynchronised: Bool?
    /// The first 100.
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
    /// Why the clock changed.
    public enum Cause: String, Sendable {
      /// The wall clock was set.
      case set
      /// The wall clock became synchronised.
      case synchronised
      /// The machine was suspended: the clock of the run stood still.
      case suspend
    }

    /// When it was noticed.
    public var time: Int64
    /// Why the clock changed.
    public var cause: Cause
    /// What would have been added to the monotonic clock from then on.
    public var offset: Int64
    /// Nanoseconds that the machine was suspended.
    public var suspended: Int64?

    package init(time: Int64, cause: Cause, offset: Int64, suspended: Int64? = nil) {
      self.time = time
      self.cause = cause
      self.offset = offset
      self.suspended = suspended
    }
  }

  /// One start of the command, of those that have written into a file.
  public struct Run: Hashable, Sendable {
    /// Nil if nothing is known of it.
    public var clocks: Clocks?
    /// By stream, how many rows it has written; nil if it did not come to its end.
    public var written: [String: Int]?

    package init(clocks: Clocks? = nil, written: [String: Int]? = nil) {
      self.clocks = clocks
      self.written = written
    }
  }
}
