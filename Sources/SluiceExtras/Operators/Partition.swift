public import Sluice

extension Publisher {
  /// Splits a stream into several streams over a single subscription, by a number that a closure returns for each
  /// value.
  ///
  /// ```swift
  /// let lines = edges.partition(into: 8) { Int($0.line) }
  /// let fourth = lines[3].throttle(for: .milliseconds(10), scheduler: queue, latest: true)
  /// ```
  ///
  /// It subscribes to upstream at the first request. A cancelled part does not count any more, and its values are
  /// dropped. When the last part is cancelled, so is upstream. Each part takes one subscriber. Values with a number out
  /// of range are dropped.
  ///
  /// - Demand: Asks for the smallest demand of all parts, so a part without demand stops the others.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps values that come during a delivery.
  /// - Failure: Passes on upstream's to every part.
  @inlinable public func partition(into count: Int, by part: @escaping (Output) -> Int) -> [Publishers.Part<
    Output, Failure
  >] {
    let partition = Partition<Output, Failure>(
      parts: count, part, upstream: { self._attach($0) })
    return (0..<count).map { Publishers.Part(partition: partition, index: $0) }
  }
}

extension Publishers {
  /// One of the streams into which ``Publisher/partition(into:by:)`` splits another.
  public struct Part<Output, Failure: Error>: _DirectPublisher {
    @usableFromInline let partition: Partition<Output, Failure>
    /// The number that the closure returns for the values of this part.
    public let index: Int

    @inlinable init(partition: Partition<Output, Failure>, index: Int) {
      self.partition = partition
      self.index = index
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      partition.attach(AnySubscriber(subscriber), at: index)
    }
  }
}

/// The subscription that the parts share.
@usableFromInline
final class Partition<Output, Failure: Error>: Subscriber, @unchecked Sendable {
  // The lock protects all state; the closures never change.
  @usableFromInline typealias Input = Output
  @usableFromInline typealias Line = Operators.Conduit<
    Operators.RelayCore<Output, Failure>, AnySubscriber<Output, Failure>
  >

  @usableFromInline struct State {
    @usableFromInline var lines: [Line?]
    /// The unmet demand of each part; nil if the part is cancelled.
    @usableFromInline var demands: [Subscribers.Demand?]
    @usableFromInline var asked = Subscribers.Demand.none  // the demand of upstream that is still unmet
    @usableFromInline var upstream = UpstreamSlot.awaited
    @usableFromInline var started = false
    @usableFromInline var end: Subscribers.Completion<Failure>?

    @inlinable init(parts: Int) {
      lines = Array(repeating: nil, count: parts)
      demands = Array(repeating: Subscribers.Demand.none, count: parts)
    }

    /// The further demand that upstream can get.
    @inlinable mutating func owed() -> Subscribers.Demand {
      guard upstream.isConnected, let least = demands.lazy.compactMap({ $0 }).min(), least > asked else { return .none }
      defer { asked = least }
      return least == .unlimited ? .unlimited : least - asked
    }
  }

  @usableFromInline let part: (Output) -> Int
  @usableFromInline let upstream: (Partition) -> Void
  @usableFromInline let state: Locked<State>

  @inlinable init(parts: Int, _ part: @escaping (Output) -> Int, upstream: @escaping (Partition) -> Void) {
    self.part = part
    self.upstream = upstream
    state = Locked(State(parts: parts))
  }

  // MARK: Parts

  @inlinable func attach(_ subscriber: AnySubscriber<Output, Failure>, at index: Int) {
    let line = Line("Partition", Operators.RelayCore(forwards: true), subscriber)
    let (accepted, end) = state.withLock { state in
      let accepted = state.lines[index] == nil && state.demands[index] != nil
      if accepted { state.lines[index] = line }
      return (accepted, state.end)
    }
    guard accepted else {
      subscriber.receive(subscription: Subscriptions.empty)
      return subscriber.receive(completion: .finished)
    }
    line.connect(
      Handle("Partition", request: { self.request($0, at: index) }, cancel: { self.cancel(at: index) }), 0)
    if let end { line.feed { $0.receive(completion: end) } }
  }

  @inlinable func request(_ demand: Subscribers.Demand, at index: Int) {
    let (start, upstream, owed) = state.withLock { state in
      state.demands[index]? += demand
      defer { state.started = true }
      return (!state.started, state.upstream.subscription, state.owed())
    }
    if start { self.upstream(self) }
    if owed != .none { upstream?.request(owed) }
  }

  @inlinable func cancel(at index: Int) {
    let (line, upstream, owed, last) = state.withLock { state in
      defer { state.lines[index] = nil }
      state.demands[index] = nil
      return (state.lines[index], state.upstream.subscription, state.owed(), state.demands.allSatisfy { $0 == nil })
    }
    withExtendedLifetime(line) {}
    if last { upstream?.cancel() } else if owed != .none { upstream?.request(owed) }
  }

  // MARK: Subscriber

  @inlinable func receive(subscription: any Subscription) {
    let (accepted, owed) = state.withLock { state -> (Bool, Subscribers.Demand) in
      // All parts may have been cancelled before it came.
      guard state.end == nil, state.demands.contains(where: { $0 != nil }), state.upstream.accept(subscription) else {
        return (false, .none)
      }
      return (true, state.owed())
    }
    guard accepted else { return subscription.cancel() }
    if owed != .none { subscription.request(owed) }
  }

  @inlinable func receive(_ input: Output) -> Subscribers.Demand {
    let index = part(input)
    let line = state.withLock { state -> Line? in
      if state.asked != .none { state.asked -= 1 }
      guard state.lines.indices.contains(index), let wanted = state.demands[index], wanted != .none else { return nil }
      state.demands[index] = wanted - 1
      return state.lines[index]
    }
    line?.feed(passing: { $0.pass(input) }) { $0.receive(input) }
    return state.withLock { $0.owed() }
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    let (lines, upstream) = state.withLock { state in
      state.end = completion
      return (state.lines, state.upstream.end())
    }
    withExtendedLifetime(upstream) {}
    for line in lines { line?.feed { $0.receive(completion: completion) } }
  }
}
