/// Fails at once.
///
/// ```swift
/// Fail<Int, SensorError>(error: .silent)
/// ```
public struct Fail<Output, Failure: Error>: _DirectPublisher {
  /// The error.
  public let error: Failure

  /// Makes a publisher that fails.
  @inlinable public init(error: Failure) { self.error = error }

  /// Makes a publisher that fails, of the given types.
  @inlinable public init(outputType: Output.Type, failure: Failure) { self.init(error: failure) }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subscriber.receive(subscription: Subscriptions.empty)
    subscriber.receive(completion: .failure(error))
  }
}

extension Fail: Equatable where Failure: Equatable {}
extension Fail: Sendable {}
