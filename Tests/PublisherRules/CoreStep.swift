import Sluice

/// What a core says is next, with what goes with it.
package enum CoreStep<Core: Operators.Core> {
  case deliver(Core.Output)
  case complete(Subscribers.Completion<Core.Failure>)
  case request(Subscribers.Demand, inlet: Int)
  case cancel(inlet: Int)
  case perform(Core.Effect)
}

extension Operators.Core {
  package mutating func step() -> CoreStep<Self>? {
    var out = Operators.Outbox<Self>()
    switch next(&out)?.kind {
    case nil: return nil
    case .deliver: return out.output.map { .deliver($0) }
    case .deliverRun: return nil  // not unless it was told to give runs
    case .complete: return out.completion.map { .complete($0) }
    case .request(let demand, let inlet): return .request(demand, inlet: inlet)
    case .cancel(let inlet): return .cancel(inlet: inlet)
    case .perform: return out.effect.map { .perform($0) }
    }
  }
}
