extension Publisher {
  /// Subscribes to upstream again if it fails.
  ///
  /// ```swift
  /// sensor.retry(3)
  /// ```
  ///
  /// - Demand: Passes through; unmet demand of one attempt goes to the next.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Subscribes again up to `retries` times, then passes on upstream's.
  @inlinable public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// Subscribes to upstream again if it fails.
  public struct Retry<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The number of further attempts; nil or a negative number for no limit.
    public let retries: Int?

    @inlinable public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      RetrySubscriber(upstream, retries: retries, subscriber).attach()
    }
  }
}

extension Publishers.Retry: Sendable where Upstream: Sendable {}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

@usableFromInline
final class RetrySubscriber<Upstream: Publisher, Downstream: Subscriber>: Subscriber, Operators.Description,
  @unchecked Sendable
where Upstream.Output == Downstream.Input, Upstream.Failure == Downstream.Failure {
  // `attempts` has its lock; upstream's first call, which is serial, sets `subscribed`; the succession protects itself.
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline struct Attempts {
    @usableFromInline var left: Int?
    @usableFromInline var attaching = true
    @usableFromInline var again = false
    @inlinable init(left: Int?) { self.left = left }
  }

  @usableFromInline let upstream: Upstream
  @usableFromInline let downstream: Downstream
  @usableFromInline let succession = Succession("Retry", takesNoDemand: true)
  @usableFromInline let attempts: Locked<Attempts>
  @usableFromInline var subscribed = false

  @inlinable init(_ upstream: Upstream, retries: Int?, _ downstream: Downstream) {
    self.upstream = upstream
    self.downstream = downstream
    attempts = Locked(Attempts(left: retries))
  }

  @usableFromInline var name: StaticString { succession.name }
  @inlinable var combineIdentifier: CombineIdentifier { succession.combineIdentifier }

  /// Subscribes repeatedly while upstream fails during the subscription. It is a loop, so that the stack does not grow.
  @inlinable func attach() {
    repeat {
      upstream._attach(self)
    } while attempts.withLock { attempts in
      defer { attempts.again = false }
      attempts.attaching = attempts.again
      return attempts.again
    }
  }

  @inlinable func receive(subscription: any Subscription) {
    guard let demand = succession.connect(subscription) else { return subscription.cancel() }
    if !subscribed {
      subscribed = true
      downstream.receive(subscription: succession)
    } else if demand != .none {
      subscription.request(demand)
    }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard succession.isLive else { return .none }
    succession.spend()
    let more = downstream.receive(input)
    // Requested, not returned, as in Combine, because upstream may have changed.
    if more != .none { succession.request(more) }
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    guard case .failure = completion, spendAttempt() else {
      if succession.end() != nil { downstream.receive(completion: completion) }
      return
    }
    guard succession.awaitNext() else { return }
    let attaches = attempts.withLock { attempts in
      defer { attempts.attaching = true }
      attempts.again = attempts.attaching
      return !attempts.attaching
    }
    if attaches { attach() }
  }

  /// - Returns: Whether an attempt was left.
  @inlinable func spendAttempt() -> Bool {
    attempts.withLock { attempts in
      guard let left = attempts.left else { return true }
      guard left != 0 else { return false }
      attempts.left = left - 1
      return true
    }
  }
}
