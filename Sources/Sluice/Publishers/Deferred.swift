/// Makes a new publisher for each subscriber.
///
/// ```swift
/// let readings = Deferred { openSensor().readings }
/// ```
public struct Deferred<DeferredPublisher: Publisher>: _DirectPublisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that makes a publisher for each subscriber.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher that gets the real publisher from a closure.
  @inlinable public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher()._attach(subscriber)
  }
}
