extension Publisher where Failure == Never {
  /// Holds the values back from all subscribers until told to start.
  ///
  /// ```swift
  /// let numbers = (1...3).publisher.makeConnectable()
  /// let cancellable = numbers.sink { print($0) }
  /// let running = numbers.connect()  // 1 2 3
  /// ```
  @inlinable public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension Publishers {
  /// Holds the values back from all subscribers until told to start.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline let inner: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    @inlinable public init(upstream: Upstream) { inner = upstream.multicast { PassthroughSubject() } }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.receive(subscriber: subscriber)
    }

    /// Starts upstream for all subscribers.
    /// - Returns: Keep it: letting go of it stops the values for all of them.
    @inlinable public func connect() -> any Cancellable { inner.connect() }
  }
}

extension Publishers.MakeConnectable: Sendable where Upstream: Sendable {}
