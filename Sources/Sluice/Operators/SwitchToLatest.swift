extension Publisher where Output: Publisher {
  /// Publishes the values of the latest publisher from upstream.
  ///
  /// ```swift
  /// selection.map { name in readings(of: name) }.switchToLatest()
  /// ```
  ///
  /// ```text
  /// upstream                          -a----b---|
  /// a                                  --1---2---3-|
  /// b                                       --4---5--|
  /// map(its stream).switchToLatest()  ---1----4---5--|
  /// ```
  ///
  /// A new publisher replaces the previous one, which is cancelled. It finishes when upstream and the latest publisher
  /// have finished.
  ///
  /// - Demand: Asks upstream for everything, and the latest publisher for what downstream still wants.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps values of the latest publisher that come during a delivery.
  /// - Failure: Passes on the failure of upstream or of the latest publisher at once, and cancels the other.
  @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> where Output.Failure == Failure {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// The same for an upstream that never fails.
  @inlinable public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// The same if nothing ever fails.
  @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// The same for publishers that never fail.
  @inlinable public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    map { $0.setFailureType(to: Failure.self) }.switchToLatest()
  }
}

extension Publishers {
  /// Publishes the values of the latest publisher from upstream.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: _DirectPublisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    public typealias Output = P.Output
    public typealias Failure = P.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("SwitchToLatest", SwitchToLatestCore<Output, Failure>(), subscriber)
      conduit.open()
      upstream._attach(Operators.DynamicInlet(conduit, transform: { (publisher: P) in publisher }))
    }
  }
}

extension Publishers.SwitchToLatest: Sendable where Upstream: Sendable {}

/// The input of one of upstream's publishers. Each replaces the previous one.
@usableFromInline
struct SwitchToLatestPort<Value, Failure: Error>: Operators.Port {
  @usableFromInline typealias Core = SwitchToLatestCore<Value, Failure>
  @usableFromInline let id: Int

  @inlinable init(id: Int) { self.id = id }

  @inlinable var inlet: Int { 1 }
  @inlinable func isCurrent(_ core: Core) -> Bool { core.latest == id }
  @inlinable func pass(_ input: Value, _ core: inout Core) -> Value? { core.pass(input, from: id) }
  @inlinable func receive(_ input: Value, _ core: inout Core) { core.receive(input, from: id) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion, from: id)
  }
}

@usableFromInline
struct SwitchToLatestCore<Value, Failure: Error>: Operators.DynamicCore {
  @usableFromInline typealias Output = Value

  @usableFromInline var latest = 0  // the number of the latest publisher; 0 before the first
  @usableFromInline var running = false  // whether the latest publisher has not finished
  @usableFromInline var isConnected = false  // whether the latest publisher has the demand so far
  @usableFromInline var passage = Passage<Value>(demand: .none)
  @usableFromInline var owed = Subscribers.Demand.none  // to the latest publisher
  @usableFromInline var upstreamEnded = false
  @usableFromInline var failure: Failure?

  @inlinable init() {}

  @inlinable var demand: Subscribers.Demand { passage.demand }
  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { inlet == 0 ? .unlimited : .none }

  @inlinable mutating func add() -> SwitchToLatestPort<Value, Failure> {
    latest += 1
    running = true
    isConnected = false
    owed = .none
    return SwitchToLatestPort(id: latest)
  }

  @inlinable mutating func connected(_ inlet: Int) {
    guard inlet == 1 else { return }
    isConnected = true
    owed = demand
  }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    passage.demand += more
    if running, isConnected { owed += more }
  }

  @inlinable mutating func pass(_ input: Value, from id: Int) -> Value? {
    id == latest && failure == nil ? passage.pass(input) : nil
  }

  @inlinable mutating func receive(_ input: Value, from id: Int) {
    if id == latest { passage.receive(input) }
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>, from id: Int) {
    guard id == latest else { return }
    running = false
    if case .failure(let error) = completion { failure = failure ?? error }
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    upstreamEnded = true
    if case .failure(let error) = completion { failure = failure ?? error }
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let failure { return out.complete(.failure(failure)) }
    if let value = passage.next() { return out.deliver(value) }
    if upstreamEnded, !running { return out.complete(.finished) }
    return owed == .none ? nil : .request(owed.take(), inlet: 1)
  }
}
