public import DequeModule

extension Publisher {
  /// Publishes a given value if upstream finishes without one.
  ///
  /// ```swift
  /// Empty<Int, Never>().replaceEmpty(with: 0).sink { print($0) }  // 0
  /// ```
  ///
  /// - Demand: Asks for everything, as Combine does.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Unbounded: values without demand.
  /// - Failure: Passes on upstream's at once, before waiting values.
  @inlinable public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// Publishes a given value if upstream finishes without one.
  public struct ReplaceEmpty<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The value that is published if there is no other.
    public let output: Upstream.Output

    @inlinable public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("ReplaceEmpty", ReplaceEmptyCore<Output, Failure>(output: output), subscriber)
      upstream._attach(Operators.Inlet(conduit, Operators.OnlyPort()))
    }
  }
}

extension Publishers.ReplaceEmpty: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

@usableFromInline
struct ReplaceEmptyCore<Value, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Output = Value

  @usableFromInline var substitute: Value?  // nil after the first value
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var owed = Subscribers.Demand.none  // although everything was requested from upstream
  @usableFromInline var queue: Deque<Value> = []
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(output: Value) { substitute = output }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    demand += more
    if end == nil { owed += more }
  }

  @inlinable mutating func pass(_ input: Value) -> Value? {
    guard queue.isEmpty, demand != .none, end == nil, substitute == nil else { return nil }
    demand.spend()
    return input
  }

  /// - Returns: The substitute that is not needed any more.
  @inlinable mutating func receive(_ input: Value) -> Value? {
    guard end == nil else { return input }
    queue.append(input)
    return substitute.take()
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if case .failure(let error)? = end { return out.complete(.failure(error)) }
    if demand != .none, let value = queue.popFirst() ?? (end == nil ? nil : substitute.take()) {
      demand.spend()
      return out.deliver(value)
    }
    if end != nil { return queue.isEmpty && substitute == nil ? out.complete(.finished) : nil }
    return owed == .none ? nil : .request(owed.take(), inlet: 0)
  }
}
