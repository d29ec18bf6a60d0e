/// Publishes nothing and finishes at once, or never.
///
/// ```swift
/// Empty<Int, Never>().sink(receiveCompletion: { print($0) }, receiveValue: { _ in })  // finished
/// ```
public struct Empty<Output, Failure: Error>: _DirectPublisher, Equatable, Sendable {
  /// Whether it finishes at once, or never.
  public let completeImmediately: Bool

  /// Makes a publisher without values.
  @inlinable public init(completeImmediately: Bool = true) { self.completeImmediately = completeImmediately }

  /// Makes a publisher without values, of the given types.
  @inlinable public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.init(completeImmediately: completeImmediately)
  }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    if completeImmediately { subscriber.receive(completion: .finished) }
  }
}
