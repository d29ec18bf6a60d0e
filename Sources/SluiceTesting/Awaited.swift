import Sluice

/// The event that a test waits for.
enum Awaited {
  case values(Int)
  case end
  case finish
}

extension TestSubscriber.State {
  /// Whether the event has come.
  func has(_ awaited: Awaited) -> Bool {
    switch (awaited, completion) {
    case (.values(let count), _): values.count - taken >= count
    case (.end, .some), (.finish, .finished?): true
    case (.end, nil), (.finish, _): false
    }
  }

  /// The waiters whose wait is over.
  var due: [Waiter] { waiters.isEmpty ? [] : waiters.filter { completion != nil || has($0.awaited) } }

  mutating func take(_ count: Int) -> [Input] {
    precondition(count >= 0, "next takes no less than 0 values")
    defer { taken += count }
    return Array(values[taken..<taken + count])
  }

  /// The error that says why the event has not come.
  func error(_ awaited: Awaited, _ limit: Duration) -> RecordingError {
    let (what, end) =
      switch awaited {
      case .values(1): ("value \(taken + 1)", "the stream")
      case .values(let count): ("values \(taken + 1) to \(taken + count)", "the stream")
      case .end: ("the end", "the stream")
      case .finish: ("that the stream finishes", "it")
      }
    switch completion {
    case .finished?: return RecordingError(description: "awaited \(what); \(end) finished before, \(after)")
    case .failure(let error)?:
      return RecordingError(description: "awaited \(what); \(end) failed with \(error), \(after)")
    case nil: return RecordingError(description: "awaited \(what) within \(limit); \(cameUntilThen)")
    }
  }

  private var after: String { values.isEmpty ? "without a value" : "after \(list)" }

  private var cameUntilThen: String {
    if subscription == nil { return "it has no subscription" }
    if cancellation != nil { return "it was cancelled, \(after)" }
    let came = values.isEmpty ? "no value came until then" : "\(list) came until then"
    return demand == .none ? came + ", and no more were asked for" : came
  }

  /// The values, or the last ten of many.
  private var list: String {
    let shown = values.suffix(10).map { "\($0)" }.joined(separator: ", ")
    let number = values.count == 1 ? "1 value" : "\(values.count) values"
    return number + (values.count > 10 ? " (the last are \(shown))" : " (\(shown))")
  }
}
