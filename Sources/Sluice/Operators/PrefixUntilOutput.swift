extension Publisher {
  /// Publishes until another publisher publishes its first value, then finishes.
  ///
  /// ```swift
  /// let stop = PassthroughSubject<Void, Never>()
  /// readings.prefix(untilOutputFrom: stop)
  /// ```
  ///
  /// ```text
  /// upstream                        -1-2-3-4-|
  /// other                           ------a---b-|
  /// prefix(untilOutputFrom: other)  -1-2-3|
  /// ```
  ///
  /// - Demand: Passes through; asks the other publisher for one value.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps values that come during a delivery.
  /// - Failure: Passes on upstream's; the other publisher's failure or finish is ignored.
  @inlinable public func prefix<P: Publisher>(
    untilOutputFrom publisher: P
  ) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// Publishes until another publisher publishes its first value.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let other: Other

    @inlinable public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("PrefixUntilOutput", PrefixUntilOutputCore<Output, Failure>(), subscriber)
      other._attach(Operators.Inlet(conduit, PrefixUntilOutputPort<Output, Failure, Other.Output, Other.Failure>()))
      upstream._attach(Operators.Inlet(conduit, Operators.OnlyPort()))
    }
  }
}

extension Publishers.PrefixUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}

/// The input of the other publisher. Its first value ends the stream.
@usableFromInline
struct PrefixUntilOutputPort<Value, Failure: Error, Input, InputFailure: Error>: Operators.Port {
  @usableFromInline typealias Core = PrefixUntilOutputCore<Value, Failure>
  @inlinable init() {}
  @inlinable var inlet: Int { 1 }
  @inlinable func receive(_ input: Input, _ core: inout Core) {
    if !core.otherEnded { core.receive(completion: .finished) }
  }
  @inlinable func receive(completion: Subscribers.Completion<InputFailure>, _ core: inout Core) {
    core.otherEnded = true
  }
}

@usableFromInline
struct PrefixUntilOutputCore<Value, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Output = Value

  @usableFromInline var owed = Subscribers.Demand.none
  @usableFromInline var passage = Passage<Value>(demand: .unlimited)  // upstream keeps to the demand
  @usableFromInline var end: Subscribers.Completion<Failure>?
  @usableFromInline var otherEnded = false

  @inlinable init() {}

  @inlinable var inlets: Int { 2 }
  @inlinable var opener: Int? { 0 }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { inlet == 1 ? .max(1) : .none }
  @inlinable mutating func request(_ more: Subscribers.Demand) { owed += more }
  @inlinable mutating func pass(_ input: Value) -> Value? { end == nil ? passage.pass(input) : nil }

  @inlinable mutating func receive(_ input: Value) { if end == nil { passage.receive(input) } }
  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let value = passage.next() { return out.deliver(value) }
    if let end { return out.complete(end) }
    return owed == .none ? nil : .request(owed.take(), inlet: 0)
  }
}
