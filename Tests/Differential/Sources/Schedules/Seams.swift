extension History {
  /// What stands for the subscribers between two operators of a chain, as seen from the one below.
  public static func seam(_ position: Int) -> Int { 1_000 * position }

  /// One of these subscribers, as seen from the operator above.
  public static func seam(_ position: Int, _ number: Int) -> Int { 1_000 * position + number }

  /// What the operator at a position of a chain had to do with, as if it were alone.
  ///
  /// Every entry that is compared is one operator's: downwards of the one above a seam, upwards of the one below.
  public func part(_ position: Int, of count: Int) -> History {
    var part = History()
    var owners: [[Int]: Int] = [:]
    // Which probe and which source are this operator's.
    func probe(_ probe: Int) -> Int? {
      if position == count - 1 { return probe < 1_000 ? probe : nil }
      return probe / 1_000 == position + 1 ? probe % 1_000 : nil
    }
    func source(_ source: Int, _ number: Int) -> Int? {
      if source == 0 { return position == 0 ? 0 : nil }
      if source < 1_000 { return owners[[source, number % 100]] == position ? source : nil }
      return source / 1_000 == position ? 0 : nil
    }
    func entry(_ entry: Entry) -> Entry? {
      switch entry {
      case .act(.request(let who, let demand), let depth):
        return probe(who).map { .act(.request(probe: $0, demand), depth: depth) }
      case .act(.cancel(let who), let depth): return probe(who).map { .act(.cancel(probe: $0), depth: depth) }
      case .act, .stirs: return entry
      case .subscribed(let who): return probe(who).map { .subscribed(probe: $0) }
      case .value(let who, let value) where who >= 1_000 && who / 1_000 == position:
        return .act(.send(source: 0, [Int(value) ?? 0]), depth: 1)
      case .value(let who, let value): return probe(who).map { .value(probe: $0, value) }
      case .completed(let who, let how): return probe(who).map { .completed(probe: $0, how) }
      case .opened(let who): return probe(who).map { .opened(probe: $0) }
      case .answers(let who, let demand): return probe(who).map { .answers(probe: $0, demand) }
      case .attached(let which, let number) where which / 1_000 == position + 1:
        return .act(.subscribe(probe: number), depth: 1)
      case .attached(let which, let number): return source(which, number).map { .attached(source: $0, number) }
      case .requested(let which, let number, let demand):
        return source(which, number).map { .requested(source: $0, number, demand) }
      case .cancelled(let which, let number): return source(which, number).map { .cancelled(source: $0, number) }
      case .answered(let which, let number, let demand):
        return source(which, number).map { .answered(source: $0, number, demand) }
      case .ended(let which, let number): return source(which, number).map { .ended(source: $0, number) }
      case .effect(let text, let lane): return lane / 2 == position ? .effect(text, lane: lane) : nil
      case .belongs, .alive: return nil
      }
    }
    for (place, whole) in entries.enumerated() {
      if case .belongs(let which, let number, let owner) = whole { owners[[which, number]] = owner }
      if let own = entry(whole) {
        part.entries.append(own)
        part.positions.append(place)
      } else if case .act(_, depth: 0) = whole {
        // Another operator's business, but acts from outside are counted.
        part.entries.append(.act(.connect, depth: 0))
        part.positions.append(place)
      }
    }
    return part
  }

  /// What happened at both ends of a chain, as if there were no seams.
  public var outside: History {
    var outside = History()
    outside.entries = entries.compactMap { entry in
      switch entry {
      case .subscribed(1_000...), .value(1_000..., _), .completed(1_000..., _), .attached(1_000..., _),
        .requested(1_000..., _, _), .cancelled(1_000..., _), .answered(1_000..., _, _), .alive:
        nil
      default: entry
      }
    }
    return outside
  }
}
