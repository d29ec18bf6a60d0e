import Sluice
package import SluiceReadings

/// The document that was decoded last, with its bytes.
///
/// A check of a recording looks at the document beside it several times. To decode it took half of the check of a folder
/// with ten thousand parts.
private struct DecodedDocument: Sendable {
  let path: String
  let bytes: [UInt8]
  let metadata: TraceMetadata

  /// Larger ones are not kept: they are of long recordings, of which there are few.
  static let longest = 64 << 10
  static let last = Locked(DecodedDocument?.none)
}

extension TraceMetadata {
  /// - Parameters:
  ///   - bytes: The document.
  ///   - path: The path of the document.
  package init(_ bytes: [UInt8], path: String) throws(SluiceError) {
    if let last = DecodedDocument.last.withLock({ $0 }), last.bytes == bytes, last.path.isExactly(path) {
      self = last.metadata
      return
    }
    let document = try MetadataDocument(bytes, path: path)
    if let streams = document.streams, streams.count > Self.mostStreams {
      throw Self.malformed(path, "it has \(streams.count) streams, but \(Self.mostStreams) is the limit")
    }
    self.init(document, path: path)
    guard bytes.count <= DecodedDocument.longest else { return }
    let decoded = DecodedDocument(path: path, bytes: bytes, metadata: self)
    DecodedDocument.last.withLock { $0 = decoded }
  }

  static func malformed(_ path: String, _ cause: String) -> SluiceError {
    SluiceError(
      .malformed, "read", path, because: cause, remedy: "repair it, or move it away to read the trace without it")
  }

  private init(_ document: MetadataDocument, path: String) {
    let clocks = document.clocks?.clocks
    let state = document.state.flatMap(State.init)
    let hasUndescribedRows = document.hasUndescribedRows ?? false
    let rows = state == .finished ? document.ledger?.map { (ExactName($0.stream), $0.written) } : nil
    let run = Run(clocks: clocks, rows: rows.map { Dictionary($0, uniquingKeysWith: &+) })
    self.init(
      path: path, titles: document.tableSchema?.columns.map(\.title), format: document.format,
      version: document.version, state: state, time: document.time?.value ?? .nanoseconds,
      timeZero: document.timeZero, decimals: document.decimals, values: document.values?.value,
      streams: document.streams?.map { $0.description(isScaled: document.values?.value != .raw) },
      losses: document.losses?.map { loss in
        // All of them are of this trace. Only an account tells those of the replayed trace from others.
        var loss = loss
        loss.isRecorded = false
        return loss
      },
      // Nobody knows the losses of rows without metadata.
      lossesShown: hasUndescribedRows ? nil : document.lossesShown.flatMap(LossCoverage.init),
      gapBefore: document.gapBefore, initialLevel: document.initialLevel, late: document.late,
      uncertainTime: document.uncertainTime, possibleDuplicate: document.possibleDuplicate,
      uncertainLevel: document.uncertainLevel, ledger: document.ledger,
      pauses: document.pauses, marks: document.marks,
      trace: document.trace.map { Origin(file: $0.file, state: $0.state.flatMap(State.init)) },
      earlierRuns: document.earlierRuns ?? 0,
      errors: document.errors.map { $0 + (document.trace?.errors ?? []) } ?? document.trace?.errors,
      began: clocks?.began, beganAtByte: document.beganAtByte, hasUnfinishedRun: state == .unfinished,
      hasUndescribedRows: hasUndescribedRows, repaired: document.repaired,
      isCutOff: state == .unfinished || document.trace?.state == State.unfinished.rawValue,
      runs: (hasUndescribedRows ? [Run()] : []) + [run], restarts: document.restarts ?? [],
      totals: document.totals ?? [], plan: document.pipeline?.value?.plan)
  }
}
