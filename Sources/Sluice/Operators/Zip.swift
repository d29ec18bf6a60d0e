public import DequeModule

extension Publisher {
  /// Pairs the values of this and another publisher: first with first, second with second.
  ///
  /// ```swift
  /// (1...3).publisher.zip(["a", "b"].publisher).sink { print($0) }  // (1, "a") (2, "b")
  /// ```
  ///
  /// ```text
  /// upstream    -1-2-------3-----|
  /// other       ------a-------b--------c-|
  /// zip(other)  ------[1a]----[2b]-----([3c]|)
  /// ```
  ///
  /// It finishes when no further pair is possible.
  ///
  /// - Demand: Asks each upstream for what downstream asks for.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps values that wait for their partners, at most as many as were requested.
  /// - Failure: Passes on the failure of any upstream at once, and cancels the others.
  @inlinable public func zip<P: Publisher>(_ other: P) -> Publishers.Zip<Self, P> where P.Failure == Failure {
    Publishers.Zip(self, other)
  }

  /// Pairs the values of this and another publisher, and transforms each pair with a closure.
  @inlinable public func zip<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, P>, T> where P.Failure == Failure {
    Publishers.Map(upstream: zip(other)) { transform($0.0, $0.1) }
  }

  /// Puts the values of three publishers together: first with first, second with second.
  @inlinable public func zip<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.Zip3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Zip3(self, publisher1, publisher2)
  }

  /// Puts the values of three publishers together, and transforms each three with a closure.
  @inlinable public func zip<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.Map(upstream: zip(publisher1, publisher2)) { transform($0.0, $0.1, $0.2) }
  }

  /// Puts the values of four publishers together: first with first, second with second.
  @inlinable public func zip<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.Zip4<Self, P, Q, R> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Zip4(self, publisher1, publisher2, publisher3)
  }

  /// Puts the values of four publishers together, and transforms each four with a closure.
  @inlinable public func zip<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.Map(upstream: zip(publisher1, publisher2, publisher3)) { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// Pairs the values of two publishers.
  public struct Zip<A: Publisher, B: Publisher>: _DirectPublisher where A.Failure == B.Failure {
    public typealias Output = (A.Output, B.Output)
    public typealias Failure = A.Failure

    public let a: A
    public let b: B

    @inlinable public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      typealias Queues = (a: ZipQueue<A.Output>, b: ZipQueue<B.Output>)
      let core = ZipCore<Queues, Output, Failure>(inlets: 2, queues: (.init(), .init())) {
        ($0.a.take(&$1), $0.b.take(&$1))
      }
      let conduit = Operators.Conduit("Zip", core, subscriber)
      a._attach(Operators.Inlet(conduit, ZipPort(inlet: 0, append: { $1.a.append($0, &$2) }, end: { $0.a.end(&$1) })))
      b._attach(Operators.Inlet(conduit, ZipPort(inlet: 1, append: { $1.b.append($0, &$2) }, end: { $0.b.end(&$1) })))
    }
  }

  /// Puts the values of three publishers together.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: _DirectPublisher
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
      typealias Queues = (a: ZipQueue<A.Output>, b: ZipQueue<B.Output>, c: ZipQueue<C.Output>)
      let core = ZipCore<Queues, Output, Failure>(inlets: 3, queues: (.init(), .init(), .init())) {
        ($0.a.take(&$1), $0.b.take(&$1), $0.c.take(&$1))
      }
      let conduit = Operators.Conduit("Zip", core, subscriber)
      a._attach(Operators.Inlet(conduit, ZipPort(inlet: 0, append: { $1.a.append($0, &$2) }, end: { $0.a.end(&$1) })))
      b._attach(Operators.Inlet(conduit, ZipPort(inlet: 1, append: { $1.b.append($0, &$2) }, end: { $0.b.end(&$1) })))
      c._attach(Operators.Inlet(conduit, ZipPort(inlet: 2, append: { $1.c.append($0, &$2) }, end: { $0.c.end(&$1) })))
    }
  }

  /// Puts the values of four publishers together.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: _DirectPublisher
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
      typealias Queues = (a: ZipQueue<A.Output>, b: ZipQueue<B.Output>, c: ZipQueue<C.Output>, d: ZipQueue<D.Output>)
      let core = ZipCore<Queues, Output, Failure>(inlets: 4, queues: (.init(), .init(), .init(), .init())) {
        ($0.a.take(&$1), $0.b.take(&$1), $0.c.take(&$1), $0.d.take(&$1))
      }
      let conduit = Operators.Conduit("Zip", core, subscriber)
      a._attach(Operators.Inlet(conduit, ZipPort(inlet: 0, append: { $1.a.append($0, &$2) }, end: { $0.a.end(&$1) })))
      b._attach(Operators.Inlet(conduit, ZipPort(inlet: 1, append: { $1.b.append($0, &$2) }, end: { $0.b.end(&$1) })))
      c._attach(Operators.Inlet(conduit, ZipPort(inlet: 2, append: { $1.c.append($0, &$2) }, end: { $0.c.end(&$1) })))
      d._attach(Operators.Inlet(conduit, ZipPort(inlet: 3, append: { $1.d.append($0, &$2) }, end: { $0.d.end(&$1) })))
    }
  }
}

extension Publishers.Zip4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}

extension Publishers.Zip3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers.Zip: Sendable where A: Sendable, B: Sendable {}

extension Publishers.Zip: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Zip3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Zip4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}

/// The values of one input that wait for values of the other inputs.
///
/// The first value has a separate place. If the inputs take turns, the deque is not used.
@frozen @usableFromInline
package struct ZipQueue<Value> {
  @usableFromInline package var first: Value?
  @usableFromInline package var rest: Deque<Value> = []
  @usableFromInline package var ended = false

  @inlinable package init() {}

  @inlinable package mutating func append(_ value: Value, _ balance: inout ZipBalance) {
    guard first != nil else {
      first = value
      balance.empty -= 1
      return
    }
    rest.append(value)
  }

  /// Call it only if no queue is empty.
  @inlinable package mutating func take(_ balance: inout ZipBalance) -> Value {
    guard let value = first.take() else { preconditionFailure("an empty queue has no value") }
    if rest.isEmpty {
      balance.empty += 1
      if ended { balance.exhausted = true }
    } else {
      first = rest.removeFirst()
    }
    return value
  }

  @inlinable package mutating func end(_ balance: inout ZipBalance) {
    ended = true
    if first == nil { balance.exhausted = true }
  }
}

/// The state of all queues together.
@frozen @usableFromInline
package struct ZipBalance {
  @usableFromInline package var empty: Int  // the number of empty queues
  @usableFromInline package var exhausted = false  // no further output is possible

  @inlinable package init(empty: Int) { self.empty = empty }
}

/// One input of a zip. It puts its values into a queue of their own type.
@usableFromInline
package struct ZipPort<Input, Queues, Output, Failure: Error>: Operators.Port {
  @usableFromInline package typealias Core = ZipCore<Queues, Output, Failure>

  @usableFromInline package let inlet: Int
  @usableFromInline package let append: (Input, inout Queues, inout ZipBalance) -> Void
  @usableFromInline package let end: (inout Queues, inout ZipBalance) -> Void

  @inlinable package init(
    inlet: Int, append: @escaping (Input, inout Queues, inout ZipBalance) -> Void,
    end: @escaping (inout Queues, inout ZipBalance) -> Void
  ) {
    self.inlet = inlet
    self.append = append
    self.end = end
  }

  @inlinable package func receive(_ input: Input, _ core: inout Core) {
    append(input, &core.queues, &core.balance)
  }
  @inlinable package func receive(completion: Subscribers.Completion<Failure>, _ core: inout Core) {
    // After the decision to finish, a failure comes too late.
    if case .failure(let error) = completion, core.failure == nil, !core.balance.exhausted { core.failure = error }
    end(&core.queues, &core.balance)
  }
}

/// The core of every kind of zip. It keeps the balance; the values are in queues of their own types.
@usableFromInline
package struct ZipCore<Queues, Output, Failure: Error>: Operators.Core {
  @inlinable package static var hasManyInlets: Bool { true }

  @usableFromInline package let inlets: Int
  @usableFromInline package var queues: Queues
  @usableFromInline package let take: (inout Queues, inout ZipBalance) -> Output
  @usableFromInline package var balance: ZipBalance
  @usableFromInline package var demand = Subscribers.Demand.none
  @usableFromInline package var requests: Requests
  @usableFromInline package var failure: Failure?

  @inlinable package init(inlets: Int, queues: Queues, take: @escaping (inout Queues, inout ZipBalance) -> Output) {
    self.inlets = inlets
    self.queues = queues
    self.take = take
    balance = ZipBalance(empty: inlets)
    requests = Requests(inlets: inlets)
  }

  @inlinable package mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    demand += more
    requests.add(more)
  }

  @inlinable package mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let failure { return out.complete(.failure(failure)) }
    if balance.empty == 0, demand != .none {
      demand.spend()
      return out.deliver(take(&queues, &balance))
    }
    return balance.exhausted ? out.complete(.finished) : requests.next()
  }
}

/// Asks every inlet for the same number of values.
@usableFromInline
package struct Requests {
  @usableFromInline package let inlets: Int
  @usableFromInline package var demand = Subscribers.Demand.none
  @usableFromInline package var asking = Subscribers.Demand.none
  @usableFromInline package var inlet = 0  // the next inlet to ask

  @inlinable package init(inlets: Int) { self.inlets = inlets }

  @inlinable package mutating func add(_ more: Subscribers.Demand) { demand += more }

  @inlinable package mutating func next() -> Operators.Action? {
    if asking == .none {
      guard demand != .none else { return nil }
      asking = demand.take()
      inlet = 0
    }
    defer {
      inlet += 1
      if inlet >= inlets { asking = .none }
    }
    return .request(asking, inlet: inlet)
  }
}
