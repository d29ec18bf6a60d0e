public import Sluice

extension Publisher {
  /// Shares one subscription among all subscribers, and replays the last values to late subscribers.
  ///
  /// ```swift
  /// let shared = readings.shareReplay(capacity: 2)
  /// ```
  ///
  /// A subscriber that comes after the end gets the last values and the end. Upstream is cancelled when the last
  /// subscriber cancels. The next subscriber starts a new subscription, and also gets the last values from before.
  ///
  /// - Demand: Asks for everything when the first subscriber comes.
  /// - Thread: The thread of upstream, or of a request for kept values.
  /// - Memory: Keeps the last `capacity` values, and as many for each subscriber without demand.
  /// - Failure: Passes on upstream's, even to subscribers that come later.
  @inlinable public func shareReplay(capacity: Int) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, capacity: capacity)
  }
}

extension Publishers {
  /// Shares one subscription among all subscribers, and replays the last values to late subscribers.
  public final class ShareReplay<Upstream: Publisher>: _DirectPublisher, @unchecked Sendable {
    // The publisher inside protects itself.
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The number of values that are kept for late subscribers.
    public let capacity: Int
    @usableFromInline let inner: Autoconnect<Multicast<Upstream, ReplaySubject<Output, Failure>>>

    @inlinable public init(upstream: Upstream, capacity: Int) {
      self.upstream = upstream
      self.capacity = capacity
      inner = upstream.multicast(subject: ReplaySubject(bufferSize: capacity)).autoconnect()
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.receive(subscriber: subscriber)
    }
  }
}
