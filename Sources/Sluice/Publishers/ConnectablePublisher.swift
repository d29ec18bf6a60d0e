/// A publisher that starts only when it is connected, so that all its subscribers can come before.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts the publisher.
  /// - Returns: A cancellable. Keep it. It stops the publisher for all subscribers when it is cancelled.
  func connect() -> any Cancellable
}
