/// An upstream of a subject. The subject forgets it after its end.
@usableFromInline
protocol SubjectUpstream { var isOver: Bool { get } }

/// Feeds a subject from a publisher. For the subject it is the subscription; the caller cancels it.
@usableFromInline
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription, SubjectUpstream, Operators.Description,
  @unchecked Sendable
{
  // The lock protects its state.
  @usableFromInline typealias Input = Target.Output
  @usableFromInline typealias Failure = Target.Failure

  @usableFromInline struct State {
    // Weak, because the subject retains this as its upstream. It must end with the subject, not keep it alive.
    @usableFromInline weak var subject: Target?
    @usableFromInline var upstream = UpstreamSlot.awaited
    @inlinable init(_ subject: Target) { self.subject = subject }
  }

  @usableFromInline let state: Locked<State>

  @inlinable init(_ subject: Target) { state = Locked(State(subject)) }

  @usableFromInline var name: StaticString { "Subject" }
  @usableFromInline var customMirror: Mirror {
    let (subject, upstream) = state.withLock { ($0.subject, $0.upstream.subscription) }
    return Mirror(
      self,
      children: [
        ("downstreamSubject", subject as Any), ("upstreamSubscription", upstream as Any), ("subject", subject as Any),
      ])
  }

  @inlinable func receive(subscription: any Subscription) {
    // In both cases the subject is taken out of the lock: if this is the last reference to the subject, its end ends
    // this subscriber.
    let (subject, isAccepted) = state.withLock { state in
      let subject = state.subject
      return (subject, subject != nil && state.upstream.accept(subscription))
    }
    if let subject, isAccepted { subject.send(subscription: self) } else { subscription.cancel() }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    subject()?.send(input)
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    let subject = subject()
    _ = end()
    subject?.send(completion: completion)
  }

  @usableFromInline var isOver: Bool { state.withLock { !$0.upstream.isConnected } }

  @inlinable func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.upstream.subscription }?.request(demand)
  }

  @inlinable func cancel() { end()?.cancel() }

  @inlinable func subject() -> Target? {
    state.withLock { $0.upstream.isConnected ? $0.subject : nil }
  }

  /// - Returns: The upstream, to be released outside the lock.
  @inlinable func end() -> (any Subscription)? {
    state.withLock { state in
      state.subject = nil
      return state.upstream.end()
    }
  }
}

extension Publisher {
  /// Sends the values of this publisher into a subject.
  ///
  /// ```swift
  /// let subject = PassthroughSubject<Int, Never>()
  /// let feeding = (1...3).publisher.subscribe(subject)
  /// ```
  ///
  /// The subject decides the demand: `PassthroughSubject` requests everything when a subscriber requests something.
  /// - Returns: A cancellable. Keep it, because its release cancels the subscription.
  @inlinable public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    _attach(subscriber)
    return AnyCancellable(subscriber)
  }
}
