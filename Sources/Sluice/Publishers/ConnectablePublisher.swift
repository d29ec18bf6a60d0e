/// A publisher that starts only when it is connected, so that all its subscribers can be there before.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the publisher.
  /// - Returns: What stops the publisher for all subscribers when it is cancelled; keep it.
  func connect() -> any Cancellable
}
