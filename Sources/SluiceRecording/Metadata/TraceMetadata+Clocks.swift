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
    /// The errors of the wall clock at the start and at the end; nil if they are not known.
    public var errors, errorsAtEnd: ClockErrors?
    /// The times in which the wall clock may have been wrong by more than the recording allowed. If there were more than
    /// 100, the last one covers all later ones.
    public var excesses: [ClockExcess] = []
    /// The number of such times in the run, which may be more than ``excesses`` has.
    public var excessCount = 0

    package init(
      began: Int64? = nil, ended: Int64? = nil, offset: Int64? = nil, isSynchronised: Bool? = nil,
      changes: [ClockChange] = [], errors: ClockErrors? = nil, errorsAtEnd: ClockErrors? = nil,
      excesses: [ClockExcess] = [], excessCount: Int? = nil
    ) {
      self.began = began
      self.ended = ended
      self.offset = offset
      self.isSynchronised = isSynchronised
      self.changes = changes
      (self.errors, self.errorsAtEnd, self.excesses) = (errors, errorsAtEnd, excesses)
      self.excessCount = max(excessCount ?? 0, excesses.count)
    }
  }

  /// How far the wall clock may be wrong, in nanoseconds, as adjtimex(2) says it.
  public struct ClockErrors: Hashable, Sendable {
    /// The greatest error. The kernel lets it grow until the clock is synchronised again, but to 16 s at most. At 16 s
    /// the clock is not synchronised, and may be wrong by any amount.
    public var greatest: Int64
    /// The error as what synchronises the clock estimates it.
    public var estimated: Int64

    package init(greatest: Int64, estimated: Int64) { (self.greatest, self.estimated) = (greatest, estimated) }

    /// The greatest error of a clock that nothing synchronises (`NTP_PHASE_LIMIT` of the kernel). It is no bound.
    package static let unsynchronised: Int64 = 16_000_000_000
  }

  /// What the system says about its wall clock.
  package struct ClockQuality: Equatable, Sendable {
    package var isSynchronised: Bool
    package var errors: ClockErrors

    package init(isSynchronised: Bool, maxError: Int64, estimatedError: Int64) {
      self.isSynchronised = isSynchronised
      // A service may say that the clock is not synchronised, and leave any number as its greatest error.
      let greatest = isSynchronised ? maxError : max(maxError, ClockErrors.unsynchronised)
      errors = ClockErrors(greatest: greatest, estimated: estimatedError)
    }
  }

  /// A time in which the wall clock may have been wrong by more than the recording allowed.
  public struct ClockExcess: Hashable, Sendable {
    /// When it was last known to be good, or the start of the run.
    public var from: Int64
    /// When it was good again; nil if it was not until the end.
    public var to: Int64?
    /// The greatest error in this time, in nanoseconds.
    public var greatest: Int64

    package init(from: Int64, to: Int64? = nil, greatest: Int64) {
      (self.from, self.to, self.greatest) = (from, to, greatest)
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
    /// The errors of the wall clock after the change; nil if they are not known.
    public var errors: ClockErrors?

    package init(
      time: Int64, cause: Cause, offset: Int64, suspended: Int64? = nil, errors: ClockErrors? = nil
    ) {
      self.time = time
      self.cause = cause
      self.offset = offset
      self.suspended = suspended
      self.errors = errors
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
