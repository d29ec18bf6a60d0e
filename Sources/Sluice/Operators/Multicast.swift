extension Publisher {
  /// Publishes through a subject, with a single upstream subscription for all subscribers.
  ///
  /// ```swift
  /// let shared = readings.multicast { PassthroughSubject() }
  /// let first = shared.sink { print($0) }
  /// let second = shared.sink { record($0) }
  /// let running = shared.connect()
  /// ```
  ///
  /// - Parameter createSubject: Called when the first subscriber comes. If two subscribers come at the same moment,
  ///   each may call it, and one of the subjects is used.
  ///
  /// - Demand: The subject asks for everything, either at once or when a subscriber has asked for something.
  /// - Thread: The thread of upstream, or the one on which the subject delivers kept values.
  /// - Memory: Keeps the values that the subject keeps.
  /// - Failure: Passes on upstream's.
  @inlinable public func multicast<S: Subject>(
    _ createSubject: @escaping () -> S
  ) -> Publishers.Multicast<Self, S> where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Publishes through a subject, with a single upstream subscription for all subscribers.
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
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let createSubject: () -> SubjectType
    @usableFromInline let subject = Locked(SubjectType?.none)

    @inlinable public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// The subject. It is made at its first use, outside the lock. If two are made at the same moment, one is
    /// discarded.
    @inlinable var theSubject: SubjectType {
      if let subject = subject.withLock({ $0 }) { return subject }
      let new = createSubject()
      return subject.withLock { subject in
        if let subject { return subject }
        subject = new
        return new
      }
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      theSubject.subscribe(MulticastSubscriber(downstream: subscriber))
    }

    /// Subscribes the subject to upstream.
    ///
    /// Each call makes another subscription.
    /// - Returns: A cancellable. Keep it, because its release cancels upstream for all subscribers.
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
    // Requested, not returned, as in Combine.
    if more != .none { link.request(more) }
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    if link.end() != nil { downstream.receive(completion: completion) }
  }
}
