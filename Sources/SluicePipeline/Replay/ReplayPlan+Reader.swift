package import SluiceReadings
package import SluiceRecording

extension ReplayPlan {
  /// Opens the traces as one trace.
  /// - Parameters:
  ///   - changes: ``changes`` of this plan. They count the late readings, so the caller keeps them.
  ///   - warn: Called with messages for the user.
  ///   - isInterrupted: Asked during the wait for a header.
  package func reader(
    _ changes: OpenTrace.Changes, warn: @escaping @Sendable (String) -> Void,
    isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(SluiceError) -> TraceReader {
    let reader = try TraceReader(
      paths: files, format: format, times: times, skipsBad: skipsBad, kinds: Traces.all,
      opens: scans?.opener ?? lines.map { LineTrace.opener($0) },
      compressions: Compressions.all, changes: changes, warn: warn, isInterrupted: isInterrupted)
    if times == .corrected {
      let name = OpenTrace.name(files)
      let none = "no time of \(name) is corrected, because it has no metadata"
      if let sentence = reader.metadata.map({ $0.notCorrected(name) }) ?? none { warn(sentence) }
    }
    for sentence in WaitingSpill.sentences(files, reader.metadata?.plan) { warn(sentence) }
    return reader
  }

  /// The changes to the trace during the read. A loop applies the window in each round.
  package var changes: OpenTrace.Changes {
    var changes = OpenTrace.Changes(
      reorder: reorder?.nanoseconds, select: select,
      loop: loop == .once ? nil : TraceLoop(rounds: loop.count, window: window))
    changes.startsTogether = startsTogether
    for shift in shifts { changes.shifts[shift.trace] = shift.nanoseconds }
    return changes
  }

  /// The part to read; nil for the whole trace, including readings with a time before that of the first one.
  package var window: TraceWindow? {
    guard from != nil || to != nil || duration != nil else { return nil }
    guard let duration else { return TraceWindow(from: from?.bound, to: to?.bound) }
    func end(_ start: Int64) -> Int64? {
      let (end, overflow) = start.addingReportingOverflow(duration.nanoseconds)
      return overflow ? nil : end
    }
    return switch from {
    case .date(let time)?: TraceWindow(from: .at(time), to: end(time).map { .at($0) })
    case .after(let span)?: TraceWindow(from: .after(span.nanoseconds), to: end(span.nanoseconds).map { .after($0) })
    case nil: TraceWindow(to: .after(duration.nanoseconds))
    }
  }
}
