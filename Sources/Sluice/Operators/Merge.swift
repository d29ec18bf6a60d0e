import DequeModule

extension Publisher {
  /// Publishes what this and another publisher of the same type publish, as it comes.
  ///
  /// ```swift
  /// left.merge(with: right).sink { print($0) }
  /// ```
  ///
  /// With finite demand each upstream is asked for one value ahead. Finishes when all have; fails as soon as one does.
  @inlinable public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Publishes what this and other publishers of its type publish, as it comes.
  @inlinable public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany([self, other])
  }
}

extension Publishers {
  /// Publishes what two publishers publish, as it comes.
  public struct Merge<A: Publisher, B: Publisher>: _DirectPublisher where A.Output == B.Output, A.Failure == B.Failure {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B

    @inlinable public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Conduit("Merge", MergeCore<Output, Failure>(inlets: 2), subscriber)
      conduit.open()
      a._attach(Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Inlet(conduit, MergePort(inlet: 1)))
    }
  }

  /// Publishes what any number of publishers publish, as it comes.
  public struct MergeMany<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let publishers: [Upstream]

    @inlinable public init(_ upstream: Upstream...) { publishers = upstream }

    @inlinable public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Conduit("Merge", MergeCore<Output, Failure>(inlets: publishers.count), subscriber)
      conduit.open()
      for (inlet, publisher) in publishers.enumerated() {
        publisher._attach(Inlet(conduit, MergePort(inlet: inlet)))
      }
    }

    /// These publishers and one more.
    @inlinable public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}

@usableFromInline
struct MergePort<Value, Failure: Error>: Port {
  @usableFromInline typealias Core = MergeCore<Value, Failure>
  @usableFromInline let inlet: Int

  @inlinable init(inlet: Int) { self.inlet = inlet }

  @inlinable func pass(_ input: Value, _ core: inout Core) -> Value? { core.pass(input, from: inlet) }
  @inlinable func receive(_ input: Value, _ core: inout Core) { core.receive(input, from: inlet) }
  @inlinable func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion)
  }
}

@usableFromInline
struct MergeCore<Value, Failure: Error>: OperatorCore {
  @usableFromInline typealias Output = Value

  @usableFromInline let inlets: Int
  @usableFromInline var running: Int
  @usableFromInline var connected: [Int] = []
  @usableFromInline var toAsk: Deque<Int> = []  // inlets that are to be asked for more
  @usableFromInline var queue: Deque<(value: Value, inlet: Int)> = []
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var failure: Failure?

  @inlinable init(inlets: Int) {
    self.inlets = inlets
    running = inlets
  }

  @inlinable mutating func connected(_ inlet: Int) {
    connected.append(inlet)
    toAsk.append(inlet)
  }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    let before = demand
    demand += more
    // From now on upstreams need not be asked for each value.
    if demand == .unlimited, before != .unlimited { toAsk = Deque(connected) }
  }

  @inlinable mutating func pass(_ input: Value, from inlet: Int) -> Value? {
    guard queue.isEmpty, demand != .none, failure == nil else { return nil }
    demand.spend()
    if demand != .unlimited { toAsk.append(inlet) }
    return input
  }

  @inlinable mutating func receive(_ input: Value, from inlet: Int) { queue.append((input, inlet)) }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) {
    running -= 1
    if case .failure(let error) = completion, failure == nil { failure = error }
  }

  @inlinable mutating func next(_ out: inout Outbox<Self>) -> Action? {
    if let failure { return out.complete(.failure(failure)) }
    if demand != .none, let (value, inlet) = queue.popFirst() {
      demand.spend()
      if demand != .unlimited { toAsk.append(inlet) }
      return out.deliver(value)
    }
    if let inlet = toAsk.popFirst() { return .request(demand == .unlimited ? .unlimited : .max(1), inlet: inlet) }
    return running <= 0 && queue.isEmpty ? out.complete(.finished) : nil
  }
}
