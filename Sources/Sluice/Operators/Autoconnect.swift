extension ConnectablePublisher {
  /// Connects when the first subscriber comes, and disconnects when the last one cancels.
  ///
  /// ```swift
  /// Timer.publish(every: 1, on: .main, in: .common).autoconnect()
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of the connectable publisher.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func autoconnect() -> Publishers.Autoconnect<Self> { Publishers.Autoconnect(upstream: self) }
}

extension Publishers {
  /// Connects when the first subscriber comes, and disconnects when the last one cancels.
  public final class Autoconnect<Upstream: ConnectablePublisher>: _DirectPublisher, @unchecked Sendable {
    // The lock protects the state.
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    @usableFromInline struct State {
      @usableFromInline var subscribers = 0
      @usableFromInline var connecting = false
      @usableFromInline var connection: (any Cancellable)?

      @inlinable init() {}
    }

    public final let upstream: Upstream
    @usableFromInline let state = Locked(State())

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      // A subscriber that comes during the connection does not connect again.
      let first = state.withLock { state in
        state.subscribers += 1
        defer { state.connecting = state.connecting || state.connection == nil }
        return !state.connecting && state.connection == nil
      }
      // The subscription holds the publisher, because most users do not.
      upstream._attach(
        AutoconnectSubscriber(downstream: subscriber, publisher: self) { [weak self] in self?.cancelled() })
      guard first else { return }
      let connection = upstream.connect()
      let unwanted = state.withLock { state in
        state.connecting = false
        if state.subscribers > 0 { state.connection = connection }
        return state.subscribers == 0
      }
      if unwanted { connection.cancel() }
    }

    @inlinable func cancelled() {
      let connection = state.withLock { state -> (any Cancellable)? in
        state.subscribers -= 1
        return state.subscribers == 0 ? state.connection.take() : nil
      }
      connection?.cancel()
    }
  }
}

@usableFromInline
final class AutoconnectSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline let downstream: Downstream
  @usableFromInline let publisher: AnyObject
  @usableFromInline let cancelled: () -> Void
  @usableFromInline var subscription: AutoconnectSubscription?  // used only by upstream's serial calls

  @inlinable init(downstream: Downstream, publisher: AnyObject, cancelled: @escaping () -> Void) {
    self.downstream = downstream
    self.publisher = publisher
    self.cancelled = cancelled
  }

  @usableFromInline var name: StaticString { "Autoconnect" }

  @inlinable func receive(subscription: any Subscription) {
    let subscription = AutoconnectSubscription(subscription, publisher: publisher, cancelled: cancelled)
    self.subscription = self.subscription ?? subscription
    downstream.receive(subscription: subscription)
  }

  @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    subscription?.end()
    downstream.receive(completion: completion)
  }
}

@usableFromInline
final class AutoconnectSubscription: Subscription, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible, @unchecked Sendable
{
  // The lock protects the state.
  @usableFromInline struct State {
    @usableFromInline var publisher: AnyObject?  // kept until the end
    @usableFromInline var cancelled: (() -> Void)?  // called once
  }

  @usableFromInline let upstream: any Subscription
  @usableFromInline let state: Locked<State>

  @usableFromInline init(_ upstream: any Subscription, publisher: AnyObject, cancelled: @escaping () -> Void) {
    self.upstream = upstream
    state = Locked(State(publisher: publisher, cancelled: cancelled))
  }

  @inlinable var combineIdentifier: CombineIdentifier { upstream.combineIdentifier }
  @usableFromInline var description: String { String(describing: upstream) }
  @usableFromInline var customMirror: Mirror {
    (upstream as? any CustomReflectable)?.customMirror ?? Mirror(reflecting: upstream)
  }
  @usableFromInline var playgroundDescription: Any { description }

  @inlinable func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

  @usableFromInline func cancel() {
    let state = self.state.withLock { state in
      defer { state = State() }
      return state
    }
    state.cancelled?()
    upstream.cancel()
  }

  /// Releases the publisher. The publisher still gets a cancellation if it exists. So a subscriber that keeps its
  /// subscription keeps nothing else.
  @usableFromInline func end() {
    let publisher = state.withLock { $0.publisher.take() }
    withExtendedLifetime(publisher) {}
  }
}
