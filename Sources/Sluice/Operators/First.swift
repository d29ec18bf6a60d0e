extension Publisher {
  /// Publishes the first value, then finishes.
  ///
  /// ```swift
  /// (1...3).publisher.first().sink { print($0) }  // 1
  /// ```
  ///
  /// - Demand: Asks for everything, as Combine does; `prefix(1)` asks only for the demand of downstream.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value until there is demand.
  /// - Failure: Passes on upstream's.
  @inlinable public func first() -> Publishers.First<Self> { Publishers.First(upstream: self) }

  /// Publishes the first value for which a closure returns true, then finishes.
  @inlinable public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// Publishes the first value for which a closure that may throw returns true, then finishes.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value until there is demand.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryFirst(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the first value.
  public struct First<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.FoldConduit("First", FirstFold<Output, Failure> { _ in true }, subscriber))
    }
  }

  /// Publishes the first value for which a closure returns true.
  public struct FirstWhere<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.FoldConduit("TryFirst", FirstFold<Output, Failure>(predicate), subscriber))
    }
  }

  /// Publishes the first value for which a closure that may throw returns true.
  public struct TryFirstWhere<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.FoldConduit("TryFirstWhere", FirstFold<Output, Failure>(predicate), subscriber))
    }
  }
}

extension Publishers.First: Sendable where Upstream: Sendable {}

extension Publishers.First: Equatable where Upstream: Equatable {}

@usableFromInline
struct FirstFold<Input, Failure: Error>: Operators.Fold {
  @usableFromInline let predicate: (Input) throws(Failure) -> Bool
  @usableFromInline var result: Input?
  @inlinable init(_ predicate: @escaping (Input) throws(Failure) -> Bool) { self.predicate = predicate }

  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    guard try predicate(input) else { return true }
    result = input
    return false
  }
}
