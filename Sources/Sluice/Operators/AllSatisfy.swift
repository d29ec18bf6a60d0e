extension Publisher {
  /// Publishes whether a closure returns true for every value: false as soon as it returns false, true when upstream
  /// finishes.
  ///
  /// ```swift
  /// [2, 4].publisher.allSatisfy { $0 % 2 == 0 }.sink { print($0) }  // true
  /// ```
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps the result.
  /// - Failure: Passes on upstream's at once, in place of the result.
  @inlinable public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Publishes whether a closure that may throw returns true for every value.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps the result.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryAllSatisfy(
    _ predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes whether a closure returns true for every value.
  public struct AllSatisfy<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(
        Operators.FoldConduit("AllSatisfy", AllSatisfyFold<Upstream.Output, Failure>(predicate), subscriber))
    }
  }

  /// Publishes whether a closure that may throw returns true for every value.
  public struct TryAllSatisfy<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Bool
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(
        Operators.FoldConduit("TryAllSatisfy", AllSatisfyFold<Upstream.Output, Failure>(predicate), subscriber))
    }
  }
}

@usableFromInline
struct AllSatisfyFold<Input, Failure: Error>: Operators.Fold {
  @usableFromInline let predicate: (Input) throws(Failure) -> Bool
  @usableFromInline var satisfied = true
  @inlinable init(_ predicate: @escaping (Input) throws(Failure) -> Bool) { self.predicate = predicate }

  @inlinable var result: Bool? { satisfied }
  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    satisfied = try predicate(input)
    return satisfied
  }
}
