import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

struct Fault: Error, Hashable, Codable, CustomStringConvertible {
  var code: Int
  var description: String { "fault \(code)" }
}

/// A source of the schedule.
struct Source: Publisher {
  typealias Output = Int
  typealias Failure = Fault

  let world: World
  let index: Int
  /// The operator that it is for.
  let position: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Fault {
    let tap = Tap(
      world, index, receive: { values, isWanted in subscriber.receive(values, while: isWanted) },
      complete: { subscriber.receive(completion: $0) }, subscribe: { subscriber.receive(subscription: $0) })
    tap.number = world.add(tap, at: position)
    if !world.schedule.late.contains(index) { tap.give() }
    if let reaction = world.schedule.onAttach[index].dropFirst(tap.number).first { world.perform(reaction.acts) }
  }
}

/// What a source knows of one subscriber.
final class Tap: Subscription, CustomStringConvertible {
  let world: World
  let source: Int
  var number = 0
  /// Takes values while the second argument says so; returns how many more are wanted.
  private var receive: (([Int], () -> Bool) -> Subscribers.Demand)?
  private var complete: ((Subscribers.Completion<Fault>) -> Void)?
  private var subscribe: ((any Subscription) -> Void)?
  private var demand = Subscribers.Demand.none
  private var isGiven = false
  private var isDone = false
  private var isCancelled = false
  private var isSendingSeveral = false
  /// What comes up while several values are sent.
  private var waiting: [Act] = []

  init(
    _ world: World, _ source: Int, receive: @escaping ([Int], () -> Bool) -> Subscribers.Demand,
    complete: @escaping (Subscribers.Completion<Fault>) -> Void, subscribe: @escaping (any Subscription) -> Void
  ) {
    self.world = world
    self.source = source
    self.receive = receive
    self.complete = complete
    self.subscribe = subscribe
  }

  var description: String { "Source" }
  var isOver: Bool { isDone || isCancelled }

  func give() {
    isGiven = true
    subscribe?(self)
  }

  func perform(_ act: Act) {
    // A source that hands several values down does nothing else before that is over.
    if isSendingSeveral { return waiting.append(act) }
    switch act {
    case .send(_, let values): values.count > 1 ? sendSeveral(values) : send(values)
    case .finish: end(.finished)
    case .fail(_, let code): end(.failure(Fault(code: code)))
    default:
      if isGiven { subscribe?(SecondSubscription(world, source, 100 + number)) } else { give() }
    }
  }

  private var maySpeak: Bool { isGiven && !isDone && (!isCancelled || world.schedule.law == .ignoresCancel) }

  private func sendSeveral(_ values: [Int]) {
    isSendingSeveral = true
    var rest = values[...]
    while !rest.isEmpty, maySpeak {
      // As many as are wanted; or else one, if the source is not lawful.
      let count = isCancelled ? 1 : min(rest.count, max(demand.max ?? rest.count, 1))
      send(Array(rest.prefix(count)))
      rest.removeFirst(count)
    }
    isSendingSeveral = false
    while !isSendingSeveral, !waiting.isEmpty { perform(waiting.removeFirst()) }
  }

  private func send(_ values: [Int]) {
    guard maySpeak, let receive, world.schedule.law != .lawful || demand > .none else { return }
    if demand > .none { demand -= values.count }
    let more = receive(values) { self.maySpeak && !self.isCancelled }
    // After the end, or when all have cancelled, nobody may use the answer.
    if !isOver, !world.isCancelled { world.record(.answered(source: source, number, more.act)) }
    demand += more
  }

  private func end(_ completion: Subscribers.Completion<Fault>) {
    guard maySpeak, let complete else { return }
    isDone = true
    world.record(.ended(source: source, number))
    release()
    complete(completion)
  }

  func request(_ demand: Subscribers.Demand) {
    world.record(.requested(source: source, number, demand.act))
    self.demand += demand
    world.requested(source)
  }

  func cancel() {
    world.record(.cancelled(source: source, number))
    isCancelled = true
    if world.schedule.law != .ignoresCancel { release() }
    let acts = world.schedule.onCancel[source].acts
    if !acts.isEmpty { world.record(.stirs(source: source, number)) }
    world.perform(acts)
  }

  func release() { (receive, complete, subscribe) = (nil, nil, nil) }
}

extension Subscriber {
  /// One by one for a library that has no runs.
  fileprivate func receive(_ values: [Input], while isWanted: () -> Bool) -> Subscribers.Demand {
    if values.count == 1 { return receive(values[0]) }
    #if OPENCOMBINE
      var demand = Subscribers.Demand.none
      for value in values where isWanted() { demand += receive(value) }
      return demand
    #else
      return _receive(run: values[...], while: isWanted).demand
    #endif
  }
}

/// One that nobody should want.
private final class SecondSubscription: Subscription, CustomStringConvertible {
  let world: World
  let source: Int
  let number: Int

  init(_ world: World, _ source: Int, _ number: Int) {
    self.world = world
    self.source = source
    self.number = number
  }

  var description: String { "Source" }
  func request(_ demand: Subscribers.Demand) { world.record(.requested(source: source, number, demand.act)) }
  func cancel() { world.record(.cancelled(source: source, number)) }
}
