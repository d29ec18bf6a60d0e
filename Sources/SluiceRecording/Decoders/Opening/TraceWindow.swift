package import SluiceReadings

/// The part of a trace that is read, from one moment to another.
///
/// ```swift
/// let trace = try TraceReader(path: "walk.csv")
/// let minute = TraceWindow(from: .after(0), to: .after(60_000_000_000))
/// let readings = Publishers.Replay(trace, window: minute)
/// ```
public struct TraceWindow: Hashable, Sendable {
  /// A moment in a trace.
  public enum Bound: Hashable, Sendable {
    /// Nanoseconds after the first reading.
    case after(Int64)
    /// A date, in nanoseconds since 1970. A trace whose times are not dates is refused.
    case at(Int64)
  }

  /// The first moment; nil also takes readings with a time before that of the first one.
  public var from: Bound?
  /// The first moment that is not read; nil for the end of the trace.
  public var to: Bound?

  /// Makes a window; without bounds it is the whole trace.
  public init(from: Bound? = nil, to: Bound? = nil) {
    self.from = from
    self.to = to
  }

  /// The times of the window, in nanoseconds. The last one is not part of it, if there is one.
  /// - Parameters:
  ///   - first: The time of the first reading.
  ///   - path: The name of the trace, for the error.
  /// - Throws: If a bound is a date, and the times of the trace are not.
  package func times(first: Int64, of path: String) throws(SluiceError) -> (lower: Int64, upper: Int64?) {
    func time(_ bound: Bound?, _ name: String) throws(SluiceError) -> Int64? {
      switch bound {
      case .at(let time)?:
        guard TraceTimes.isDate(first) else {
          throw SluiceError(
            .usage, "read a part of", path, because: "its times are not dates, but '\(name)' is a date",
            remedy: "give a time after its first reading, such as 10s")
        }
        return time
      case .after(let age)?:
        let (time, overflow) = first.addingReportingOverflow(age)
        return overflow ? .max : time
      case nil: return nil
      }
    }
    return (try time(from, "from") ?? .min, try time(to, "to"))
  }
}
