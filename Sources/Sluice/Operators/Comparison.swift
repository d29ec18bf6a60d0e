extension Publisher where Output: Comparable {
  /// Publishes the smallest value when upstream finishes; nothing if there was none.
  ///
  /// ```swift
  /// [3, 1, 2].publisher.min().sink { print($0) }  // 1
  /// ```
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's at once, in place of the result.
  @inlinable public func min() -> Publishers.Comparison<Self> { max(by: >) }

  /// Publishes the largest value when upstream finishes; nothing if there was none.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's at once, in place of the result.
  @inlinable public func max() -> Publishers.Comparison<Self> { max(by: <) }
}

extension Publisher {
  /// Publishes the value that a closure puts before all others.
  @inlinable public func min(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    max { areInIncreasingOrder($1, $0) }
  }

  /// Publishes the value that a closure that may throw puts before all others.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    tryMax { try areInIncreasingOrder($1, $0) }
  }

  /// Publishes the value that a closure puts after all others.
  @inlinable public func max(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Publishes the value that a closure that may throw puts after all others.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }
}

extension Publishers {
  /// Publishes the value that a closure puts after all others.
  public struct Comparison<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    /// The closure that returns true if its first value comes before its second.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    @inlinable public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let fold = ComparisonFold<Output, Failure>(areInIncreasingOrder: areInIncreasingOrder)
      upstream._attach(Operators.FoldConduit("Comparison", fold, subscriber))
    }
  }

  /// Publishes the value that a closure that may throw puts after all others.
  public struct TryComparison<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    /// The closure that returns true if its first value comes before its second.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    @inlinable public init(
      upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool
    ) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let fold = ComparisonFold<Output, Failure>(areInIncreasingOrder: areInIncreasingOrder)
      upstream._attach(Operators.FoldConduit("TryComparison", fold, subscriber))
    }
  }
}

@usableFromInline
struct ComparisonFold<Input, Failure: Error>: Operators.Fold {
  @usableFromInline var result: Input?
  @usableFromInline let areInIncreasingOrder: (Input, Input) throws(Failure) -> Bool

  @inlinable init(areInIncreasingOrder: @escaping (Input, Input) throws(Failure) -> Bool) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    if let result, try !areInIncreasingOrder(result, input) { return true }
    result = input
    return true
  }
}
