extension Publisher {
  /// Shares one subscription among all subscribers.
  ///
  /// ```swift
  /// let shared = readings.share()
  /// let first = shared.sink { print($0) }
  /// let second = shared.sink { record($0) }
  /// ```
  ///
  /// It subscribes to upstream when the first subscriber comes. A later subscriber misses earlier values, and a
  /// subscriber without demand misses values that come: `shareReplay(capacity:)` of `SluiceExtras` keeps some of them.
  ///
  /// - Demand: Asks for everything when a subscriber has asked for something.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func share() -> Publishers.Share<Self> { Publishers.Share(upstream: self) }
}

extension Publishers {
  /// Shares one subscription among all subscribers.
  public final class Share<Upstream: Publisher>: _DirectPublisher, Equatable, @unchecked Sendable {
    // The publisher inside protects itself.
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    @usableFromInline let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    @inlinable public init(upstream: Upstream) {
      self.upstream = upstream
      inner = upstream.multicast(subject: PassthroughSubject()).autoconnect()
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.receive(subscriber: subscriber)
    }

    public static func == (a: Share, b: Share) -> Bool { a === b }
  }
}
