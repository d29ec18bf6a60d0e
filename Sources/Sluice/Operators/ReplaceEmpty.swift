import DequeModule

extension Publisher {
  /// Publishes a value of its own if upstream finishes without one.
  ///
  /// ```swift
  /// Empty<Int, Never>().replaceEmpty(with: 0).sink { print($0) }  // 0
  /// ```
  ///
  /// Asks upstream for everything, as Combine does. A failure is passed on.
  @inlinable public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// Publishes a value of its own if upstream finishes without one.
  public struct ReplaceEmpty<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let output: Upstream.Output

    @inlinable public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Conduit("ReplaceEmpty", ReplaceEmptyCore<Output, Failure>(output: output), subscriber)
      upstream._attach(Inlet(conduit, OnlyPort()))
    }
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

@usableFromInline
struct ReplaceEmptyCore<Value, Failure: Error>: SingleInputCore {
  @usableFromInline typealias Output = Value

  @usableFromInline var substitute: Value?  // nil once there was a value
  @usableFromInline var requested = false
  @usableFromInline var news = Subscribers.Demand.none  // demand that upstream is to hear of
  @usableFromInline var queue: Deque<Value> = []  // what came while a delivery was going on
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(output: Value) { substitute = output }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { .unlimited }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    requested = true
    if end == nil { news += more }
  }

  @inlinable mutating func pass(_ input: Value) -> Value? {
    guard queue.isEmpty, end == nil else { return nil }
    substitute = nil
    return input
  }

  @inlinable mutating func receive(_ input: Value) {
    guard end == nil else { return }
    substitute = nil
    queue.append(input)
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Outbox<Self>) -> Action? {
    if let value = queue.popFirst() { return out.deliver(value) }
    if let end {
      guard case .finished = end, let value = substitute else { return out.complete(end) }
      guard requested else { return nil }
      substitute = nil
      return out.deliver(value)
    }
    return news == .none ? nil : .request(news.take(), inlet: 0)
  }
}
