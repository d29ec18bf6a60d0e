import Sluice

/// A subscriber's connection to a source that continues without demand. A conduit treats it as upstream.
final class SourceLink: Subscription {
  private let detaching: AnyCancellable

  /// - Parameter detach: Called once, when the subscription is cancelled or released.
  init(_ detach: @escaping () -> Void) { detaching = AnyCancellable(detach) }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { detaching.cancel() }
}

extension Operators.Conduit {
  /// The unmet demand, for a mirror.
  func demand<Value, Failure>() -> Subscribers.Demand where Core == Operators.RelayCore<Value, Failure> {
    var demand = Subscribers.Demand.none
    feed(answering: -1, passing: { _ in nil }, settling: { demand = $0 }) { $0.demand }
    return demand
  }
}
