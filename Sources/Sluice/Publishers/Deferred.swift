/// Makes a new publisher for each subscriber.
///
/// ```swift
/// let readings = Deferred { openSensor().readings }
/// ```
public struct Deferred<DeferredPublisher: Publisher>: _DirectPublisher {
  /// The type of the values that it publishes.
  public typealias Output = DeferredPublisher.Output
  /// The type of the publisher's failure.
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that makes a publisher for each subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher that asks a closure for the real one.
  @inlinable public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  /// Attaches a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher()._attach(subscriber)
  }
}
