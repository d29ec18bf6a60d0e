#if SLUICE_MQTT
  /// A list of gaps with a limit. Somebody who makes up many gaps, or many boards, must not hide those of others.
  package struct ListedGaps: Equatable, Sendable {
    package struct Line: Equatable, Sendable {
      package var gap: LandGap
      /// How many more gaps its board has; 0 if it is not the last line of its board.
      package var others = 0
    }

    package var lines: [Line] = []
    /// How many boards with gaps have no line, and how many gaps these have.
    package var (boards, gaps) = (0, 0)

    /// - Parameters:
    ///   - shares: By share and board, the gaps.
    ///   - most: The most lines.
    init(_ shares: [[[LandGap]]], most: Int) {
      // The places of gaps: share, board, gap.
      let places = shares.indices.map { share in
        Self.inTurn(
          shares[share].indices.map { board in shares[share][board].indices.prefix(most).map { (share, board, $0) } },
          most)
      }
      var counts = shares.map { $0.map { _ in 0 } }
      for (share, board, _) in Self.inTurn(places, most) { counts[share][board] += 1 }
      for (share, boards) in shares.enumerated() {
        for (board, gaps) in boards.enumerated() {
          let count = counts[share][board]
          lines += gaps.prefix(count).map { Line(gap: $0) }
          if count > 0 {
            lines[lines.count - 1].others = gaps.count - count
          } else if !gaps.isEmpty {
            (self.boards, self.gaps) = (self.boards + 1, self.gaps + gaps.count)
          }
        }
      }
    }

    /// The first one of each list, the second one of each list, and so on.
    private static func inTurn<Element>(_ lists: [[Element]], _ most: Int) -> [Element] {
      var (all, place) = ([Element](), 0)
      while all.count < most {
        let next = lists.filter { $0.count > place }.prefix(most - all.count).map { $0[place] }
        guard !next.isEmpty else { break }
        all += next
        place += 1
      }
      return all
    }
  }
#endif
