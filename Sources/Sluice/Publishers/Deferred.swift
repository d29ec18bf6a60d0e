/// Makes a publisher for each subscriber when it comes.
///
/// ```swift
/// let readings = Deferred { openSensor().readings }
/// ```
public struct Deferred<DeferredPublisher: Publisher>: _DirectPublisher {
  public typealias Output = DeferredPublisher.Output
  public typealias Failure = DeferredPublisher.Failure

  public let createPublisher: () -> DeferredPublisher

  @inlinable public init(createPublisher: @escaping () -> DeferredPublisher) { self.createPublisher = createPublisher }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher()._attach(subscriber)
  }
}
