extension Result {
  /// Publishes the value and finishes, or fails.
  public struct Publisher: _DirectPublisher {
    public typealias Output = Success

    /// The result that is published.
    public let result: Result<Output, Failure>

    /// Publishes the value of a result, or fails with its error.
    @inlinable public init(_ result: Result<Output, Failure>) { self.result = result }
    /// Publishes one value.
    @inlinable public init(_ output: Output) { self.init(.success(output)) }
    /// Fails with an error.
    @inlinable public init(_ failure: Failure) { self.init(.failure(failure)) }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      switch result {
      case .success(let value):
        let values = IteratorPull<CollectionOfOne<Output>.Iterator, Failure>(CollectionOfOne(value).makeIterator())
        Operators.PullConduit.attach("Once", values, to: subscriber, takesNoDemand: false)
      case .failure(let error):
        subscriber.receive(subscription: Subscriptions.empty)
        subscriber.receive(completion: .failure(error))
      }
    }
  }

  /// The result as a publisher.
  ///
  /// ```swift
  /// Result { try readOnce() }.publisher.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// ```
  @inlinable public var publisher: Result<Success, Failure>.Publisher { Publisher(self) }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
extension Result.Publisher: Sendable where Success: Sendable {}
