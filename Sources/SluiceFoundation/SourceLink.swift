import Sluice

/// A subscriber's tie to a source that goes on whether it is asked or not, for a conduit to treat as upstream.
final class SourceLink: Subscription {
  private let detaching: AnyCancellable

  /// - Parameter detach: Called once, when the subscription is cancelled or let go of.
  init(_ detach: @escaping () -> Void) { detaching = AnyCancellable(detach) }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { detaching.cancel() }
}

extension Operators.Conduit {
  /// What is still to be delivered, for a mirror.
  func demand<Value, Failure>() -> Subscribers.Demand where Core == Operators.RelayCore<Value, Failure> {
    var demand = Subscribers.Demand.none
    feed(answering: -1, passing: { _ in nil }, settling: { demand = $0 }) { $0.demand }
    return demand
  }
}
