extension Publisher {
  /// Publishes the last value when upstream finishes.
  ///
  /// ```swift
  /// (1...3).publisher.last().sink { print($0) }  // 3
  /// ```
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's at once, in place of the result.
  @inlinable public func last() -> Publishers.Last<Self> { Publishers.Last(upstream: self) }

  /// Publishes the last value for which a closure returns true, when upstream finishes.
  @inlinable public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Publishes the last value for which a closure that may throw returns true, when upstream finishes.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryLast(
    where predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the last value.
  public struct Last<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.FoldConduit("Last", LastFold<Output, Failure> { _ in true }, subscriber))
    }
  }

  /// Publishes the last value for which a closure returns true.
  public struct LastWhere<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.FoldConduit("LastWhere", LastFold<Output, Failure>(predicate), subscriber))
    }
  }

  /// Publishes the last value for which a closure that may throw returns true.
  public struct TryLastWhere<Upstream: Publisher>: _DirectPublisher {
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
      upstream._attach(Operators.FoldConduit("TryLastWhere", LastFold<Output, Failure>(predicate), subscriber))
    }
  }
}

extension Publishers.Last: Sendable where Upstream: Sendable {}

extension Publishers.Last: Equatable where Upstream: Equatable {}

@usableFromInline
struct LastFold<Input, Failure: Error>: Operators.Fold {
  @usableFromInline let predicate: (Input) throws(Failure) -> Bool
  @usableFromInline var result: Input?
  @inlinable init(_ predicate: @escaping (Input) throws(Failure) -> Bool) { self.predicate = predicate }

  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    if try predicate(input) { result = input }
    return true
  }
}
