import Schedules

#if OPENCOMBINE
  import OpenCombine
#else
  import Sluice
#endif

protocol ProbeControl: AnyObject {
  var index: Int { get }
  var isOver: Bool { get }
  var isCancelled: Bool { get }
  func request(_ demand: Subscribers.Demand)
  func cancel()
  func take() -> (any Subscription)?
}

/// A downstream that writes down what it gets and reacts as the schedule says.
final class Probe<Input, Failure: Error>: Subscriber, ProbeControl {
  let world: World
  let index: Int
  private var subscription: (any Subscription)?
  private var received = 0
  private(set) var isOver = false
  private(set) var isCancelled = false

  init(_ world: World, _ index: Int) {
    self.world = world
    self.index = index
  }

  func receive(subscription: any Subscription) {
    world.record(.subscribed(probe: index))
    guard self.subscription == nil else { return subscription.cancel() }
    self.subscription = subscription
    world.perform(own(world.schedule.onSubscription.dropFirst(index).first?.acts ?? []))
    world.record(.opened(probe: index))
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    world.record(.value(probe: index, describe(input)))
    received += 1
    let reaction = world.schedule.onValue.dropFirst(received - 1).first ?? Reaction()
    world.perform(own(reaction.acts))
    world.record(.answers(probe: index, reaction.answer))
    return Subscribers.Demand(act: reaction.answer)
  }

  #if !OPENCOMBINE
    /// Of every second schedule, so that runs are handed over in both ways.
    var _takesRuns: Bool { world.schedule.seed % 2 == 0 }

    func _receive(run: ArraySlice<Input>) -> Operators.Taken { _receiveEach(of: run) { !isOver } }
  #endif

  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: world.record(.completed(probe: index, "finished"))
    case .failure(let error): world.record(.completed(probe: index, describe(error)))
    }
    isOver = true
    world.perform(own(world.schedule.onCompletion.acts))
  }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() {
    isCancelled = isCancelled || subscription != nil
    isOver = isOver || isCancelled
    subscription?.cancel()
  }

  func take() -> (any Subscription)? {
    defer { subscription = nil }
    return subscription
  }

  /// Reactions are made for probe 0; each probe asks and cancels for itself.
  private func own(_ acts: [Act]) -> [Act] {
    if index == 0 { return acts }
    return acts.map { act in
      switch act {
      case .request(0, let demand): .request(probe: index, demand)
      case .cancel(0): .cancel(probe: index)
      default: act
      }
    }
  }
}

func describe(_ value: Any) -> String {
  if let value = value as? Int { return value.description }
  return "\(value)"
}
