extension Publisher where Failure == Never {
  /// Holds values back until it is connected, for all subscribers.
  ///
  /// ```swift
  /// let numbers = (1...3).publisher.makeConnectable()
  /// let cancellable = numbers.sink { print($0) }
  /// let running = numbers.connect()  // 1 2 3
  /// ```
  ///
  /// - Demand: Asks for everything, once it is connected and a subscriber has asked for something.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Upstream has none.
  @inlinable public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension Publishers {
  /// Holds values back until it is connected, for all subscribers.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher, _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline let inner: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    @inlinable public init(upstream: Upstream) { inner = upstream.multicast { PassthroughSubject() } }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.receive(subscriber: subscriber)
    }

    /// Starts upstream for all subscribers.
    /// - Returns: A cancellable. Keep it, because its release cancels upstream for all subscribers.
    @inlinable public func connect() -> any Cancellable { inner.connect() }
  }
}

extension Publishers.MakeConnectable: Sendable where Upstream: Sendable {}
