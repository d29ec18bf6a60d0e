/// A publisher that other code feeds by calling `send`.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Publishes a value.
  func send(_ value: Output)
  /// Ends the stream: it finishes or fails.
  func send(completion: Subscribers.Completion<Failure>)
  /// Receives a subscription. The subject publishes its values.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal without a value.
  @inlinable public func send() { send(()) }
}
