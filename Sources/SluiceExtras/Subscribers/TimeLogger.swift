import Sluice

/// Puts the time since its origin before every line, for `print(_:to:)`.
///
/// ```swift
/// readings.print("reading", to: TimeLogger())  // +0.350s: reading: receive value: (42)
/// ```
///
/// Times are in seconds, with milliseconds.
public final class TimeLogger: TextOutputStream, @unchecked Sendable {
  // The lock protects the state; the closure never changes.
  private struct State {
    var output: (any TextOutputStream)?
    var isAtLineStart = true
  }

  private let elapsed: () -> Duration
  private let state: Locked<State>

  /// - Parameters:
  ///   - elapsed: Returns the time since the origin.
  ///   - output: Receives the lines; nil for standard output.
  public init(elapsed: @escaping () -> Duration, output: (any TextOutputStream)? = nil) {
    self.elapsed = elapsed
    state = Locked(State(output: output))
  }

  /// Makes a logger whose origin is now.
  public convenience init(output: (any TextOutputStream)? = nil) {
    let origin = ContinuousClock.now
    self.init(elapsed: { ContinuousClock.now - origin }, output: output)
  }

  /// Writes a text, with the time before it.
  public func write(_ string: String) {
    let state = state.withLock { state in
      let before = state
      if let last = string.last { state.isAtLineStart = last == "\n" }
      return before
    }
    guard !string.isEmpty else { return }
    let text = (state.isAtLineStart ? prefix : "") + string
    if var output = state.output {
      output.write(text)
      // The former output is taken out under the lock, and released after the lock.
      var copy: (any TextOutputStream)? = output
      self.state.withLock { swap(&$0.output, &copy) }
    } else {
      Swift.print(text, terminator: "")
    }
  }

  private var prefix: String {
    let (seconds, attoseconds) = elapsed().components
    let milliseconds = String(attoseconds / 1_000_000_000_000_000)
    return "+\(seconds).\(String(repeating: "0", count: 3 - milliseconds.count) + milliseconds)s: "
  }
}
