extension Publisher {
  /// Combines all values into one, and publishes it when upstream finishes.
  ///
  /// ```swift
  /// (1...4).publisher.reduce(0, +).sink { print($0) }  // 10
  /// ```
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps the result.
  /// - Failure: Passes on upstream's at once, and discards the result.
  @inlinable public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Combines all values into one with a closure that may throw, and publishes it when upstream finishes.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps the result.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// Combines all values into one.
  public struct Reduce<Upstream: Publisher, Output>: _DirectPublisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    @inlinable public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let fold = ReduceFold<Upstream.Output, Output, Failure>(result: initial, next: nextPartialResult)
      upstream._attach(Operators.FoldConduit("Reduce", fold, subscriber))
    }
  }

  /// Combines all values into one with a closure that may throw.
  public struct TryReduce<Upstream: Publisher, Output>: _DirectPublisher {
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let initial: Output
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    @inlinable public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let fold = ReduceFold<Upstream.Output, Output, Failure>(result: initial, next: nextPartialResult)
      upstream._attach(Operators.FoldConduit("TryReduce", fold, subscriber))
    }
  }
}

@usableFromInline
struct ReduceFold<Input, Output, Failure: Error>: Operators.Fold {
  @usableFromInline var result: Output?
  @usableFromInline let next: (Output, Input) throws(Failure) -> Output

  @inlinable init(result: Output, next: @escaping (Output, Input) throws(Failure) -> Output) {
    self.result = result
    self.next = next
  }

  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    guard let before = result.take() else { return false }
    result = try next(before, input)
    return true
  }
}
