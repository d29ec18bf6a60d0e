/// Makes a new publisher for each subscriber.
///
/// ```swift
/// let readings = Deferred { openSensor().readings }
/// ```
public struct Deferred<DeferredPublisher: Publisher>: _DirectPublisher {
  /// The type of its values.
  public typealias Output = DeferredPublisher.Output
  /// The type of the publisher's failure.
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that makes a publisher for each subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher that gets the real publisher from a closure.
  @inlinable public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  /// Attaches a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher()._attach(subscriber)
  }
}
