extension Publisher where Output: Equatable {
  /// Publishes whether upstream publishes a value: true as soon as it comes, false when upstream finishes.
  ///
  /// ```swift
  /// (1...3).publisher.contains(2).sink { print($0) }  // true
  /// ```
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps the result.
  /// - Failure: Passes on upstream's at once, in place of the result.
  @inlinable public func contains(_ output: Output) -> Publishers.Contains<Self> {
    Publishers.Contains(upstream: self, output: output)
  }
}

extension Publisher {
  /// Publishes whether there is a value for which a closure returns true.
  @inlinable public func contains(
    where predicate: @escaping (Output) -> Bool
  ) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Publishes whether there is a value for which a closure that may throw returns true.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps the result.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryContains(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes whether upstream publishes a value.
  public struct Contains<Upstream: Publisher>: _DirectPublisher where Upstream.Output: Equatable {
    public typealias Output = Bool
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let output: Upstream.Output

    @inlinable public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let output = output
      let fold = ContainsFold<Upstream.Output, Failure> { $0 == output }
      upstream._attach(Operators.FoldConduit("Contains", fold, subscriber))
    }
  }

  /// Publishes whether there is a value for which a closure returns true.
  public struct ContainsWhere<Upstream: Publisher>: _DirectPublisher {
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
        Operators.FoldConduit("ContainsWhere", ContainsFold<Upstream.Output, Failure>(predicate), subscriber))
    }
  }

  /// Publishes whether there is a value for which a closure that may throw returns true.
  public struct TryContainsWhere<Upstream: Publisher>: _DirectPublisher {
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
        Operators.FoldConduit("TryContainsWhere", ContainsFold<Upstream.Output, Failure>(predicate), subscriber))
    }
  }
}

extension Publishers.Contains: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

@usableFromInline
struct ContainsFold<Input, Failure: Error>: Operators.Fold {
  @usableFromInline let predicate: (Input) throws(Failure) -> Bool
  @usableFromInline var found = false
  @inlinable init(_ predicate: @escaping (Input) throws(Failure) -> Bool) { self.predicate = predicate }

  @inlinable var result: Bool? { found }
  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    found = try predicate(input)
    return !found
  }
}
