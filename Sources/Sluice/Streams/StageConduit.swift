/// The one class behind the tier 1 operators that may end a stream, or count inputs against outputs.
public final class StageConduit<S: Stage, Downstream: Subscriber>: Subscriber, @unchecked Sendable
where S.Output == Downstream.Input, S.Failure == Downstream.Failure {
  // `link` has its lock; only the upstream, whose calls are serial, touches `stage`.

  @usableFromInline enum Link { case awaited, connected(any Subscription), ended }

  @usableFromInline let name: StaticString
  @usableFromInline let downstream: Downstream
  @usableFromInline let ratio: Int
  @usableFromInline @exclusivity(unchecked) var stage: S
  @usableFromInline let link = Locked(Link.awaited)

  @inlinable public init(_ name: StaticString, _ stage: S, _ downstream: Downstream) {
    self.name = name
    self.stage = stage
    self.ratio = stage.ratio
    self.downstream = downstream
  }

  // MARK: Subscriber

  @inlinable public func receive(subscription: any Subscription) {
    let accepted = link.withLock { link -> Bool in
      guard case .awaited = link else { return false }
      link = .connected(subscription)
      return true
    }
    guard accepted else { return subscription.cancel() }
    downstream.receive(subscription: Handle(name, request: request, cancel: cancel))
  }

  @inlinable public func receive(_ input: S.Input) -> Subscribers.Demand {
    switch stage.receive(input) {
    case .emit(let output):
      let more = downstream.receive(output)
      return ratio == 1 ? more : more * ratio
    case .skip:
      return ratio == 1 ? .max(1) : .none  // `ratio` has asked for the inputs that make no output
    case .last(let output):
      guard let upstream = end() else { return .none }
      _ = downstream.receive(output)
      upstream.cancel()
      downstream.receive(completion: .finished)
    case .finish:
      stop(.finished)
    case .fail(let error):
      stop(.failure(error))
    }
    return .none
  }

  @inlinable public func receive(completion: Subscribers.Completion<S.Failure>) {
    guard end() != nil else { return }
    if case .finished = completion, let rest = stage.flush() { _ = downstream.receive(rest) }
    downstream.receive(completion: completion)
  }

  // MARK: Subscription

  @inlinable public func request(_ demand: Subscribers.Demand) {
    let upstream = link.withLock { link -> (any Subscription)? in
      if case .connected(let upstream) = link { return upstream }
      return nil
    }
    upstream?.request(ratio == 1 ? demand : demand * ratio)
  }

  @inlinable public func cancel() { end()?.cancel() }

  @inlinable func stop(_ completion: Subscribers.Completion<S.Failure>) {
    guard let upstream = end() else { return }
    upstream.cancel()
    downstream.receive(completion: completion)
  }

  @inlinable func end() -> (any Subscription)? {
    link.withLock { link in
      defer { link = .ended }
      if case .connected(let upstream) = link { return upstream }
      return nil
    }
  }
}
