public import Sluice

extension Publisher {
  /// Publishes the latest value of another publisher whenever this one publishes.
  ///
  /// ```swift
  /// button.withLatestFrom(temperature).sink { print($0) }
  /// ```
  ///
  /// ```text
  /// upstream                        -1---2----3------4----|
  /// other                           ---a---b----c-|
  /// withLatestFrom(other)           -----a----b------c----|
  /// withLatestFrom(other) { both }  -----[2a]-[3b]---[4c]-|
  /// ```
  ///
  /// When the other publisher finishes, its latest value stays; if it had none, the stream finishes.
  ///
  /// - Demand: Asks the other publisher for everything. Demand passes through to upstream after the other publisher has
  ///   had a value.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps the latest value of the other publisher, and outputs made during a delivery.
  /// - Failure: Passes on the failure of either at once, and cancels the other.
  @inlinable public func withLatestFrom<P: Publisher>(
    _ other: P
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, P>, P.Output> where P.Failure == Failure {
    withLatestFrom(other) { $1 }
  }

  /// Publishes the result of a closure for each value and the latest value of another publisher.
  @inlinable public func withLatestFrom<P: Publisher, T>(
    _ other: P, resultSelector: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, P>, T> where P.Failure == Failure {
    Publishers.WithLatestFrom(upstream: self, other: other).map { resultSelector($0.0, $0.1) }
  }

  /// Publishes the latest values of two others whenever this publisher publishes.
  @inlinable public func withLatestFrom<P: Publisher, Q: Publisher>(
    _ other: P, _ other1: Q
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, Publishers.CombineLatest<P, Q>>, (P.Output, Q.Output)>
  where P.Failure == Failure, Q.Failure == Failure { withLatestFrom(other, other1) { $1 } }

  /// Publishes the result of a closure for each value and the latest values of two other publishers.
  @inlinable public func withLatestFrom<P: Publisher, Q: Publisher, T>(
    _ other: P, _ other1: Q, resultSelector: @escaping (Output, (P.Output, Q.Output)) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, Publishers.CombineLatest<P, Q>>, T>
  where P.Failure == Failure, Q.Failure == Failure {
    withLatestFrom(other.combineLatest(other1), resultSelector: resultSelector)
  }

  /// Publishes the latest values of three others whenever this publisher publishes.
  @inlinable public func withLatestFrom<P: Publisher, Q: Publisher, R: Publisher>(
    _ other: P, _ other1: Q, _ other2: R
  )
    -> Publishers.Map<
      Publishers.WithLatestFrom<Self, Publishers.CombineLatest3<P, Q, R>>, (P.Output, Q.Output, R.Output)
    > where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure
  {
    withLatestFrom(other, other1, other2) { $1 }
  }

  /// Publishes the result of a closure for each value and the latest values of three other publishers.
  @inlinable public func withLatestFrom<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ other: P, _ other1: Q, _ other2: R, resultSelector: @escaping (Output, (P.Output, Q.Output, R.Output)) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, Publishers.CombineLatest3<P, Q, R>>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    withLatestFrom(other.combineLatest(other1, other2), resultSelector: resultSelector)
  }
}

extension Publishers {
  /// Publishes each value together with the latest value of another publisher.
  public struct WithLatestFrom<Upstream: Publisher, Other: Publisher>: _DirectPublisher
  where Upstream.Failure == Other.Failure {
    public typealias Output = (Upstream.Output, Other.Output)
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let other: Other

    @inlinable public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = WithLatestFromCore<Upstream.Output, Other.Output, Failure>()
      let conduit = Operators.Conduit("WithLatestFrom", core, subscriber)
      conduit.open()
      other._attach(Operators.Inlet(conduit, WithLatestFromPort<Upstream.Output, Other.Output, Failure>()))
      upstream._attach(Operators.Inlet(conduit, Operators.OnlyPort()))
    }
  }
}

extension Publishers.WithLatestFrom: Equatable where Upstream: Equatable, Other: Equatable {}

/// The input of the other publisher.
@usableFromInline
struct WithLatestFromPort<Value, Other, Failure: Error>: Operators.Port {
  @usableFromInline typealias Core = WithLatestFromCore<Value, Other, Failure>
  @inlinable init() {}
  @inlinable var inlet: Int { 1 }
  @inlinable func receive(_ input: Other, _ core: inout Core) -> Other? {
    var former = Optional(input)
    swap(&former, &core.latest)
    return former
  }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    switch completion {
    case .failure: core.receive(completion: completion)
    case .finished: if core.latest == nil { core.receive(completion: .finished) }
    }
  }
}

@usableFromInline
struct WithLatestFromCore<Value, Other, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Output = (Value, Other)

  @usableFromInline var latest: Other?
  @usableFromInline var owed = Subscribers.Demand.none
  @usableFromInline var connected = false
  @usableFromInline var passage = Passage<Output>(demand: .unlimited)  // upstream keeps to the demand
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init() {}

  @inlinable var inlets: Int { 2 }
  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { inlet == 1 ? .unlimited : .none }
  @inlinable mutating func connected(_ inlet: Int) { if inlet == 0 { connected = true } }

  @inlinable mutating func request(_ more: Subscribers.Demand) { owed += more }

  @inlinable mutating func pass(_ input: Value) -> Output? {
    guard end == nil, let latest else { return nil }
    return passage.pass((input, latest))
  }

  /// - Returns: The value if it is left out.
  @inlinable mutating func receive(_ input: Value) -> Value? {
    // Without a value of the other publisher, nothing was requested.
    guard end == nil, let latest else { return input }
    passage.receive((input, latest))
    return nil
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .failure(let error)? = end { return out.complete(.failure(error)) }
    if let output = passage.next() { return out.deliver(output) }
    if let end { return out.complete(end) }
    return connected && latest != nil && owed != .none ? .request(owed.take(), inlet: 0) : nil
  }
}
