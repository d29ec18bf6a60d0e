public import DequeModule

extension Publisher {
  /// Publishes a last value and finishes if upstream fails.
  ///
  /// ```swift
  /// Fail<Int, any Error>(error: error).replaceError(with: -1).sink { print($0) }  // -1
  /// ```
  ///
  /// - Demand: Passes through; the last value waits for demand.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps the last value, and values that come during a delivery.
  /// - Failure: Replaces upstream's with the value and a finish, and never fails.
  @inlinable public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publishers {
  /// Publishes a last value and finishes if upstream fails.
  public struct ReplaceError<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Never

    public let upstream: Upstream
    /// The value that is published in place of a failure.
    public let output: Upstream.Output

    @inlinable public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("ReplaceError", ReplaceErrorCore<Output>(output: output), subscriber)
      upstream._attach(Operators.Inlet(conduit, ReplaceErrorPort<Output, Upstream.Failure>()))
    }
  }
}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

@usableFromInline
struct ReplaceErrorPort<Value, Failure: Error>: Operators.Port {
  @usableFromInline typealias Core = ReplaceErrorCore<Value>
  @inlinable init() {}
  @inlinable var inlet: Int { 0 }
  @inlinable func pass(_ input: Value, _ core: inout Core) -> Value? { core.pass(input) }
  @inlinable func receive(_ input: Value, _ core: inout Core) { core.receive(input) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    if case .failure = completion { core.receive(failed: true) } else { core.receive(failed: false) }
  }
}

@usableFromInline
struct ReplaceErrorCore<Value>: Operators.Core {
  @usableFromInline typealias Output = Value
  @usableFromInline typealias Failure = Never

  @usableFromInline var substitute: Value?  // nil if it will not come, or has come
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var owed = Subscribers.Demand.none
  @usableFromInline var queue: Deque<Value> = []  // values that came during a delivery
  @usableFromInline var ended = false

  @inlinable init(output: Value) { substitute = output }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    demand += more
    if !ended { owed += more }
  }

  @inlinable mutating func pass(_ input: Value) -> Value? {
    guard queue.isEmpty, !ended else { return nil }
    if demand != .none { demand.spend() }
    return input
  }

  @inlinable mutating func receive(_ input: Value) {
    guard !ended else { return }
    if demand != .none { demand.spend() }
    queue.append(input)
  }

  @inlinable mutating func receive(failed: Bool) {
    guard !ended else { return }
    ended = true
    if !failed { substitute = nil }
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let value = queue.popFirst() { return out.deliver(value) }
    guard ended else { return owed == .none ? nil : .request(owed.take(), inlet: 0) }
    guard let value = substitute else { return out.complete(.finished) }
    guard demand != .none else { return nil }
    substitute = nil
    return out.deliver(value)
  }
}
