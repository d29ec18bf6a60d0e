extension TraceMetadata {
  /// What is known of several traces that are read as one; nil if nothing is.
  ///
  /// Nothing is said that is not so of each of them: how much of a loss would show is that of the one which shows least.
  init?(merging all: [TraceMetadata?]) {
    let known = all.compactMap { $0 }
    guard var merged = known.first else { return nil }
    let isWhole = known.count == all.count
    /// Of lists that files may have in common.
    func union<Element: Hashable>(_ list: (TraceMetadata) -> [Element]?) -> [Element]? {
      let lists = known.compactMap(list)
      var seen: Set<Element> = []
      return lists.isEmpty ? nil : lists.flatMap { $0 }.filter { seen.insert($0).inserted }
    }
    func common<Value: Equatable>(_ value: (TraceMetadata) -> Value?) -> Value? {
      let first = value(known[0])
      return isWhole && known.allSatisfy { value($0) == first } ? first : nil
    }
    merged.titles = []
    merged.version = common(\.version)
    merged.state = known.contains { $0.state == .unfinished } ? .unfinished : common(\.state)
    merged.values = common(\.values)
    merged.streams = union(\.streams)
    // Streams of one device share its losses, and each of their files has them.
    merged.losses = union(\.losses)
    merged.lossesShown =
      isWhole && known.allSatisfy { $0.lossesShown != nil } ? known.compactMap(\.lossesShown).min() : nil
    merged.gapBefore = union(\.gapBefore)
    merged.initialLevel = union(\.initialLevel)
    merged.ledger = union(\.ledger)
    merged.pauses = union(\.pauses)
    merged.trace = common(\.trace)
    merged.earlier = union(\.earlier)
    self = merged
  }
}

extension TraceMetadata.LossCoverage: Comparable {
  /// Less is less of it.
  public static func < (a: Self, b: Self) -> Bool {
    (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
  }
}
