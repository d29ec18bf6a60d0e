extension Publisher {
  /// Leaves out the values of upstream before the first value of another publisher.
  ///
  /// ```swift
  /// let start = PassthroughSubject<Void, Never>()
  /// readings.drop(untilOutputFrom: start)
  /// ```
  ///
  /// ```text
  /// upstream                      -1-2-3-4-|
  /// other                         ----a---b-|
  /// drop(untilOutputFrom: other)  -----3-4-|
  /// ```
  ///
  /// If the other publisher finishes without a value, so does this one.
  ///
  /// - Demand: Passes through; asks the other publisher for one value. Values left out use up demand, as in Combine.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps values that come during a delivery.
  /// - Failure: Passes on upstream's, and that of the other publisher before its first value.
  @inlinable public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where P.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// Leaves out the values of upstream before the first value of another publisher.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: _DirectPublisher
  where Upstream.Failure == Other.Failure {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let other: Other

    @inlinable public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("DropUntilOutput", DropUntilOutputCore<Output, Failure>(), subscriber)
      conduit.open()
      other._attach(Operators.Inlet(conduit, DropUntilOutputPort<Output, Failure, Other.Output>()))
      upstream._attach(Operators.Inlet(conduit, Operators.OnlyPort()))
    }
  }
}

extension Publishers.DropUntilOutput: Sendable where Upstream: Sendable, Other: Sendable {}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

/// The input of the other publisher. Its first value opens the stream.
@usableFromInline
struct DropUntilOutputPort<Value, Failure: Error, Input>: Operators.Port {
  @usableFromInline typealias Core = DropUntilOutputCore<Value, Failure>
  @inlinable init() {}
  @inlinable var inlet: Int { 1 }
  @inlinable func receive(_ input: Input, _ core: inout Core) { core.triggered = true }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    if !core.triggered { core.receive(completion: completion) }
  }
}

@usableFromInline
struct DropUntilOutputCore<Value, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Output = Value

  @usableFromInline var triggered = false
  @usableFromInline var connected = false
  @usableFromInline var owed = Subscribers.Demand.none
  @usableFromInline var passage = Passage<Value>(demand: .unlimited)  // upstream keeps to the demand
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init() {}

  @inlinable var inlets: Int { 2 }
  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { inlet == 1 ? .max(1) : .none }

  @inlinable mutating func connected(_ inlet: Int) { if inlet == 0 { connected = true } }
  @inlinable mutating func request(_ more: Subscribers.Demand) { owed += more }
  @inlinable mutating func pass(_ input: Value) -> Value? {
    triggered && end == nil ? passage.pass(input) : nil
  }

  /// - Returns: The value if it is left out.
  @inlinable mutating func receive(_ input: Value) -> Value? {
    guard triggered, end == nil else { return input }
    return passage.receive(input)
  }
  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let value = passage.next() { return out.deliver(value) }
    if let end { return out.complete(end) }
    return connected && owed != .none ? .request(owed.take(), inlet: 0) : nil
  }
}
