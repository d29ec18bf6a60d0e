import SluiceReadings
package import SluiceRecording
import SluiceSystem

extension RecordingMetadata {
  /// The document of one file.
  /// - Parameters:
  ///   - outcome: The outcome; nil at the start of the run.
  ///   - earlier: The metadata of earlier rows in the file.
  package func document(
    of output: OutputFiles.Described, _ outcome: Outcome?, earlier: EarlierMetadata? = nil
  ) -> MetadataDocument {
    let (file, style) = (output.file, output.style)
    let described = Array(streams[output.output][file.streams])
    // The values of a trace may already be scaled.
    let isRaw = output.raw && !described.contains(where: \.isScaled)
    var document = MetadataDocument()
    document.context = .init("http://www.w3.org/ns/csvw")
    document.url = .init(Self.url(ofFile: file.path))
    document.tableSchema = file.format.layout.map { layout in
      TableSchema(layout, described, isWhole: Array(isWhole[output.output][file.streams]), raw: isRaw, style: style)
    }
    document.format = type(of: file.format).name
    document.version = version
    let state: TraceMetadata.State = isFinished(output.output, outcome) ? .finished : .unfinished
    document.state = state.rawValue
    document.part = output.part.map { .init($0) }
    // Without metadata, the origin of a trace's values is not known.
    if trace == nil || trace?.values != nil { document.values = .init(isRaw ? .raw : .scaled) }
    if style.time != .nanoseconds { (document.time, document.timeZero) = (.init(style.time), style.first.time) }
    document.decimals = style.decimals
    document.streams = described.map { .init($0) }
    document.pipeline = .init(
      .init(
        command: command, arguments: arguments, plan: plan?.json,
        changes: planChanges.map { .init(at: $0.time, changed: $0.changed) }))
    document.clocks = clocks(outcome?.ended)
    document.host = .init(host)
    if let notes = plan?.notes, !notes.isEmpty {
      document.notes = .init(notes.map { .init(key: $0.key, value: $0.value) })
    }
    document.trace = trace.map { .init(file: $0.file, files: $0.files, state: $0.state, errors: $0.errors) }
    document.beganAtByte = earlier?.beganAtByte
    if let runs = earlier?.runs, runs > 0 { document.earlierRuns = runs }
    if earlier?.hasUndescribedRows ?? false { document.hasUndescribedRows = true }
    let names = Set(described.map { ExactName($0.name) })
    // A trace without a readable row has no stream.
    func isOfFile(_ streams: [String]) -> Bool {
      streams.isEmpty || !names.isDisjoint(with: streams.map(ExactName.init))
    }
    if let outcome {
      document.accountVersion = .init(Account.version)
      document.ledger = Array(outcome.accounts[output.output][file.streams])
      document.losses = outcome.losses.filter { $0.count > 0 && isOfFile($0.streams) }
      document.lossesShown = outcome.coverage?.rawValue
      let flags = Array(outcome.flagged[output.output][file.streams])
      func list(_ flag: KeyPath<StreamFlags, FlaggedReadings>) -> [FlaggedReadings] {
        described.indices.compactMap { stream in
          var readings = flags[stream][keyPath: flag]
          readings.stream = described[stream].name
          return readings.count > 0 ? readings : nil
        }
      }
      (document.gapBefore, document.initialLevel, document.late) = (
        list(\.gapBefore), list(\.initialLevel), list(\.late)
      )
      let uncertain = list(\.uncertainTime)
      if !uncertain.isEmpty { document.uncertainTime = uncertain }
      let duplicates = list(\.possibleDuplicate)
      if !duplicates.isEmpty { document.possibleDuplicate = duplicates }
      let levels = list(\.uncertainLevel)
      if !levels.isEmpty { document.uncertainLevel = levels }
      document.pauses = outcome.pauses
      document.timesLimit = .init(FlaggedReadings.limit)
      document.errors = outcome.errors.map(\.description)
    }
    // Those of a run that is killed are in its metadata too.
    let marks = outcome?.marks ?? marks
    if !marks.isEmpty { document.marks = marks }
    // They are known from the beginning, and needed if the run is killed.
    let restarts = restarts.filter { isOfFile($0.streams) }
    if !restarts.isEmpty { document.restarts = restarts }
    let totals = (outcome?.totals ?? totals).filter { names.contains(ExactName($0.stream)) }
    if !totals.isEmpty { document.totals = totals }
    return document
  }

  /// Whether the file is complete. An abandoned file may have a torn last row, and more rows than its account has. If
  /// an error has ended a trace, no output has the rest of its rows.
  private func isFinished(_ output: Int, _ outcome: Outcome?) -> Bool {
    guard let outcome, !outcome.isTraceCutShort else { return false }
    let abandoned = outcome.abandoned
    return !(abandoned.indices.contains(output) && abandoned[output])
  }

  /// The relative URL of a file in the same folder.
  private static func url(ofFile path: String) -> String {
    let name = fileName(of: path)
    return percentEncoded(name) { "-._~!$&'()*+,;=@".utf8.contains($0) }
  }

  private func clocks(_ ended: Instant?) -> MetadataDocument.Clocks {
    var clocks = MetadataDocument.Clocks()
    (clocks.began, clocks.ended) = (began.time, ended?.time)
    if trace == nil {
      (clocks.offset, clocks.offsetAtEnd) = (began.monotonicOffset, ended.map { .init($0.monotonicOffset) })
      clocks.isSynchronised = began.isSynchronised
      (clocks.maxError, clocks.estimatedError) = (
        began.errors.map { .init($0.greatest) }, began.errors.map { .init($0.estimated) }
      )
      (clocks.maxErrorAtEnd, clocks.estimatedErrorAtEnd) = (
        ended?.errors.map { .init($0.greatest) }, ended?.errors.map { .init($0.estimated) }
      )
    }
    if clockChanges.count > 0 { clocks.changes = clockChanges.first.map { .init($0) } }
    if clockChanges.count > clockChanges.first.count { clocks.changesCount = .init(clockChanges.count) }
    let excesses = clockChanges.excesses
    if !excesses.isEmpty { clocks.excesses = .init(excesses.map { .init($0) }) }
    if clockChanges.excessCount > excesses.count { clocks.excessesCount = .init(clockChanges.excessCount) }
    return clocks
  }
}
