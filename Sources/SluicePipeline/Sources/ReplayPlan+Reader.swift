import SluiceReadings
import SluiceRecording

extension ReplayPlan {
  /// Opens the traces as one.
  /// - Parameters:
  ///   - changes: Mostly ``changes``, which counts what it does.
  ///   - warn: Called with each sentence that the user should know of.
  ///   - isInterrupted: Asked while a header is waited for.
  func reader(
    _ changes: OpenTrace.Changes, warn: @escaping @Sendable (String) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) -> TraceReader {
    let reader = try TraceReader(
      paths: files, format: format, times: times, skipsBad: skipsBad, kinds: Traces.all, opens: scans?.opener,
      compressions: Compressions.all, changes: changes, warn: warn, isInterrupted: isInterrupted)
    if times == .corrected {
      let name = OpenTrace.name(files)
      let none = "no time of \(name) is corrected, because it has no metadata"
      if let sentence = reader.metadata.map({ $0.notCorrected(name) }) ?? none { warn(sentence) }
    }
    return reader
  }

  /// A loop has the window in each round.
  var changes: OpenTrace.Changes {
    OpenTrace.Changes(
      reorder: reorder?.nanoseconds, select: select,
      loop: loop == .once ? nil : TraceLoop(rounds: loop.count, window: window))
  }

  /// Nil for the whole trace, also readings earlier than the first one.
  var window: Range<Int64>? {
    guard start != nil || duration != nil else { return nil }
    let from = start?.nanoseconds ?? 0
    let (to, overflow) = from.addingReportingOverflow(duration?.nanoseconds ?? .max)
    return (start == nil ? .min : from)..<(overflow ? .max : to)
  }
}
