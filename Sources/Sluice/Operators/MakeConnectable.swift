extension Publisher where Failure == Never {
  /// Holds the values back from all subscribers until told to start.
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

    @inlinable public func connect() -> any Cancellable { inner.connect() }
  }
}
