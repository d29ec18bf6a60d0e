public import DequeModule

extension Publisher {
  /// Makes a publisher from every value, and merges the values of these publishers, in the order of arrival.
  ///
  /// ```swift
  /// names.flatMap(maxPublishers: .max(2)) { name in readings(of: name) }
  /// ```
  ///
  /// ```text
  /// upstream             -a----b---|
  /// a                     --1---2---3-|
  /// b                          --4---5--|
  /// flatMap(its stream)  ---1---24--35--|
  /// ```
  ///
  /// Finishes when upstream and all publishers have finished.
  ///
  /// - Parameter maxPublishers: The largest number of publishers at a time.
  ///
  /// - Demand: Asks upstream for `maxPublishers` values, and one more for each publisher that finishes; asks each
  ///   publisher for one value ahead, or for everything if downstream wants everything.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps one value of each publisher until there is demand, and values that come during a delivery.
  /// - Failure: Passes on the failure of upstream or of a publisher at once, and cancels all others.
  @inlinable public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// The same for publishers that never fail.
  @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Failure == Never {
  /// The same for an upstream that never fails.
  @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// The same if nothing ever fails.
  @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publishers {
  /// Makes a publisher from every value, and merges the values of these publishers.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: _DirectPublisher
  where NewPublisher.Failure == Upstream.Failure {
    public typealias Output = NewPublisher.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let maxPublishers: Subscribers.Demand
    public let transform: (Upstream.Output) -> NewPublisher

    @inlinable public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand, transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("FlatMap", FlatMapCore<Output, Failure>(maxPublishers: maxPublishers), subscriber)
      conduit.open()
      upstream._attach(Operators.DynamicInlet(conduit, transform: transform))
    }
  }
}

/// The input of one publisher. After the publisher has finished, another one may use its inlet.
@usableFromInline
struct FlatMapPort<Value, Failure: Error>: Operators.Port {
  @usableFromInline typealias Core = FlatMapCore<Value, Failure>
  @usableFromInline let inlet: Int
  @usableFromInline let id: Int

  @inlinable init(inlet: Int, id: Int) {
    self.inlet = inlet
    self.id = id
  }

  @inlinable func isCurrent(_ core: Core) -> Bool { core.ids[inlet] == id }
  @inlinable func pass(_ input: Value, _ core: inout Core) -> Value? { core.pass(input, from: self) }
  @inlinable func receive(_ input: Value, _ core: inout Core) { core.receive(input, from: self) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion, from: self)
  }
}

@usableFromInline
struct FlatMapCore<Value, Failure: Error>: Operators.DynamicCore {
  @inlinable static var hasManyInlets: Bool { true }

  @usableFromInline typealias Output = Value

  @usableFromInline let maxPublishers: Subscribers.Demand
  @usableFromInline var ids: [Int] = [0]  // of the current user of each inlet; 0 is upstream, or nobody
  @usableFromInline var free: [Int] = []  // inlets that nobody uses
  @usableFromInline var lastID = 0
  @usableFromInline var running = 0
  @usableFromInline var wanted = Subscribers.Demand.none  // the number of publishers to request from upstream
  @usableFromInline var toAsk: Deque<(port: FlatMapPort<Value, Failure>, demand: Subscribers.Demand)> = []
  @usableFromInline var queue: Deque<(value: Value, port: FlatMapPort<Value, Failure>)> = []
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var upstreamEnded = false
  @usableFromInline var failure: Failure?

  @inlinable init(maxPublishers: Subscribers.Demand) { self.maxPublishers = maxPublishers }

  @inlinable func prefetch(_ inlet: Int) -> Subscribers.Demand { inlet == 0 ? maxPublishers : ahead }

  @inlinable var takesMore: Bool { failure == nil }

  /// The demand that each publisher gets.
  @inlinable var ahead: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(1) }

  @inlinable mutating func add() -> FlatMapPort<Value, Failure> {
    lastID += 1
    running += 1
    let inlet = free.popLast() ?? ids.count
    if inlet < ids.count { ids[inlet] = lastID } else { ids.append(lastID) }
    return FlatMapPort(inlet: inlet, id: lastID)
  }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    let before = demand
    demand += more
    guard demand == .unlimited, before != .unlimited else { return }
    // From now on they need no request for each value.
    for (inlet, id) in ids.enumerated() where id != 0 {
      toAsk.append((FlatMapPort(inlet: inlet, id: id), .unlimited))
    }
  }

  @inlinable mutating func pass(_ input: Value, from port: FlatMapPort<Value, Failure>) -> Value? {
    guard queue.isEmpty, demand != .none, failure == nil else { return nil }
    spend(for: port)
    return input
  }

  @inlinable mutating func receive(_ input: Value, from port: FlatMapPort<Value, Failure>) {
    queue.append((input, port))
  }

  @inlinable mutating func spend(for port: FlatMapPort<Value, Failure>) {
    demand.spend()
    if demand != .unlimited, ids[port.inlet] == port.id { toAsk.append((port, .max(1))) }
  }

  @inlinable mutating func receive(
    completion: Subscribers.Completion<Failure>, from port: FlatMapPort<Value, Failure>
  ) {
    guard ids[port.inlet] == port.id else { return }
    ids[port.inlet] = 0
    free.append(port.inlet)
    running -= 1
    switch completion {
    case .finished: if maxPublishers != .unlimited, !upstreamEnded { wanted += 1 }
    case .failure(let error): failure = failure ?? error
    }
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    upstreamEnded = true
    if case .failure(let error) = completion { failure = failure ?? error }
  }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let failure { return out.complete(.failure(failure)) }
    if demand != .none, let (value, port) = queue.popFirst() {
      spend(for: port)
      return out.deliver(value)
    }
    while let (port, demand) = toAsk.popFirst() {
      // Another publisher may have taken the inlet in the meantime.
      if ids[port.inlet] == port.id { return .request(demand, inlet: port.inlet) }
    }
    if upstreamEnded, running == 0, queue.isEmpty { return out.complete(.finished) }
    return wanted == .none ? nil : .request(wanted.take(), inlet: 0)
  }
}
