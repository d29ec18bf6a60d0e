extension Optional {
  /// Publishes the value if there is one, then finishes.
  public struct Publisher: _DirectPublisher {
    public typealias Output = Wrapped
    public typealias Failure = Never

    /// The value; nil if there is none.
    public let output: Wrapped?

    /// Publishes the value, if there is one.
    @inlinable public init(_ output: Wrapped?) { self.output = output }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      let values = IteratorPull<Array<Wrapped>.Iterator, Never>((output.map { [$0] } ?? []).makeIterator())
      Operators.PullConduit.attach("Optional", values, to: subscriber, takesNoDemand: false)
    }
  }

  /// The value as a publisher.
  ///
  /// ```swift
  /// Int("3").publisher.sink { print($0) }  // 3
  /// ```
  @inlinable public var publisher: Optional<Wrapped>.Publisher { Publisher(self) }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}
