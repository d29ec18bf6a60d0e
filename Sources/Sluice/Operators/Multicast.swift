extension Publisher {
  /// Publishes through a subject, with one upstream subscription for all subscribers.
  ///
  /// ```swift
  /// let shared = readings.multicast { PassthroughSubject() }
  /// let first = shared.sink { print($0) }
  /// let second = shared.sink { record($0) }
  /// let running = shared.connect()
  /// ```
  ///
  /// - Parameter createSubject: Called when the first subscriber comes. If two come at the same moment, each may call
  ///   it, and one of the subjects is used.
  ///
  /// - Demand: The subject asks for everything: at once, or once a subscriber has asked for something.
  /// - Thread: Where upstream delivers, or where the subject delivers what it has kept.
  /// - Memory: Keeps what the subject keeps.
  /// - Failure: Passes on upstream's.
  @inlinable public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Publishes through a subject, with one upstream subscription for all subscribers.
  @inlinable public func multicast<S: Subject>(
    subject: S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }
}

extension Publishers {
  /// Publishes through a subject.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher, _DirectPublisher,
    @unchecked Sendable
  where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
    // `subject` has its lock; nothing else changes.
    /// The type of upstream's values.
    public typealias Output = Upstream.Output
    /// The type of upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The publisher that this one gets its values from.
    public let upstream: Upstream
    /// The closure that makes the subject.
    public let createSubject: () -> SubjectType
    @usableFromInline let subject = Locked(SubjectType?.none)

    /// Makes what ``Publisher/multicast(_:)`` returns.
    @inlinable public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The subject, made when it is first needed. It is made outside the lock, so of two made at the same moment one is
    /// thrown away.
    @inlinable var theSubject: SubjectType {
      if let subject = subject.withLock({ $0 }) { return subject }
      let new = createSubject()
      return subject.withLock { subject in
        if let subject { return subject }
        subject = new
        return new
      }
    }

    /// Attaches a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      theSubject.subscribe(MulticastSubscriber(downstream: subscriber))
    }

    /// Subscribes the subject to upstream.
    ///
    /// Each call makes another subscription.
    /// - Returns: What stops upstream for all subscribers when it is cancelled or released; keep it.
    @inlinable public func connect() -> any Cancellable { upstream.subscribe(theSubject) }
  }
}

@usableFromInline
struct MulticastSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let link = StageLink("Multicast", ratio: 1, surplus: 0, takesNoDemand: true)

  @inlinable init(downstream: Downstream) { self.downstream = downstream }

  @usableFromInline var name: StaticString { link.name }
  @inlinable var combineIdentifier: CombineIdentifier { link.combineIdentifier }

  @inlinable func receive(subscription: any Subscription) {
    if link.connect(subscription) != nil { downstream.receive(subscription: link) } else { subscription.cancel() }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard link.isLive else { return .none }
    let more = downstream.receive(input)
    // Asked for rather than returned, as in Combine.
    if more != .none { link.request(more) }
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    if link.end() != nil { downstream.receive(completion: completion) }
  }
}
