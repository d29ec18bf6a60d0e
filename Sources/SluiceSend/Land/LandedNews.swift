#if SLUICE_MQTT
  /// What somebody should know of one board: its gaps, and numbers that two recordings have used. At most one line per minute is
  /// about each of both.
  struct LandedNews {
    /// The gaps that were in a line, by themselves or as a number of others.
    private var listed: Set<LandGap> = []
    /// Those of them whose numbers were told.
    private var told: Set<LandGap> = []
    /// By gap, when it was first there.
    private var seen: [LandGap: Int64] = [:]
    private var toldGapsAt: Int64?
    private var (toldShared, toldSharedAt): (Int, Int64?) = (0, nil)

    private static let second: Int64 = 1_000_000_000
    /// A gap that is older is told: what is sent again may come behind later messages.
    static let patience: Int64 = 30 * second
    /// The time between two lines.
    static let silence: Int64 = 60 * second
    /// The most gaps of a board that are looked at.
    static let mostGaps = 1_000

    /// - Parameters:
    ///   - now: Nanoseconds of a clock that runs on.
    ///   - isOld: Whether the gaps are those of an earlier run, which do not close by themselves.
    mutating func update(_ gaps: [LandGap], at now: Int64, isOld: Bool) -> [Land.News] {
      let there = Set(gaps)
      var news: [Land.News] = []
      for gap in listed.subtracting(there) {
        listed.remove(gap)
        guard told.remove(gap) != nil else { continue }
        // A part of it may be left.
        if !gaps.contains(where: { $0.epoch == gap.epoch && $0.numbers.overlaps(gap.numbers) }) {
          news.append(.closed(gap))
        }
      }
      seen = seen.filter { there.contains($0.key) }
      var due: [LandGap] = []
      for gap in gaps where !listed.contains(gap) {
        let since = seen[gap] ?? now
        seen[gap] = since
        if isOld || now - since >= Self.patience { due.append(gap) }
      }
      guard let first = due.min(by: { $0.numbers.lowerBound < $1.numbers.lowerBound }), isDue(toldGapsAt, now) else {
        return news
      }
      toldGapsAt = now
      for gap in due { seen[gap] = nil }
      listed.formUnion(due)
      told.insert(first)
      return news + [.gap(first, others: due.count - 1)]
    }

    /// - Parameter count: The rows whose numbers had come from another run.
    mutating func update(_ board: String, shared count: Int, at now: Int64) -> [Land.News] {
      guard count > toldShared, isDue(toldSharedAt, now) else { return [] }
      (toldShared, toldSharedAt) = (count, now)
      return [.shared(board: board, count)]
    }

    private func isDue(_ last: Int64?, _ now: Int64) -> Bool { last.map { now - $0 >= Self.silence } ?? true }
  }
#endif
