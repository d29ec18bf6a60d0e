/// What happened, in order.
public struct History: Hashable, Sendable {
  public enum Entry: Hashable, Sendable {
    /// What the schedule did; never compared.
    case act(Act, depth: Int)
    // A probe's view.
    case subscribed(probe: Int)
    case value(probe: Int, String)
    case completed(probe: Int, String)
    // A source's view, of its nth subscriber.
    case attached(source: Int, Int)
    case requested(source: Int, Int, Int)
    case cancelled(source: Int, Int)
    case answered(source: Int, Int, Int)
    // For whoever explains a difference; never compared.
    case opened(probe: Int)
    case answers(probe: Int, Int)
    case ended(source: Int, Int)
    case stirs(source: Int, Int)
    case belongs(source: Int, Int, position: Int)
    /// A closure of the operator was called.
    /// In a chain each operator has lanes of its own, one for what goes up and one for what goes down.
    case effect(String, lane: Int)
    // Who is still there after the end.
    case alive(String, Int)
  }

  public var entries: [Entry] = []
  /// Whether the run took more acts than any schedule needs.
  public var isEndless = false

  /// Where each entry is in the whole history, if this is a part of one.
  public var positions: [Int] = []

  public init() {}

  /// Who has a say in a comparison.
  public enum Party: Hashable, Sendable { case probe(Int), source(Int, Int), sources, effects(lane: Int), life }

  /// An entry, and how many acts from outside there were before it.
  public struct Moment: Hashable, Sendable {
    public let act: Int
    public let position: Int
    public let entry: Entry

    public static func == (a: Moment, b: Moment) -> Bool { a.act == b.act && a.entry == b.entry }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(act)
      hasher.combine(entry)
    }
  }

  /// What each party saw, in order. Between parties there is none: libraries may call one before the other.
  public var views: [Party: [Moment]] {
    calls.reduce(into: [:]) { views, moment in
      if let party = moment.entry.party { views[party, default: []].append(moment) }
    }
  }

  /// The same of all parties together.
  public var calls: [Moment] {
    var act = 0
    return entries.enumerated().compactMap { position, entry in
      if case .act(_, depth: 0) = entry { act += 1 }
      return entry.party == nil ? nil : Moment(act: act, position: position, entry: entry)
    }
  }
}

extension History.Entry {
  public var party: History.Party? {
    switch self {
    case .act, .opened, .answers, .ended, .stirs, .belongs: nil
    case .subscribed(let probe), .value(let probe, _), .completed(let probe, _): .probe(probe)
    case .attached: .sources
    case .requested(let source, let number, _), .cancelled(let source, let number),
      .answered(let source, let number, _):
      .source(source, number)
    case .effect(_, let lane): .effects(lane: lane)
    case .alive: .life
    }
  }
}

extension History.Entry: CustomStringConvertible {
  public var description: String {
    func words(_ demand: Int) -> String { demand == Act.unlimited ? "unlimited" : "\(demand)" }
    switch self {
    case .act(let act, let depth): return String(repeating: "  ", count: depth) + "> \(act)"
    case .subscribed(let probe): return "    probe \(probe) gets a subscription"
    case .value(let probe, let value): return "    probe \(probe) gets \(value)"
    case .completed(let probe, let how): return "    probe \(probe) gets \(how)"
    case .attached(let source, let number): return "    source \(source) gets subscriber \(number)"
    case .requested(let source, let number, let demand):
      return "    source \(source).\(number) is asked for \(words(demand))"
    case .cancelled(let source, let number): return "    source \(source).\(number) is cancelled"
    case .answered(let source, let number, let demand):
      return "    source \(source).\(number) is answered \(words(demand))"
    case .opened(let probe): return "    probe \(probe) has its subscription"
    case .ended(let source, let number): return "    source \(source).\(number) ends"
    case .stirs(let source, let number): return "    source \(source).\(number) acts while it is cancelled"
    case .belongs(let source, let number, let position):
      return "    source \(source).\(number) belongs to operator \(position)"
    case .answers(let probe, let demand): return "    probe \(probe) answers \(words(demand))"
    case .effect(let text, _): return "    \(text)"
    case .alive(let what, let count): return "    alive at the end: \(count) \(what)"
    }
  }
}
