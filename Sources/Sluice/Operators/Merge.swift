extension Publisher {
  /// Merges the values of this and another publisher of the same type, in the order of arrival.
  ///
  /// ```swift
  /// left.merge(with: right).sink { print($0) }
  /// ```
  ///
  /// ```text
  /// upstream            -1---2---3-|
  /// other               ---a--b-------c-|
  /// merge(with: other)  -1-a-2b--3----c-|
  /// ```
  ///
  /// It finishes when all have finished.
  ///
  /// - Demand: Asks each upstream for one value ahead, or for everything if downstream wants everything.
  /// - Thread: The thread of the upstream already delivering, or of a request: see <doc:Threads>.
  /// - Memory: Keeps one value of each upstream until there is demand, and values that come during a delivery.
  /// - Failure: Passes on the failure of any upstream at once, and cancels the others.
  @inlinable public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Merges the values of this and two other publishers, in the order of arrival.
  @inlinable public func merge<B: Publisher, C: Publisher>(
    with b: B, _ c: C
  ) -> Publishers.Merge3<Self, B, C>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure
  {
    Publishers.Merge3(self, b, c)
  }

  /// Merges the values of this and three other publishers, in the order of arrival.
  @inlinable public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B, _ c: C, _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// Merges the values of this and four other publishers, in the order of arrival.
  @inlinable public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure
  {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// Merges the values of this and five other publishers, in the order of arrival.
  @inlinable public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// Merges the values of this and six other publishers, in the order of arrival.
  @inlinable public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// Merges the values of this and seven other publishers, in the order of arrival.
  @inlinable
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure,
    C.Output == Output, C.Failure == Failure,
    D.Output == Output, D.Failure == Failure,
    E.Output == Output, E.Failure == Failure,
    F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure,
    H.Output == Output, H.Failure == Failure
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }

  /// Merges the values of this and other publishers of its type, in the order of arrival.
  @inlinable public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany([self, other])
  }
}

extension Publishers {
  /// Merges the values of two publishers, in the order of arrival.
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
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: 2), subscriber)
      conduit.open()
      a._attach(Operators.Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Operators.Inlet(conduit, MergePort(inlet: 1)))
    }
  }

  /// Merges the values of three publishers, in the order of arrival.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure
  {
    public typealias Output = A.Output
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
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: 3), subscriber)
      conduit.open()
      a._attach(Operators.Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Operators.Inlet(conduit, MergePort(inlet: 1)))
      c._attach(Operators.Inlet(conduit, MergePort(inlet: 2)))
    }
  }

  /// Merges the values of four publishers, in the order of arrival.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure
  {
    public typealias Output = A.Output
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
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: 4), subscriber)
      conduit.open()
      a._attach(Operators.Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Operators.Inlet(conduit, MergePort(inlet: 1)))
      c._attach(Operators.Inlet(conduit, MergePort(inlet: 2)))
      d._attach(Operators.Inlet(conduit, MergePort(inlet: 3)))
    }
  }

  /// Merges the values of five publishers, in the order of arrival.
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E

    @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: 5), subscriber)
      conduit.open()
      a._attach(Operators.Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Operators.Inlet(conduit, MergePort(inlet: 1)))
      c._attach(Operators.Inlet(conduit, MergePort(inlet: 2)))
      d._attach(Operators.Inlet(conduit, MergePort(inlet: 3)))
      e._attach(Operators.Inlet(conduit, MergePort(inlet: 4)))
    }
  }

  /// Merges the values of six publishers, in the order of arrival.
  public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>:
    _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E
    public let f: F

    @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: 6), subscriber)
      conduit.open()
      a._attach(Operators.Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Operators.Inlet(conduit, MergePort(inlet: 1)))
      c._attach(Operators.Inlet(conduit, MergePort(inlet: 2)))
      d._attach(Operators.Inlet(conduit, MergePort(inlet: 3)))
      e._attach(Operators.Inlet(conduit, MergePort(inlet: 4)))
      f._attach(Operators.Inlet(conduit, MergePort(inlet: 5)))
    }
  }

  /// Merges the values of seven publishers, in the order of arrival.
  public struct Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E
    public let f: F
    public let g: G

    @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: 7), subscriber)
      conduit.open()
      a._attach(Operators.Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Operators.Inlet(conduit, MergePort(inlet: 1)))
      c._attach(Operators.Inlet(conduit, MergePort(inlet: 2)))
      d._attach(Operators.Inlet(conduit, MergePort(inlet: 3)))
      e._attach(Operators.Inlet(conduit, MergePort(inlet: 4)))
      f._attach(Operators.Inlet(conduit, MergePort(inlet: 5)))
      g._attach(Operators.Inlet(conduit, MergePort(inlet: 6)))
    }
  }

  /// Merges the values of eight publishers, in the order of arrival.
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >: _DirectPublisher
  where
    A.Output == B.Output, A.Failure == B.Failure,
    B.Output == C.Output, B.Failure == C.Failure,
    C.Output == D.Output, C.Failure == D.Failure,
    D.Output == E.Output, D.Failure == E.Failure,
    E.Output == F.Output, E.Failure == F.Failure,
    F.Output == G.Output, F.Failure == G.Failure,
    G.Output == H.Output, G.Failure == H.Failure
  {
    public typealias Output = A.Output
    public typealias Failure = A.Failure

    public let a: A
    public let b: B
    public let c: C
    public let d: D
    public let e: E
    public let f: F
    public let g: G
    public let h: H

    @inlinable public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
      self.h = h
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: 8), subscriber)
      conduit.open()
      a._attach(Operators.Inlet(conduit, MergePort(inlet: 0)))
      b._attach(Operators.Inlet(conduit, MergePort(inlet: 1)))
      c._attach(Operators.Inlet(conduit, MergePort(inlet: 2)))
      d._attach(Operators.Inlet(conduit, MergePort(inlet: 3)))
      e._attach(Operators.Inlet(conduit, MergePort(inlet: 4)))
      f._attach(Operators.Inlet(conduit, MergePort(inlet: 5)))
      g._attach(Operators.Inlet(conduit, MergePort(inlet: 6)))
      h._attach(Operators.Inlet(conduit, MergePort(inlet: 7)))
    }
  }

  /// Merges the values of any number of publishers, in the order of arrival.
  public struct MergeMany<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let publishers: [Upstream]

    @inlinable public init(_ upstream: Upstream...) { publishers = upstream }

    @inlinable public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let conduit = Operators.Conduit("Merge", MergeCore<Output, Failure>(inlets: publishers.count), subscriber)
      conduit.open()
      for (inlet, publisher) in publishers.enumerated() {
        publisher._attach(Operators.Inlet(conduit, MergePort(inlet: inlet)))
      }
    }

    /// Merges these publishers and one more.
    @inlinable public func merge(with other: Upstream) -> MergeMany<Upstream> { MergeMany(publishers + [other]) }
  }
}

extension Publishers.Merge8: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable, H: Sendable {}

extension Publishers.Merge7: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable, G: Sendable {}

extension Publishers.Merge6: Sendable
where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable, F: Sendable {}

extension Publishers.Merge5: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable, E: Sendable {}

extension Publishers.Merge4: Sendable where A: Sendable, B: Sendable, C: Sendable, D: Sendable {}

extension Publishers.Merge3: Sendable where A: Sendable, B: Sendable, C: Sendable {}

extension Publishers.MergeMany: Sendable where Upstream: Sendable {}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}
extension Publishers.Merge8: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable, H: Equatable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
