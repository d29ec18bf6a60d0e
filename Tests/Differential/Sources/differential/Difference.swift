import Schedules

/// Where the libraries part: the earliest entry that one party sees otherwise.
///
/// What comes after may follow from it, so it is what an explanation must recognise.
struct Difference {
  let trial: Trial
  let position: Int
  /// When it was: the act from outside, whether it is an answer, and where in the whole history.
  let order: (Int, Int, Int)
  let party: History.Party
  let ours: History.Entry?
  let theirs: History.Entry?
  /// What had happened before, in each library.
  let ourState: RunState
  let theirState: RunState
  /// How things stood once the act from outside was over.
  let ourEnd: RunState
  /// Whether a source was asked for as much by both once the act from outside was over.
  let demandEvensOut: Bool
  /// Whether the same probes got their completion in the end.
  let endsInBoth: Bool

  init?(_ outcome: Outcome) {
    let (ours, theirs) = (outcome.sluice.views, outcome.openCombine.views)
    var first: (party: History.Party, ours: History.Moment?, theirs: History.Moment?, order: (Int, Int, Int))?
    for party in outcome.differing where party != .life {
      let (a, b) = (ours[party] ?? [], theirs[party] ?? [])
      let common = zip(a, b).prefix { $0 == $1 }.count
      var (i, j) = (a.dropFirst(common).first, b.dropFirst(common).first)
      // What came with a later act did not come with this one.
      if let x = i, let y = j, x.act != y.act { if x.act < y.act { j = nil } else { i = nil } }
      let orders = [i?.order(in: outcome.sluice), j?.order(in: outcome.openCombine)]
      guard let order = orders.compactMap({ $0 }).min(by: <) else { continue }
      if let first, first.order <= order { continue }
      first = (party, i, j, order)
    }
    guard let first else { return nil }
    self.init(outcome, first.party, first.ours, first.theirs, first.order)
  }

  /// The calls that are at these places of the whole histories, of which the later one has not come yet.
  init?(_ outcome: Outcome, at ourPlace: Int?, _ theirPlace: Int?) {
    func moment(_ history: History, _ place: Int?) -> History.Moment? {
      place.flatMap(history.positions.firstIndex).flatMap { position in
        history.calls.first { $0.position == position }
      }
    }
    var (ours, theirs) = (moment(outcome.sluice, ourPlace), moment(outcome.openCombine, theirPlace))
    if let x = ours, let y = theirs, x.act != y.act { if x.act < y.act { theirs = nil } else { ours = nil } }
    guard let first = ours ?? theirs, let party = first.entry.party else { return nil }
    let theirParty = theirs?.entry.party ?? party
    self.init(outcome, party, ours, theirs, (first.act, 0, first.position))
    func isLater(_ entry: History.Entry?, _ act: [History.Entry]) -> Bool { entry.map(act.contains) ?? true }
    isReordered =
      (ours == nil || theirs == nil || party != theirParty) && isLater(self.ours, theirAct)
      && isLater(self.theirs, ourAct)
  }

  private init(
    _ outcome: Outcome, _ party: History.Party, _ ours: History.Moment?, _ theirs: History.Moment?,
    _ order: (Int, Int, Int)
  ) {
    let first = (ours: ours, theirs: theirs)
    let (ourEntries, theirEntries) = (outcome.sluice.entries, outcome.openCombine.entries)
    let ourPast = ourEntries.prefix(first.ours?.position ?? Difference.end(of: order.0, ourEntries))
    let theirPast = theirEntries.prefix(first.theirs?.position ?? Difference.end(of: order.0, theirEntries))
    isCalledAlike = zip(ourPast.lazy.filter(\.isCall), theirPast.lazy.filter(\.isCall)).allSatisfy { $0.isSame(as: $1) }
    trial = outcome.trial
    position = outcome.position
    self.order = order
    self.party = party
    self.ours = first.ours?.entry
    self.theirs = first.theirs?.entry
    let act = order.0
    ourState = RunState(ourEntries.prefix(first.ours?.position ?? Difference.end(of: act, ourEntries)))
    theirState = RunState(theirEntries.prefix(first.theirs?.position ?? Difference.end(of: act, theirEntries)))
    ourEnd = RunState(ourEntries.prefix(Difference.end(of: act, ourEntries)))
    let completed = [ourEntries, theirEntries].map { RunState($0).completed }
    endsInBoth = !completed[0].isEmpty && completed[0] == completed[1]
    ourAct = Difference.act(act, ourEntries)
    theirAct = Difference.act(act, theirEntries)
    let ourDemand = Difference.demand(party, ourEntries.prefix(Difference.end(of: act, ourEntries)))
    let theirDemand = Difference.demand(party, theirEntries.prefix(Difference.end(of: act, theirEntries)))
    switch (self.ours, self.theirs) {
    case (.requested, .requested), (.answered, .answered): demandEvensOut = ourDemand == theirDemand
    case (_, .requested):
      // Ours makes up for it until the act is over; what theirs asks for on account of what came then is beyond it.
      let theirs = Difference.demand(party, theirEntries.prefix((first.theirs?.position ?? 0) + 1))
      demandEvensOut = ourDemand == theirDemand || ourDemand >= theirs
    case (.requested, _):
      let ours = Difference.demand(party, ourEntries.prefix((first.ours?.position ?? 0) + 1))
      demandEvensOut = ourDemand == theirDemand || theirDemand >= ours
    default: demandEvensOut = false
    }
    let ourStir = (first.ours?.position).map { ourEntries.prefix($0) } ?? ourEntries[...]
    let theirStir = (first.theirs?.position).map { theirEntries.prefix($0) } ?? theirEntries[...]
    func stirs(_ entries: some Sequence<History.Entry>) -> Bool {
      entries.contains { if case .stirs = $0 { true } else { false } }
    }
    hasStirred = stirs(ourStir) || stirs(theirStir)
    cancelsTwice = ourStir.count { if case .act(.cancel, _) = $0 { true } else { false } } > 1
    upstreamAnswersOtherwise =
      Difference.answeredRequests(ourEntries.prefix(Difference.end(of: act, ourEntries)))
      != Difference.answeredRequests(theirEntries.prefix(Difference.end(of: act, theirEntries)))
    stirred = stirs(Difference.act(act, ourStir)) || stirs(Difference.act(act, theirStir))
  }

  /// Whether both make the same calls in the act, to different parties in another order.
  private(set) var isReordered = false
  /// Whether the operator was called alike before, by its downstream and by its upstreams.
  let isCalledAlike: Bool
  /// What came of the act from outside, in each library.
  let ourAct: [History.Entry]
  let theirAct: [History.Entry]
  /// Whether an upstream did something while it was being cancelled, before the difference and in the same act.
  let stirred: Bool
  /// The same in any act.
  let hasStirred: Bool
  let cancelsTwice: Bool
  /// Whether what the upstreams do from within requests differs.
  let upstreamAnswersOtherwise: Bool

  private static func answeredRequests(_ entries: some Sequence<History.Entry>) -> [History.Entry] {
    let entries = Array(entries)
    return zip(entries, entries.dropFirst()).compactMap { entry, next in
      guard case .requested = entry, case .act(_, depth: 1...) = next else { return nil }
      return next
    }
  }

  private static func act(_ act: Int, _ entries: some Sequence<History.Entry>) -> [History.Entry] {
    var acts = 0
    return entries.filter { entry in
      if case .act(_, depth: 0) = entry { acts += 1 }
      return acts == act
    }
  }

  /// Where the act from outside is over.
  private static func end(of act: Int, _ entries: [History.Entry]) -> Int {
    var acts = 0
    for (position, entry) in entries.enumerated() {
      if case .act(_, depth: 0) = entry { acts += 1 }
      if acts > act { return position }
    }
    return entries.count
  }

  /// What a source was asked for.
  private static func demand(_ party: History.Party, _ entries: some Sequence<History.Entry>) -> Int {
    var total = 0
    for entry in entries where entry.party == party {
      switch entry {
      case .requested(_, _, let demand), .answered(_, _, let demand):
        total = demand == Act.unlimited ? 1_000_000 : total >= 1_000_000 ? total : total + demand
      default: break
      }
    }
    return total
  }

  /// Whether theirs gives fewer values in the act, none of them others.
  var givesFewer: Bool {
    var left = values(ourAct)
    for value in values(theirAct) {
      guard let index = left.firstIndex(of: value) else { return false }
      left.remove(at: index)
    }
    return !left.isEmpty
  }

  /// Whether the act has a probe ask for more from within a call.
  func isAskedWithin(_ act: [History.Entry]) -> Bool {
    act.contains { entry in
      switch entry {
      case .act(.request, depth: 1...): true
      case .answers(_, let more): more != 0
      default: false
      }
    }
  }

  /// What passes between the operator and its upstreams.
  func exchange(_ act: [History.Entry]) -> [History.Entry] {
    act.filter { entry in
      switch entry {
      case .requested, .answered: true
      default: false
      }
    }
  }

  /// What the schedule did, in order: from within calls, too.
  func acts(_ act: [History.Entry]) -> [History.Entry] {
    act.filter { if case .act = $0 { true } else { false } }
  }

  enum Asking { case never, between, afterwards }

  /// Whether requests go up between the values of the act, or only after the last one.
  func asks(_ act: [History.Entry]) -> Asking {
    guard let request = act.firstIndex(where: { if case .requested = $0 { true } else { false } }) else {
      return .never
    }
    let value = act.lastIndex { if case .value = $0 { true } else { false } }
    return request < value ?? 0 ? .between : .afterwards
  }

  /// How much comes between the failure of an upstream and the next subscription.
  func retryDelay(_ act: [History.Entry]) -> Int? {
    guard let end = act.firstIndex(where: { if case .ended = $0 { true } else { false } }) else { return nil }
    return act[end...].firstIndex { if case .attached = $0 { true } else { false } }.map { $0 - end }
  }

  /// The values that each library gave in the act.
  func values(_ act: [History.Entry]) -> [String] {
    act.compactMap { if case .value(_, let value) = $0 { value } else { nil } }
  }

  /// Whether each library's downstream has cancelled or got its end.
  var isOverForProbes: Bool {
    [ourState, theirState].allSatisfy { !($0.cancelled.isEmpty && $0.completed.isEmpty) }
  }

  /// The number of the upstream that it is about.
  var number: Int { if case .source(_, let number) = party { number } else { 0 } }

  var isOurCancel: Bool { if case .cancelled = ours { true } else { false } }
  var isTheirCancel: Bool { if case .cancelled = theirs { true } else { false } }
}

extension History.Entry {
  /// An act from within a call may be deeper in one library than in the other.
  func isSame(as other: History.Entry) -> Bool {
    if case (.act(let ours, depth: 1...), .act(let theirs, depth: 1...)) = (self, other) { return ours == theirs }
    return self == other
  }

  /// Whether it is a call of the operator, by its downstream or an upstream, or decides whether there can be one.
  fileprivate var isCall: Bool {
    switch self {
    case .act(.subscribe, _), .act(.request, _), .act(.cancel, _), .act(.send, _), .subscribed, .answers, .ended: true
    default: false
    }
  }
}

extension History.Moment {
  /// Sorts by the act that led to it; what follows from a call comes after the call itself.
  fileprivate func order(in history: History) -> (Int, Int, Int) {
    let position = history.positions.isEmpty ? position : history.positions[position]
    return if case .answered = entry { (act, 1, position) } else { (act, 0, position) }
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
  /// Whether something happened between that and the end of the probe's `receive(subscription:)`.
  private(set) var spokeEarly = false
  /// Whether time passed from within a call of a probe.
  private(set) var timePassedWithin = false
  /// Whether a probe got its completion while one was busy with a value.
  private(set) var completedWhileBusy = false
  /// Whether the first request went up only when the probe had its subscription, or when time had passed.
  private(set) var hasBeenAskedLate = false
  private var hasBeenAsked = false
  /// Whether a probe got a value while it was busy with another.
  private(set) var hasNested = false

  private mutating func add(_ entry: History.Entry) {
    if case .act(_, depth: 1...) = entry, subscribed.isEmpty ? askedEarly : !opening.isEmpty { spokeEarly = true }
    switch entry {
    case .act(.advance, _):
      if !opening.isEmpty || isBusy { timePassedWithin = true }
    case .act(.cancel(let probe), _): if subscribed.contains(probe) { cancelled.insert(probe) }
    case .act(.request(let probe, let more), _):
      if subscribed.contains(probe) { ask(probe, more) }
    case .subscribed(let probe):
      subscribed.insert(probe)
      opening.insert(probe)
    case .opened(let probe): opening.remove(probe)
    case .requested:
      if !hasBeenAsked { hasBeenAskedLate = opening.isEmpty || timePassedWithin }
      hasBeenAsked = true
      if subscribed.isEmpty { askedEarly = true }
    case .value(let probe, _):
      if busy[probe, default: 0] > 0 { hasNested = true }
      busy[probe, default: 0] += 1
      ask(probe, -1, spent: true)
    case .answers(let probe, let more):
      busy[probe, default: 0] -= 1
      ask(probe, more)
    case .completed(let probe, _):
      if isBusy { completedWhileBusy = true }
      completed.insert(probe)
    case .cancelled(let source, let number): cancelledTaps.insert(Tap(source: source, number: number))
    case .ended(let source, let number):
      endedTaps.insert(Tap(source: source, number: number))
    default: break
    }
  }

  private mutating func ask(_ probe: Int, _ more: Int, spent: Bool = false) {
    let unlimited = 1_000_000
    let now = demand[probe, default: 0]
    if now >= unlimited { return }
    demand[probe] = more == Act.unlimited && !spent ? unlimited : max(0, now + more)
  }

  var isBusy: Bool { busy.values.contains { $0 > 0 } }

  func isOver(_ source: Int, _ number: Int) -> Bool {
    let tap = Tap(source: source, number: number)
    return cancelledTaps.contains(tap) || endedTaps.contains(tap)
  }
}
