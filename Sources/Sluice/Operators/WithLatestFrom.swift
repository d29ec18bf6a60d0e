extension Publisher {
  /// Publishes each value together with the latest value of another publisher.
  ///
  /// ```swift
  /// button.withLatestFrom(temperature).sink { print($0.1) }
  /// ```
  ///
  /// Values that come before the other publisher has had one are left out, and another one is asked for. The other one is
  /// asked for everything; when it finishes its latest value stays, when it fails so does this.
  @inlinable public func withLatestFrom<P: Publisher>(_ other: P) -> Publishers.WithLatestFrom<Self, P>
  where P.Failure == Failure {
    Publishers.WithLatestFrom(upstream: self, other: other)
  }

  /// Publishes what a closure makes of each value and the latest value of another publisher.
  @inlinable public func withLatestFrom<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.WithLatestFrom<Self, P>, T> where P.Failure == Failure {
    Publishers.Map(upstream: withLatestFrom(other)) { transform($0.0, $0.1) }
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

/// Where the other publisher's values come in.
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
    if case .failure = completion { core.receive(completion: completion) }
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
    guard end == nil else { return input }
    guard let latest else {
      owed += 1
      return input
    }
    passage.receive((input, latest))
    return nil
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .failure(let error)? = end { return out.complete(.failure(error)) }
    if let output = passage.next() { return out.deliver(output) }
    if let end { return out.complete(end) }
    return connected && owed != .none ? .request(owed.take(), inlet: 0) : nil
  }
}
