#if SLUICE_MQTT
  /// The levels of a topic with which a board says who it is: those between what all boards have and `readings` or `state`.
  ///
  /// The broker's access list protects topics. So the folder of a board is made of these levels alone, and not of a property
  /// or a text in a message.
  struct LandedTopic: Equatable, Sendable {
    private let levels: [Substring]

    /// - Parameters:
    ///   - root: The levels before `readings` or `state`.
    ///   - board: The name in the message; empty for a board without one, whose topics have no level for it.
    ///   - common: The levels of the filter before its first wildcard, which are no part of a name.
    /// - Returns: Nil if the topic is not that of a board of this name.
    init?(root: ArraySlice<Substring>, board: String, common: Int) {
      if !board.isEmpty {
        guard let last = root.last, last.utf8.elementsEqual(MQTTTopics.level(board).utf8) else { return nil }
      }
      levels = Array(root.dropFirst(min(common, board.isEmpty ? root.count : root.count - 1)))
      // The folder of `a//b` would have the name of one with a level `#`.
      if levels.contains(where: \.isEmpty) { return nil }
    }

    /// The beginning of a folder's name that a publisher cannot choose, if the broker's access list names one level.
    static func share(of folder: String) -> String {
      let first = folder.prefix { $0 != "#" }
      // Before other levels, the first one is shortened more than alone, and has the same share.
      guard first.utf8.count == folder.utf8.count, first.utf8.count > longestFirst else { return String(first) }
      guard first.utf8.count <= LandedBoard.longestName else {
        return String(first.prefix(longestFirst) + first.dropFirst(LandedBoard.longestName))
      }
      let level = first.hasPrefix("%2E") ? "." + first.dropFirst(3) : String(first)
      return LandedBoard.safeName(ofLevel: level, longest: longestFirst)
    }

    /// The longest beginning of a first level before other levels.
    private static let longestFirst = 100

    /// The name of a folder that is made of one level.
    static func folder(of level: Substring) -> String { LandedBoard.safeName(ofLevel: printed(level)) }

    /// The name of the folder. No level that a board makes has a `#`.
    var folder: String {
      guard let first = levels.first else { return "board" }
      guard levels.count > 1 else { return Self.folder(of: first) }
      // The first level is shortened by itself, so that the others cannot choose the share.
      let others = levels.dropFirst().map(Self.printed).joined(separator: "#")
      return LandedBoard.safeName(ofLevel: Self.printed(first), longest: Self.longestFirst) + "#"
        + LandedBoard.safeName(ofLevel: others, longest: 120)
    }

    /// The name in messages: that of the board, if the topic has no more levels.
    func name(of board: String) -> String {
      levels.count == (board.isEmpty ? 0 : 1) ? board : levels.map(Self.printed).joined(separator: "/")
    }

    /// A level may have any bytes, if somebody else than a board publishes there.
    private static func printed(_ level: Substring) -> String {
      level.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f } ? String(level) : MQTTTopics.level(String(level))
    }

    /// The levels of a filter that all its topics have, and that are no board.
    static func common(of filter: String) -> Int {
      let levels = filter.split(separator: "/", omittingEmptySubsequences: false)
      let fixed = levels.prefix { $0 != "+" && $0 != "#" }.count
      // A filter for one board names it.
      return levels[..<fixed].firstIndex(of: "readings").map { max(0, $0 - 1) } ?? fixed
    }
  }
#endif
