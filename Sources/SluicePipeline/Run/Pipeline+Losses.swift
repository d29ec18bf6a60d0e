import Sluice
package import SluiceReadings
import SluiceRecording

extension Pipeline {
  /// The losses of all sources, or of the trace. Each loss has the streams that share its count.
  package var losses: [Loss] {
    switch input {
    case .devices(let sources):
      sources.flatMap { Self.naming($0.streams, $0.losses()) } + unseenInPause(sources) + unseenInSuspends(sources)
    case .trace(let replay):
      // The streams of a trace from a pipe are known only during the read.
      Self.naming(replay.moreStreams?() ?? replay.streams, replay.losses() + missingRows(of: replay))
    }
  }

  private static func naming(_ streams: [StreamDescription], _ losses: [Loss]) -> [Loss] {
    losses.map { loss in
      var loss = loss
      if loss.streams.isEmpty { loss.streams = streams.map(\.name) }
      return loss
    }
  }

  /// A device reports what it lost during a pause only with its next reading. If the recording ends in a pause, these
  /// losses stay unknown.
  private func unseenInPause(_ sources: [Source]) -> [Loss] {
    let (pause, stopped) = state.withLock { ($0.pauses.last, $0.stopped) }
    guard capacity == 0, pauseMode == .hold, let pause, pause.to == nil else { return [] }
    let reason = "unknown losses in a pause at the end, without a buffer"
    return [
      Loss(
        streams: sources.flatMap(\.streams).map(\.name), reason: reason, count: 1, first: pause.from,
        last: stopped ?? pause.from, countsReadings: false, isUncounted: true, phrase: reason)
    ]
  }

  /// A suspended machine reads nothing, and no device counts the readings of that time.
  private func unseenInSuspends(_ sources: [Source]) -> [Loss] {
    guard let suspends = state.withLock({ $0.suspends }) else { return [] }
    return [
      Loss(
        streams: sources.flatMap(\.streams).map(\.name), reason: "times the machine was suspended",
        count: suspends.count, first: suspends.first, last: suspends.last, countsReadings: false, isUncounted: true,
        phrase: "the machine was suspended \(suspends.count == 1 ? "once" : "\(grouped(suspends.count)) times")")
    ]
  }

  /// The rows that are missing from a trace by its metadata, if the whole trace was replayed.
  private func missingRows(of replay: Replay) -> [Loss] {
    // Before the end, the rest of the rows is not missing, because it may still come.
    let isRead = state.withLock { $0.isOver && !$0.stopping && $0.errors.isEmpty }
    guard let written = replay.writtenRows, isRead else { return [] }
    // Rows that could not be read are in the trace. They are counted as unreadable, not as missing.
    var skipped = (replay.skippedRows?() ?? 0) / replay.rounds
    return streamAccounts(of: nil).compactMap { account in
      // They are counted once, for any number of rounds.
      let absent = written[ExactName(account.stream), default: 0] - account.received / replay.rounds
      let missing = absent - max(0, min(absent, skipped))
      skipped -= absent - missing
      return missing > 0
        ? Loss(streams: [account.stream], reason: "missing from the trace, by its metadata", count: missing) : nil
    }
  }
}
