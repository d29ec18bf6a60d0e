import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

/// Between two operators of a chain: changes nothing, and writes down what passes.
///
/// It is the downstream of the operator above and the upstream of the one below.
struct Seam: Publisher {
  typealias Output = Int
  typealias Failure = Fault

  let world: World
  /// The position of the operator below.
  let position: Int
  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Fault {
    upstream.subscribe(SeamSubscriber(world, position, world.addSeam(position), subscriber))
  }
}

private final class SeamSubscriber<Downstream: Subscriber>: Subscriber
where Downstream.Input == Int, Downstream.Failure == Fault {
  private let world: World
  private let position: Int
  private let number: Int
  private let downstream: Downstream
  private var isGiven = false
  private var isOver = false

  init(_ world: World, _ position: Int, _ number: Int, _ downstream: Downstream) {
    self.world = world
    self.position = position
    self.number = number
    self.downstream = downstream
  }

  private var probe: Int { History.seam(position, number) }

  func receive(subscription: any Subscription) {
    world.record(.subscribed(probe: probe))
    let number = isGiven ? 100 + number : number
    let seam = SeamSubscription(world, position, number, probe, subscription) { [isGiven, weak self] in
      if !isGiven { self?.isOver = true }
    }
    isGiven = true
    downstream.receive(subscription: seam)
    world.record(.opened(probe: probe))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    world.record(.value(probe: probe, "\(input)"))
    let more = downstream.receive(input)
    recordAnswer(more)
    return more
  }

  #if !OPENCOMBINE
    var _takesRuns: Bool { world.seams == .runs && downstream._takesRuns }

    func _receive(run: ArraySlice<Int>) -> Operators.Taken {
      let taken = downstream._receive(run: run)
      // One that is over takes no run, where single values reach it.
      for value in taken.count == 0 ? run : run.prefix(taken.count) { world.record(.value(probe: probe, "\(value)")) }
      recordAnswer(taken.demand)
      return taken
    }
  #endif

  private func recordAnswer(_ more: Subscribers.Demand) {
    world.record(.answers(probe: probe, more.act))
    if !isOver { world.record(.answered(source: History.seam(position), number, more.act)) }
  }

  func receive(completion: Subscribers.Completion<Fault>) {
    isOver = true
    let how = if case .failure(let fault) = completion { "\(fault)" } else { "finished" }
    world.record(.completed(probe: probe, how))
    world.record(.ended(source: History.seam(position), number))
    downstream.receive(completion: completion)
  }
}

private final class SeamSubscription: Subscription, CustomStringConvertible {
  private let world: World
  private let position: Int
  private let number: Int
  private let probe: Int
  private let subscription: any Subscription
  private let end: () -> Void

  init(
    _ world: World, _ position: Int, _ number: Int, _ probe: Int, _ subscription: any Subscription,
    end: @escaping () -> Void
  ) {
    self.world = world
    self.position = position
    self.number = number
    self.probe = probe
    self.subscription = subscription
    self.end = end
  }

  var description: String { "\(subscription)" }

  func request(_ demand: Subscribers.Demand) {
    world.record(.requested(source: History.seam(position), number, demand.act))
    world.record(.act(.request(probe: probe, demand.act), depth: 1))
    subscription.request(demand)
  }

  func cancel() {
    end()
    world.record(.cancelled(source: History.seam(position), number))
    world.record(.act(.cancel(probe: probe), depth: 1))
    subscription.cancel()
  }
}
