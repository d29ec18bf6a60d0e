#if SLUICE_MQTT
  /// What somebody should know of the boards of a share: gaps, numbers that two recordings have used, states, and messages that are
  /// left out.
  ///
  /// At most one line per minute is about them, because whoever may publish as one board can make up others. What has no line yet
  /// waits for its turn, or is a number in the next line.
  struct LandedNews {
    private struct State {
      var latest: String
      /// Empty if none was told.
      var told = ""
    }

    private struct LeftOut {
      var count = 0
      var told = 0
      var (topic, cause) = ("", "")
    }

    /// The gaps that were in a line, by themselves or as a number of others.
    private var listed: Set<LandGap> = []
    /// Those of them whose numbers were told.
    private var told: Set<LandGap> = []
    /// By gap, when it was first there.
    private var seen: [LandGap: Int64] = [:]
    /// By board, the rows with shared numbers that were told.
    private var toldShared: [String: Int] = [:]
    /// By board.
    private var states: [String: State] = [:]
    private var leftOut = LeftOut()
    private var toldAt: Int64?
    /// The kind whose turn is next: somebody who makes up one kind must not hide the others.
    private var turn = 0

    private static let second: Int64 = 1_000_000_000
    /// A gap that is older is told: what is sent again may come behind later messages.
    private static let patience: Int64 = 30 * second
    /// The time between two lines.
    private static let silence: Int64 = 60 * second

    /// Whether a board of this name has said how it is.
    func hasState(of board: String) -> Bool { states[board] != nil }

    mutating func see(_ state: String, of board: String) { states[board, default: State(latest: state)].latest = state }

    mutating func leaveOut(_ topic: String, because cause: String) {
      leftOut.count += 1
      (leftOut.topic, leftOut.cause) = (topic, cause)
    }

    /// The next line; nil if there is nothing to say now.
    /// - Parameters:
    ///   - gaps: Those of all boards of the share.
    ///   - shared: By board, the rows whose numbers had come from another run.
    ///   - now: Nanoseconds of a clock that runs on.
    ///   - isOld: Whether the gaps are those of an earlier run, which do not close by themselves.
    ///   - isOpen: Whether one of the numbers of a gap is still missing. Not all gaps are among those of the first parameter.
    mutating func next(
      _ gaps: [LandGap], shared: [String: Int], at now: Int64, isOld: Bool = false, isOpen: (LandGap) -> Bool
    ) -> Land.News? {
      let there = Set(gaps)
      seen = seen.filter { there.contains($0.key) }
      for gap in gaps where !listed.contains(gap) && seen[gap] == nil { seen[gap] = now }
      listed.formIntersection(there.union(told))
      guard toldAt.map({ now - $0 >= Self.silence }) ?? true else { return nil }
      for _ in 0..<5 {
        let kind = turn
        turn = (turn + 1) % 5
        let news: Land.News? =
          switch kind {
          case 0: gap(at: now, isOld)
          case 1: numbers(shared)
          case 2: closed(there, isOpen)
          case 3: state()
          default: strange()
          }
        guard let news else { continue }
        toldAt = now
        return news
      }
      return nil
    }

    private mutating func gap(at now: Int64, _ isOld: Bool) -> Land.News? {
      let due = seen.filter { isOld || now - $0.value >= Self.patience }.keys
      guard let first = due.min(by: { ($0.board, $0.numbers.lowerBound) < ($1.board, $1.numbers.lowerBound) }) else {
        return nil
      }
      let others = due.count - 1
      listed.formUnion(due)
      for gap in Array(due) { seen[gap] = nil }
      told.insert(first)
      return .gap(first, others: others)
    }

    private mutating func numbers(_ shared: [String: Int]) -> Land.News? {
      let new = shared.filter { $0.value > toldShared[$0.key] ?? 0 }
      guard let (board, count) = new.max(by: { ($0.value, $0.key) < ($1.value, $1.key) }) else { return nil }
      toldShared.merge(new) { $1 }
      return .shared(board: board, count, others: new.count - 1)
    }

    private mutating func closed(_ there: Set<LandGap>, _ isOpen: (LandGap) -> Bool) -> Land.News? {
      while let gap = told.subtracting(there).min(by: { $0.numbers.lowerBound < $1.numbers.lowerBound }) {
        told.remove(gap)
        listed.remove(gap)
        // A part of it may be left.
        if !isOpen(gap) { return .closed(gap) }
      }
      return nil
    }

    private mutating func state() -> Land.News? {
      let new = states.filter { $0.value.latest != $0.value.told }
      guard let (board, state) = new.min(by: { $0.key < $1.key }) else { return nil }
      for (board, state) in new { states[board]?.told = state.latest }
      return .state(board: board, state.latest, others: new.count - 1)
    }

    private mutating func strange() -> Land.News? {
      guard leftOut.count > leftOut.told else { return nil }
      leftOut.told = leftOut.count
      return .strange(topic: leftOut.topic, because: leftOut.cause, leftOut.count)
    }
  }
#endif
