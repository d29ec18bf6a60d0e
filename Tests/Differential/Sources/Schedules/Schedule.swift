/// What happens to an operator in one run. Made from a seed alone, so a seed says everything.
public struct Schedule: Hashable, Sendable {
  /// How far the sources keep to the rules of reactive streams.
  public enum Law: Int, Comparable, Sendable, CaseIterable {
    /// Never more than was asked for, nothing before the subscription, after the end or after a cancel.
    case lawful
    /// Values that nobody asked for, too.
    case ignoresDemand
    /// Also after a cancel, as a source on another thread does that has not noticed it yet.
    case ignoresCancel

    public static func < (a: Law, b: Law) -> Bool { a.rawValue < b.rawValue }
  }

  public static let sources = 4
  public static let probes = 3

  public var seed: UInt64
  public var law: Law
  /// What operators take from the schedule: counts, policies, thresholds.
  public var parameters: [Int]
  /// Sources that give their subscription only when the schedule says so.
  public var late: Set<Int> = []
  public var onSubscription: [Reaction] = []
  /// To the first value, the second, and so on, of each probe.
  public var onValue: [Reaction] = []
  public var onCompletion: Reaction = Reaction()
  /// What a source does when it was subscribed to, asked the first time, the second time, and so on.
  public var onAttach: [[Reaction]] = Array(repeating: [], count: sources)
  public var onRequest: [[Reaction]] = Array(repeating: [], count: sources)
  public var onCancel: [Reaction] = Array(repeating: Reaction(), count: sources)
  public var events: [Act]

  /// How much acts a run may take before it counts as endless.
  public static let limit = 2_000

  /// What the operator makes sense of.
  public struct Shape: Sendable {
    /// How many sources there are; source 0 is the upstream.
    public var sources = 1
    /// How many downstreams may subscribe.
    public var probes = 1
    public var timed = false
    public var connects = false
    public var fails = true
    public var law = Law.ignoresCancel
    /// Whether upstream may give its subscription late or twice.
    public var subscriptions = true

    public init() {}
  }

  /// - Parameter position: Of the operator in its chain: each takes other parameters.
  public func parameter(_ index: Int, at position: Int) -> Int {
    parameters[(position * 4 + index) % parameters.count]
  }

  public init(seed: UInt64, shape: Shape) {
    var random = SplitMix64(seed: seed)
    self.seed = seed
    let dice = random.below(10)
    law = min(dice < 6 ? .lawful : dice < 9 ? .ignoresDemand : .ignoresCancel, shape.law)
    parameters = (0..<20).map { _ in random.below(64) }
    var generator = Generator(random: random, shape: shape)
    if shape.subscriptions {
      for source in 0..<shape.sources where generator.random.chance(6) { late.insert(source) }
    }
    events = []
    generator.fill(&self)
  }
}

extension Schedule {
  fileprivate mutating func filter(_ isKept: (Act) -> Bool) { change { $0.filter(isKept) } }

  /// Changes the acts from outside, and those of every reaction.
  fileprivate mutating func change(_ changed: ([Act]) -> [Act]) {
    func change(_ reactions: inout [Reaction]) {
      for index in reactions.indices { reactions[index].acts = changed(reactions[index].acts) }
    }
    events = changed(events)
    change(&onSubscription)
    change(&onValue)
    onCompletion.acts = changed(onCompletion.acts)
    for source in onAttach.indices {
      change(&onAttach[source])
      change(&onRequest[source])
    }
    change(&onCancel)
  }
}

private struct Generator {
  var random: SplitMix64
  let shape: Schedule.Shape

  mutating func fill(_ schedule: inout Schedule) {
    // Few reactions keep most runs simple; some have many, so that everything is entered again from within.
    let liveliness = [0, 10, 30, 60][random.below(4)]
    let generous = random.chance(50)
    for _ in 0..<shape.probes {
      let first = random.chance(85) ? [Act.request(probe: 0, generous ? demand() : 1 + random.below(3))] : []
      schedule.onSubscription.append(Reaction(first + acts(liveliness / 3)))
    }
    for _ in 0..<random.below(9) {
      schedule.onValue.append(Reaction(acts(liveliness), answer: answer()))
    }
    schedule.onCompletion = Reaction(acts(liveliness / 2))
    for source in 0..<shape.sources {
      for _ in 0..<2 { schedule.onAttach[source].append(Reaction(sourceActs(source, liveliness / 3))) }
      for _ in 0..<3 { schedule.onRequest[source].append(Reaction(sourceActs(source, liveliness / 2))) }
      schedule.onCancel[source] = Reaction(acts(liveliness / 4))
    }
    if random.chance(90) { schedule.events.append(.subscribe(probe: 0)) }
    for _ in 0..<(2 + random.below(14)) { schedule.events.append(act()) }
    if shape.probes > 1 { random.chance(50) ? single(&schedule) : several(&schedule) }
    if random.chance(50) { schedule.change(gathered) }
  }

  /// Makes one act of the values that a source sends one after the other.
  private func gathered(_ acts: [Act]) -> [Act] {
    acts.reduce(into: []) { gathered, act in
      if case .send(let source, let values) = act, case .send(source, let former) = gathered.last {
        gathered[gathered.count - 1] = .send(source: source, former + values)
      } else {
        gathered.append(act)
      }
    }
  }

  /// One downstream only, which may do anything.
  private func single(_ schedule: inout Schedule) {
    var seen = false
    schedule.filter { act in
      guard case .subscribe = act else { return true }
      defer { seen = true }
      return !seen
    }
  }

  /// Several downstreams: OpenCombine serves them in no particular order, so none of them may do from within a call
  /// what another one notices.
  private func several(_ schedule: inout Schedule) {
    let (events, first) = (schedule.events, schedule.onSubscription)
    let subscribing = events.filter { if case .subscribe = $0 { true } else { false } }
    // One that subscribes twice would mean its last subscription in the first one's calls.
    let isEachOnce = Set(subscribing).count == subscribing.count
    func isOwn(_ act: Act) -> Bool {
      switch act {
      case .request(let probe, _), .cancel(let probe): probe == 0
      default: false
      }
    }
    schedule.filter { isEachOnce && isOwn($0) }
    schedule.events = events
    schedule.onSubscription = first.map { Reaction($0.acts.filter(isOwn), answer: $0.answer) }
  }

  mutating func demand() -> Int { random.chance(30) ? Act.unlimited : 1 + random.below(4) }

  mutating func answer() -> Int {
    switch random.below(20) {
    case 0..<11: 0
    case 11..<16: 1
    case 16..<19: 2 + random.below(3)
    default: Act.unlimited
    }
  }

  mutating func acts(_ percent: Int) -> [Act] {
    var acts: [Act] = []
    while acts.count < 4, random.chance(percent) { acts.append(act()) }
    return acts
  }

  /// Mostly what a synchronous source does: values, then perhaps the end.
  mutating func sourceActs(_ source: Int, _ percent: Int) -> [Act] {
    guard random.chance(percent) else { return [] }
    if random.chance(20) { return [act()] }
    var acts: [Act] = (0..<random.below(4)).map { _ in .send(source: source, [random.below(6)]) }
    if random.chance(30) { acts.append(end(source)) }
    return acts
  }

  mutating func end(_ source: Int) -> Act {
    shape.fails && random.chance(45) ? .fail(source: source, random.below(3)) : .finish(source: source)
  }

  mutating func act() -> Act {
    let source = random.below(shape.sources)
    let probe = random.below(shape.probes)
    switch random.below(100) {
    case 0..<46: return .send(source: source, [random.below(6)])
    case 46..<56: return end(source)
    case 56..<72: return .request(probe: probe, demand())
    case 72..<76: return .cancel(probe: probe)
    case 76..<79: return shape.subscriptions ? .subscription(source: source) : .send(source: source, [random.below(6)])
    case 79..<85 where shape.connects: return random.chance(70) ? .connect : .disconnect
    case 79..<85 where shape.probes > 1: return .subscribe(probe: probe)
    case 79..<94 where shape.timed: return .advance(1 + random.below(12))
    default: return .send(source: source, [random.below(6)])
    }
  }
}
