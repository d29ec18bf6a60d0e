/// A publisher that starts only when told to, so that all its subscribers can be there.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts it.
  /// - Returns: Keep it: cancelling it stops the publisher for all subscribers.
  func connect() -> any Cancellable
}
