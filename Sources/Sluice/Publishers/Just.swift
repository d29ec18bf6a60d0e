/// Publishes one value to each subscriber, then finishes.
///
/// ```swift
/// Just(42).sink { print($0) }  // 42
/// ```
///
/// The value waits for demand. Requesting `.none` traps, as in Combine.
public struct Just<Output>: _DirectPublisher {
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Makes a publisher of one value.
  @inlinable public init(_ output: Output) { self.output = output }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    let values = IteratorPull<CollectionOfOne<Output>.Iterator, Never>(CollectionOfOne(output).makeIterator())
    Operators.PullConduit.attach("Just", values, to: subscriber, takesNoDemand: false)
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}
