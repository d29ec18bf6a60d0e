import Sluice
package import SluiceReadings
import SluiceRecording

extension Pipeline {
  /// The losses of all sources. Each loss has the streams that share its count.
  package var losses: [Loss] {
    sources.flatMap { source in
      (source.losses() + missingRows(of: source)).map { loss in
        var loss = loss
        // The streams of a trace from a pipe are known only during the read.
        if loss.streams.isEmpty { loss.streams = (source.moreStreams?() ?? source.streams).map(\.name) }
        return loss
      }
    } + unseenInPause + unseenInSuspends
  }

  /// A device reports what it lost during a pause only with its next reading. If the recording ends in a pause, these
  /// losses stay unknown.
  private var unseenInPause: [Loss] {
    let live = sources.filter { !$0.waits }
    let (pause, stopped) = state.withLock { ($0.pauses.last, $0.stopped) }
    guard capacity == 0, pauseMode == .hold, !live.isEmpty, let pause, pause.to == nil else { return [] }
    let reason = "paused at the end without a buffer"
    return [
      Loss(
        streams: live.flatMap(\.streams).map(\.name), reason: reason, count: 1, first: pause.from,
        last: stopped ?? pause.from, countsReadings: false, isUncounted: true, phrase: reason)
    ]
  }

  /// A suspended machine reads nothing, and no device counts the readings of that time.
  private var unseenInSuspends: [Loss] {
    let live = sources.filter { !$0.waits }
    guard !live.isEmpty, let suspends = state.withLock({ $0.suspends }) else { return [] }
    return [
      Loss(
        streams: live.flatMap(\.streams).map(\.name), reason: "times the machine was suspended", count: suspends.count,
        first: suspends.first, last: suspends.last, countsReadings: false, isUncounted: true,
        phrase: "the machine was suspended \(suspends.count == 1 ? "once" : "\(grouped(suspends.count)) times")")
    ]
  }

  /// The rows that are missing from a trace by its metadata, if the whole trace was replayed.
  private func missingRows(of source: Source) -> [Loss] {
    // Before the end, the rest of the rows is not missing, because it may still come.
    let isRead = state.withLock { $0.isOver && !$0.stopping && $0.errors.isEmpty }
    guard let written = source.writtenRows, isRead else { return [] }
    // Rows that could not be read are in the trace. They are counted as unreadable, not as missing.
    var skipped = (source.skippedRows?() ?? 0) / source.rounds
    return streamAccounts(of: nil).compactMap { account in
      // They are counted once, for any number of rounds.
      let absent = written[ExactName(account.stream), default: 0] - account.received / source.rounds
      let missing = absent - max(0, min(absent, skipped))
      skipped -= absent - missing
      return missing > 0
        ? Loss(streams: [account.stream], reason: "missing from the trace, by its metadata", count: missing) : nil
    }
  }

  /// The streams whose losses would not show, if losses of other streams would.
  package var unseen: [String] {
    let sources = sources.filter { $0.lossCoverage == .none }
    return sources.count == self.sources.count ? [] : sources.flatMap(\.streams).map(\.name)
  }

  /// The least coverage of all sources.
  package var lossCoverage: LossCoverage { sources.map(\.lossCoverage).min() ?? .all }
}
