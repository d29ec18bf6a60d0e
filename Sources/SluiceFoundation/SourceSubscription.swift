import Sluice

/// What the publishers of this module give a subscriber: a request for nothing, which a subject's subscription does not
/// take, is no mistake here; as in Combine.
class SourceSubscription: Subscription {
  private let upstream: any Subscription

  init(_ upstream: any Subscription) { self.upstream = upstream }

  func request(_ demand: Subscribers.Demand) {
    if demand != .none { upstream.request(demand) }
  }

  func cancel() { upstream.cancel() }
}

extension AnySubscriber {
  /// Hides the type of a subscriber, and gives it a subscription of another kind.
  init<S: Subscriber>(_ subscriber: S, _ wrap: @escaping (any Subscription) -> SourceSubscription)
  where S.Input == Input, S.Failure == Failure {
    self.init(
      receiveSubscription: { subscriber.receive(subscription: wrap($0)) }, receiveValue: { subscriber.receive($0) },
      receiveCompletion: { subscriber.receive(completion: $0) })
  }
}

/// A subscriber's tie to a source that goes on whether it is asked or not, for a conduit to treat as upstream.
final class SourceLink: Subscription {
  private let detaching: AnyCancellable

  /// - Parameter detach: Called once, when the subscription is cancelled or let go of.
  init(_ detach: @escaping () -> Void) { detaching = AnyCancellable(detach) }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { detaching.cancel() }
}
