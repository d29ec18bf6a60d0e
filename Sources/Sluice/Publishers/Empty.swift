/// Publishes nothing and finishes at once, or never.
///
/// ```swift
/// Empty<Int, Never>().sink(receiveCompletion: { print($0) }, receiveValue: { _ in })  // finished
/// ```
public struct Empty<Output, Failure: Error>: _DirectPublisher, Equatable, Sendable {
  public let completeImmediately: Bool

  @inlinable public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  @inlinable public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}
