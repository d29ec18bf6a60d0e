import Sluice

extension Publisher {
  /// Shares one subscription among all subscribers, and replays the last values to those who come late.
  ///
  /// ```swift
  /// let shared = readings.shareReplay(capacity: 2)
  /// ```
  ///
  /// One that comes after the end gets the last values and the end. For a subscriber that has asked for nothing the last
  /// `capacity` values are kept. Upstream is asked for everything, once somebody has asked for something; it is cancelled
  /// when the last subscriber cancels, and subscribed to again when another one comes, who gets the last values from before
  /// as well.
  @inlinable public func shareReplay(capacity: Int) -> Publishers.ShareReplay<Self> {
    Publishers.ShareReplay(upstream: self, capacity: capacity)
  }
}

extension Publishers {
  /// Shares one subscription among all subscribers, and replays the last values to those who come late.
  public final class ShareReplay<Upstream: Publisher>: _DirectPublisher, @unchecked Sendable {
    // The publisher inside protects itself.
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
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
