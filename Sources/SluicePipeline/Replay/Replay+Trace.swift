import Sluice
import SluiceDevices
package import SluiceReadings
package import SluiceRecording

extension Replay {
  /// The replay of a recorded trace and its metadata.
  /// - Parameters:
  ///   - window: The part to publish; nil for the whole trace.
  ///   - changes: Changes to the trace during the read. A loop applies the window in each round.
  ///   - pace: Holds readings back until they are due; nil does not wait.
  ///   - isInterrupted: Asked during the wait for the first reading.
  /// - Throws: If the first reading of a file cannot be read. No output has begun then.
  package init(
    _ reader: TraceReader, window: TraceWindow?, _ changes: OpenTrace.Changes = OpenTrace.Changes(), pace: Pace? = nil,
    isInterrupted: () -> Bool = { false }
  ) throws(SluiceError) {
    let replay = Publishers.Replay(reader, window: changes.loop == nil ? window : nil)
    try replay.waitForFirst(isInterrupted)
    let metadata = reader.metadata
    let losses = metadata.map(Loss.recorded) ?? []
    let skipped = reader.skippedCount
    self.init(streams: reader.streams, trace: ReplayedTrace(reader)) {
      guard let pace else { return replay.eraseToAnyPublisher() }
      return Publishers.Paced(upstream: replay, pace: pace).eraseToAnyPublisher()
    }
    finish = {
      replay.end()
      pace?.end()
    }
    self.losses = { losses + Loss.skipped(skipped?() ?? 0) }
    lossCoverage = metadata?.lossesShown ?? .none
    moreStreams = reader.moreStreams
    self.pace = pace
    isAtOnce = pace == nil && !reader.mayWait
    rounds = changes.loop.map { $0.rounds ?? .max } ?? 1
    if window == nil { writtenRows = metadata.flatMap(\.writtenRows) }
    skippedRows = skipped
    unlisted = reader.hasFlags ? [:] : metadata?.unlisted ?? [:]
    pauses = metadata?.pauses ?? []
    marks = metadata?.marks ?? []
    restarts = metadata?.restarts ?? []
  }
}

extension Loss {
  /// The loss of rows that `--skip-bad` has left out.
  fileprivate static func skipped(_ count: Int) -> [Loss] {
    guard count > 0 else { return [] }
    let rows = "\(count == 1 ? "row" : "rows") left out (unreadable)"
    return [Loss(reason: "unreadable rows of the trace", count: count, phrase: "\(grouped(count)) \(rows)")]
  }

  /// The losses in the metadata of a trace, including the readings that its own pipeline dropped or could not write.
  fileprivate static func recorded(_ metadata: TraceMetadata) -> [Loss] {
    let before = (metadata.losses ?? []).map { loss in
      var loss = loss
      (loss.isRecorded, loss.phrase) = (true, phrase(loss))
      return loss
    }
    let left = (metadata.ledger ?? []).flatMap { account in
      [(account.dropped, "dropped (buffer full)"), (account.unwritten, "not written (error)")].map { count, reason in
        Loss(streams: [account.stream], reason: reason, count: count, isRecorded: true)
      }
    }
    return before + left.filter { $0.count > 0 }
  }

  /// The words for a sentence: `removed 2 times` for a count of 2 `times removed`.
  private static func phrase(_ loss: Loss) -> String? {
    if loss.reason == TraceMetadata.restartReason {
      return "\(grouped(loss.count)) restart\(loss.count == 1 ? "" : "s") (nothing recorded in between)"
    }
    let prefix = "times "
    guard !loss.countsReadings, loss.reason.hasPrefix(prefix) else { return nil }
    return "\(loss.reason.dropFirst(prefix.count)) \(loss.count == 1 ? "once" : "\(grouped(loss.count)) times")"
  }
}

extension TraceMetadata {
  /// The number of rows per stream; nil if some rows have no account.
  fileprivate var writtenRows: [ExactName: Int]? {
    guard let ledger, !isCutOff, !hasUndescribedRows else { return nil }
    return Dictionary(ledger.map { (ExactName($0.stream), $0.written) }, uniquingKeysWith: Self.sum)
  }

  /// The sum, or the largest number: a document may list one stream again and again.
  private static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }

  fileprivate var unlisted: [ExactName: StreamFlags] {
    var unlisted: [ExactName: StreamFlags] = [:]
    for (list, flag) in [
      (gapBefore, \StreamFlags.gapBefore), (initialLevel, \.initialLevel), (late, \.late),
      (uncertainTime, \.uncertainTime), (possibleDuplicate, \.possibleDuplicate),
      (uncertainLevel, \.uncertainLevel),
    ] {
      for flagged in list ?? [] {
        let count = unlisted[ExactName(flagged.stream)]?[keyPath: flag].count ?? 0
        unlisted[ExactName(flagged.stream), default: StreamFlags()][keyPath: flag].count = Self.sum(
          count, flagged.count - flagged.times.count)
      }
    }
    return unlisted
  }
}
