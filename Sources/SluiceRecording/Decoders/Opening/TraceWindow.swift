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
  /// - Throws: If a bound is a date, and the times of the trace are not, or if the end is not after the start.
  package func times(first: Int64, of path: String) throws(SluiceError) -> (lower: Int64, upper: Int64?) {
    func time(_ bound: Bound?, _ name: String) throws(SluiceError) -> Int64? {
      switch bound {
      case .at(let time)?:
        guard TraceTimes.isDate(first) else {
          throw SluiceError(
            .usage, "read a part of", OpenTrace.name([path]),
            because:
              "'\(name)' is a date, but the first time of the trace, \(seconds(first)) s, is not: dates begin in 1971",
            remedy: "give a time after the first reading, such as 10s")
        }
        return time
      // Nothing is as late as that.
      case .after(let age)?: return first.addingReportingOverflow(age).overflow ? nil : first + age
      case nil: return nil
      }
    }
    let upper = try time(to, "to")
    guard let from else { return (.min, upper) }
    guard let lower = try time(from, "from") else { return (.max, .max) }
    if let upper, upper <= lower {
      throw SluiceError(
        .usage, "read a part of", OpenTrace.name([path]),
        because: "'to' is not later than 'from'", remedy: "give the earlier time with 'from'")
    }
    return (lower, upper)
  }

  private func seconds(_ time: Int64) -> String {
    let text = "\(Double(time) / 1e9)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
