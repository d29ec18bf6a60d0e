public import DequeModule

extension Publisher {
  /// Publishes the latest values of this and another publisher together, whenever one of them has a new value.
  ///
  /// ```swift
  /// temperature.combineLatest(humidity).sink { print($0) }
  /// ```
  ///
  /// ```text
  /// upstream              -1--2-----------3-|
  /// other                 ------a----b----------|
  /// combineLatest(other)  ------[2a]-[2b]-[3b]--|
  /// ```
  ///
  /// It starts when each publisher has had a value, and finishes when all have finished. A value without demand is kept
  /// as the latest one.
  ///
  /// - Demand: Asks each upstream for what downstream asks for.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps the latest value of each upstream, and outputs made during a delivery.
  /// - Failure: Passes on the failure of any upstream at once, and cancels the others.
  @inlinable public func combineLatest<P: Publisher>(_ other: P) -> Publishers.CombineLatest<Self, P>
  where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Publishes the result of a closure for the latest values of this and another publisher.
  @inlinable public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
    Publishers.Map(upstream: combineLatest(other)) { transform($0.0, $0.1) }
  }

  /// Publishes the latest values of three publishers together.
  @inlinable public func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Publishes the result of a closure for the latest values of three publishers.
  @inlinable public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Map(upstream: combineLatest(publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
  }

  /// Publishes the latest values of four publishers together.
  @inlinable public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Publishes the result of a closure for the latest values of four publishers.
  @inlinable public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Map(upstream: combineLatest(publisher1, publisher2, publisher3)) { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// Publishes the latest values of two publishers together.
  public struct CombineLatest<A: Publisher, B: Publisher>: _DirectPublisher where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B

    @inlinable public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Values = (a: A.Output?, b: B.Output?)
      let core = CombineLatestCore<Values, Output, Failure>(inlets: 2, values: (nil, nil)) {
        guard let a = $0.a, let b = $0.b else { return nil }
        return (a, b)
      }
      let conduit = Operators.Conduit("CombineLatest", core, subscriber)
      a._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 0) { Swift.swap(&$0, &$1.a) }))
      b._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 1) { Swift.swap(&$0, &$1.b) }))
    }
  }

  /// Publishes the latest values of three publishers together.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: _DirectPublisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    public typealias Output = (A.Output, B.Output, C.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C

    @inlinable public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Values = (a: A.Output?, b: B.Output?, c: C.Output?)
      let core = CombineLatestCore<Values, Output, Failure>(inlets: 3, values: (nil, nil, nil)) {
        guard let a = $0.a, let b = $0.b, let c = $0.c else { return nil }
        return (a, b, c)
      }
      let conduit = Operators.Conduit("CombineLatest", core, subscriber)
      a._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 0) { Swift.swap(&$0, &$1.a) }))
      b._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 1) { Swift.swap(&$0, &$1.b) }))
      c._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 2) { Swift.swap(&$0, &$1.c) }))
    }
  }

  /// Publishes the latest values of four publishers together.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: _DirectPublisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D

    @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Values = (a: A.Output?, b: B.Output?, c: C.Output?, d: D.Output?)
      let core = CombineLatestCore<Values, Output, Failure>(inlets: 4, values: (nil, nil, nil, nil)) {
        guard let a = $0.a, let b = $0.b, let c = $0.c, let d = $0.d else { return nil }
        return (a, b, c, d)
      }
      let conduit = Operators.Conduit("CombineLatest", core, subscriber)
      a._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 0) { Swift.swap(&$0, &$1.a) }))
      b._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 1) { Swift.swap(&$0, &$1.b) }))
      c._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 2) { Swift.swap(&$0, &$1.c) }))
      d._attach(Operators.Inlet(conduit, CombineLatestPort(inlet: 3) { Swift.swap(&$0, &$1.d) }))
    }
  }
}

extension Publishers.CombineLatest4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}

extension Publishers.CombineLatest3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers.CombineLatest: Sendable where A: Sendable, B: Sendable {}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

/// One input. It exchanges its value for the previous one, so that the old value is released outside the lock.
@usableFromInline
package struct CombineLatestPort<Input, Values, Output, Failure: Error>: Operators.Port {
  @usableFromInline package typealias Core = CombineLatestCore<Values, Output, Failure>

  @usableFromInline package let inlet: Int
  @usableFromInline package let exchange: (inout Input?, inout Values) -> Void

  @inlinable package init(inlet: Int, exchange: @escaping (inout Input?, inout Values) -> Void) {
    self.inlet = inlet
    self.exchange = exchange
  }

  @inlinable package func receive(_ input: Input, _ core: inout Core) -> Input? {
    var value = Optional(input)
    exchange(&value, &core.values)
    core.received()
    return value
  }
  @inlinable package func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    core.receive(completion: completion)
  }
}

@usableFromInline
package struct CombineLatestCore<Values, Output, Failure: Error>: Operators.Core {
  @inlinable package static var hasManyInlets: Bool { true }

  @usableFromInline package let inlets: Int
  @usableFromInline package var values: Values
  @usableFromInline package let combine: (Values) -> Output?
  @usableFromInline package var queue: Deque<Output> = []  // values that came during a delivery
  @usableFromInline package var demand = Subscribers.Demand.none
  @usableFromInline package var requests: Requests
  @usableFromInline package var running: Int
  @usableFromInline package var failure: Failure?

  @inlinable package init(inlets: Int, values: Values, combine: @escaping (Values) -> Output?) {
    self.inlets = inlets
    self.values = values
    self.combine = combine
    requests = Requests(inlets: inlets)
    running = inlets
  }

  @inlinable package mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    demand += more
    requests.add(more)
  }

  @inlinable package mutating func received() {
    guard demand != .none, let output = combine(values) else { return }
    demand.spend()
    queue.append(output)
  }

  @inlinable package mutating func receive(completion: Subscribers.Completion<Failure>) {
    running -= 1
    if case .failure(let error) = completion, failure == nil { failure = error }
  }

  @inlinable package mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let failure { return out.complete(.failure(failure)) }
    if let output = queue.popFirst() { return out.deliver(output) }
    return running <= 0 ? out.complete(.finished) : requests.next()
  }
}
