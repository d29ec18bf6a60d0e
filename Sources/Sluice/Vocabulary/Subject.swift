/// A publisher that outside code feeds by calling `send`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Publishes a value.
  func send(_ value: Output)
  /// Ends the stream by finishing or with a failure.
  func send(completion: Subscribers.Completion<Failure>)
  /// Takes a subscription whose values this subject publishes.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal that carries no value.
  @inlinable public func send() { send(()) }
}
