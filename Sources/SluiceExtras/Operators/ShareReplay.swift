public import Sluice

extension Publisher {
  /// Shares one subscription among all subscribers, and replays the last values to late ones.
  ///
  /// ```swift
  /// let shared = readings.shareReplay(capacity: 2)
  /// ```
  ///
  /// A subscriber that comes after the end gets the last values and the end. Upstream is cancelled when the last
  /// subscriber cancels. It is subscribed to again when another one comes, which also gets the last values from before.
  ///
  /// - Demand: Asks for everything when the first subscriber comes.
  /// - Thread: Where upstream delivers, or where a subscriber requests values that were kept.
  /// - Memory: Keeps the last `capacity` values, and as many for each subscriber that has asked for nothing.
  /// - Failure: Passes on upstream's, also to subscribers that come after it.
  @inlinable public func shareReplay(capacity: Int) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, capacity: capacity)
  }
}

extension Publishers {
  /// Shares one subscription among all subscribers, and replays the last values to late ones.
  public final class ShareReplay<Upstream: Publisher>: _DirectPublisher, @unchecked Sendable {
    // The publisher inside protects itself.
    /// The type of upstream's values.
    public typealias Output = Upstream.Output
    /// The type of upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The publisher that this one gets its values from.
    public let upstream: Upstream
    /// The number of values that are kept for late subscribers.
    public let capacity: Int
    @usableFromInline let inner: Autoconnect<Multicast<Upstream, ReplaySubject<Output, Failure>>>

    /// Makes what ``Publisher/shareReplay(capacity:)`` returns.
    @inlinable public init(upstream: Upstream, capacity: Int) {
      self.upstream = upstream
      self.capacity = capacity
      inner = upstream.multicast(subject: ReplaySubject(bufferSize: capacity)).autoconnect()
    }

    /// Attaches a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      inner.receive(subscriber: subscriber)
    }
  }
}
