import Schedules

/// Where the libraries part: the earliest entry that one party sees otherwise.
///
/// What comes after may follow from it, so it is what an explanation must recognise.
struct Difference {
  let party: History.Party
  let ours: History.Entry?
  let theirs: History.Entry?
  /// What had happened before, in each library.
  let ourState: RunState
  let theirState: RunState
  /// Whether a source was asked for as much by both once the act from outside was over.
  let demandEvensOut: Bool
  /// Whether the same probes got their completion in the end.
  let endsInBoth: Bool

  init?(_ outcome: Outcome) {
    let (ours, theirs) = (Views(outcome.sluice), Views(outcome.openCombine))
    var first: (position: Int, party: History.Party, ours: Int?, theirs: Int?)?
    for party in outcome.differing where party != .life {
      let (a, b) = (ours.positions[party] ?? [], theirs.positions[party] ?? [])
      let common = zip(a, b).prefix { ours.entries[$0] == theirs.entries[$1] }.count
      let (i, j) = (a.dropFirst(common).first, b.dropFirst(common).first)
      let position = min(i ?? .max, j ?? .max)
      if position < first?.position ?? .max { first = (position, party, i, j) }
    }
    guard let first else { return nil }
    party = first.party
    self.ours = first.ours.map { ours.entries[$0] }
    self.theirs = first.theirs.map { theirs.entries[$0] }
    ourState = RunState(ours.entries.prefix(first.ours ?? ours.entries.count))
    theirState = RunState(theirs.entries.prefix(first.theirs ?? theirs.entries.count))
    let (ourEnd, theirEnd) = (RunState(ours.entries), RunState(theirs.entries))
    endsInBoth = !ourEnd.completed.isEmpty && ourEnd.completed == theirEnd.completed
    switch (self.ours, self.theirs) {
    case (.requested, .requested), (.requested, .answered), (.answered, .requested), (.answered, .answered),
      (nil, .requested), (.requested, nil):
      let here = [first.ours, first.theirs].compactMap { $0 }.count
      demandEvensOut = here > 0 && ours.asked(party, first.ours) == theirs.asked(party, first.theirs)
    default:
      demandEvensOut = false
    }
  }

  var isTheirCancel: Bool { if case .cancelled = theirs { true } else { false } }

  private struct Views {
    let entries: [History.Entry]
    var positions: [History.Party: [Int]] = [:]

    init(_ history: History) {
      entries = history.entries
      for (position, entry) in entries.enumerated() {
        if let party = entry.party { positions[party, default: []].append(position) }
      }
    }

    /// What a source was asked for, until the act from outside that the position belongs to was over.
    func asked(_ party: History.Party, _ position: Int?) -> Int {
      let rest = entries[(position ?? entries.count)...]
      let end = rest.firstIndex { if case .act(_, depth: 0) = $0 { true } else { false } } ?? entries.count
      var total = 0
      for entry in entries[..<end] where entry.party == party {
        switch entry {
        case .requested(_, _, let demand), .answered(_, _, let demand):
          total = demand == Act.unlimited ? 1_000_000 : total >= 1_000_000 ? total : total + demand
        default: break
        }
      }
      return total
    }
  }
}

/// How things stand at some point of a history.
struct RunState {
  struct Tap: Hashable {
    let source: Int
    let number: Int
  }

  /// Probes that got their subscription, and those whose `receive(subscription:)` is not over.
  private(set) var subscribed: Set<Int> = []
  private(set) var opening: Set<Int> = []
  private(set) var cancelled: Set<Int> = []
  private(set) var completed: Set<Int> = []
  /// How many values each probe is busy with.
  private(set) var busy: [Int: Int] = [:]
  private(set) var demand: [Int: Int] = [:]
  /// Upstreams that were cancelled, or are through.
  private(set) var cancelledTaps: Set<Tap> = []
  private(set) var endedTaps: Set<Tap> = []

  init(_ entries: some Sequence<History.Entry>) {
    for entry in entries { add(entry) }
  }

  /// Whether an upstream was asked for values before the probe had its subscription.
  private(set) var askedEarly = false
  /// Whether a probe got a value while it was busy with another.
  private(set) var hasNested = false

  private mutating func add(_ entry: History.Entry) {
    switch entry {
    case .act(.cancel(let probe), _): if subscribed.contains(probe) { cancelled.insert(probe) }
    case .act(.request(let probe, let more), _): if subscribed.contains(probe) { ask(probe, more) }
    case .subscribed(let probe):
      subscribed.insert(probe)
      opening.insert(probe)
    case .opened(let probe): opening.remove(probe)
    case .requested: if subscribed.isEmpty { askedEarly = true }
    case .value(let probe, _):
      if busy[probe, default: 0] > 0 { hasNested = true }
      busy[probe, default: 0] += 1
      ask(probe, -1, spent: true)
    case .answers(let probe, let more):
      busy[probe, default: 0] -= 1
      ask(probe, more)
    case .completed(let probe, _): completed.insert(probe)
    case .cancelled(let source, let number): cancelledTaps.insert(Tap(source: source, number: number))
    case .ended(let source, let number): endedTaps.insert(Tap(source: source, number: number))
    default: break
    }
  }

  private mutating func ask(_ probe: Int, _ more: Int, spent: Bool = false) {
    let unlimited = 1_000_000
    let now = demand[probe, default: 0]
    if now >= unlimited { return }
    demand[probe] = more == Act.unlimited && !spent ? unlimited : max(0, now + more)
  }

  func isOver(_ source: Int, _ number: Int) -> Bool {
    let tap = Tap(source: source, number: number)
    return cancelledTaps.contains(tap) || endedTaps.contains(tap)
  }
}
