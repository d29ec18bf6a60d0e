import SluiceReadings

extension TraceMetadata {
  /// Merges the metadata of several traces that are read as one; nil if there is none.
  ///
  /// Lists are joined. A single value is kept only if all traces have the same one. If one trace is unfinished, cut off
  /// or has undescribed rows, so is the merged trace. ``lossesShown`` is the smallest of all, and nil if one trace does
  /// not have it.
  /// - Parameter isOneFile: Whether these are consecutive recordings into one file. Then each has its own losses.
  init?(merging all: [TraceMetadata?], isOneFile: Bool = false) {
    let known = all.compactMap { $0 }
    guard var merged = known.first else { return nil }
    let isWhole = known.count == all.count
    /// For lists that files may share. Two runs of one file may have equal entries, and each of these counts.
    func union<Element: Hashable>(_ list: (TraceMetadata) -> [Element]?) -> [Element]? {
      let lists = known.compactMap(list)
      var seen: Set<Element> = []
      return lists.isEmpty
        ? nil
        : lists.flatMap { list in
          defer { if !isOneFile { seen.formUnion(list) } }
          return list.filter { !seen.contains($0) }
        }
    }
    /// For lists of streams. Files have different ones, and entries of two names that only look the same may be equal.
    func joined<Element>(_ list: (TraceMetadata) -> [Element]?) -> [Element]? {
      let lists = known.compactMap(list)
      return lists.isEmpty ? nil : lists.flatMap { $0 }
    }
    func common<Value: Equatable>(_ value: (TraceMetadata) -> Value?) -> Value? {
      let first = value(known[0])
      return isWhole && known.allSatisfy { value($0) == first } ? first : nil
    }
    merged.titles = []
    merged.version = common(\.version)
    merged.state = known.contains { $0.state == .unfinished } ? .unfinished : common(\.state)
    merged.values = common(\.values)
    var names: Set<ExactName> = []
    merged.streams = joined(\.streams)?.filter { names.insert(ExactName($0.name)).inserted }
    // Streams of one device share its losses, and each of their files lists them.
    merged.losses = union(\.losses)
    merged.lossesShown =
      isWhole && known.allSatisfy { $0.lossesShown != nil } ? known.compactMap(\.lossesShown).min() : nil
    merged.gapBefore = joined(\.gapBefore)
    merged.initialLevel = joined(\.initialLevel)
    merged.late = joined(\.late)
    merged.uncertainTime = joined(\.uncertainTime)
    merged.possibleDuplicate = joined(\.possibleDuplicate)
    merged.uncertainLevel = joined(\.uncertainLevel)
    merged.ledger = joined(\.ledger)
    merged.pauses = union(\.pauses)
    merged.marks = union(\.marks)
    merged.trace = common(\.trace)
    merged.earlierRuns = known.map(\.earlierRuns).max() ?? 0
    (merged.began, merged.beganAtByte, merged.repaired) = (nil, nil, common(\.repaired))
    merged.errors = union(\.errors)
    merged.hasUndescribedRows = known.contains(where: \.hasUndescribedRows)
    merged.hasUnfinishedRun = known.contains(where: \.hasUnfinishedRun)
    merged.isCutOff = known.contains(where: \.isCutOff)
    merged.runs = all.flatMap { $0?.runs ?? [Run()] }
    // Later runs continue from the totals of earlier ones.
    merged.totals = isOneFile ? known.last { !$0.totals.isEmpty }?.totals ?? [] : known.flatMap(\.totals)
    merged.restarts = []
    merged.add(known.flatMap(\.restarts))
    self = merged
  }
}

extension TraceMetadata {
  /// Merges the metadata of several recordings into one file, in their order.
  /// - Parameters:
  ///   - earlier: The metadata of earlier recordings; nil for a recording without metadata.
  ///   - times: Whether the times are corrected.
  package init(newest: TraceMetadata, earlier: [TraceMetadata?], times: TraceTimes = .recorded) {
    self = newest
    defer {
      add(
        zip(runs, runs.dropFirst()).compactMap { [streams] in
          Self.restart(from: $0, to: $1, streams, times)
        })
    }
    guard !earlier.isEmpty, var merged = TraceMetadata(merging: [newest] + earlier, isOneFile: true) else { return }
    // The columns are those of the newest. Rows that name their stream may be from any run.
    let known = Set((newest.streams ?? []).map { ExactName($0.name) })
    let namesStreams = newest.titles.map(CSVLayout.isLong) ?? true
    let others = namesStreams ? (merged.streams ?? []).filter { !known.contains(ExactName($0.name)) } : []
    merged.streams = newest.streams.map { $0 + others }
    merged.titles = newest.titles
    merged.version = newest.version
    merged.state = newest.state
    merged.values = newest.values
    merged.trace = newest.trace
    merged.totals = newest.totals
    // Each document says whether there are undescribed rows. Those rows come first.
    let all = earlier + [newest]
    merged.runs = (all[0]?.runs ?? [Run()]) + all.dropFirst().map { $0?.runs.last ?? Run() }
    merged.earlierRuns = max(newest.earlierRuns, earlier.count)
    (merged.began, merged.beganAtByte, merged.repaired) = (newest.began, newest.beganAtByte, newest.repaired)
    self = merged
  }
}
