extension Publisher {
  /// Groups all values into one array, published when upstream finishes.
  ///
  /// ```swift
  /// (1...3).publisher.collect().sink { print($0) }  // [1, 2, 3]
  /// ```
  ///
  /// For streams without end, use `collect(_:)` by count or by time.
  ///
  /// - Demand: Asks for everything; the result and the finish wait for demand.
  /// - Thread: The thread of upstream, or of a later request for the result.
  /// - Memory: Unbounded: all values until upstream finishes.
  /// - Failure: Passes on upstream's at once, and discards the values.
  @inlinable public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}

extension Publishers {
  /// Groups all values into one array.
  public struct Collect<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream

    @inlinable public init(upstream: Upstream) { self.upstream = upstream }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.FoldConduit("Collect", CollectFold<Upstream.Output, Failure>(), subscriber))
    }
  }
}

extension Publishers.Collect: Sendable where Upstream: Sendable {}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

@usableFromInline
struct CollectFold<Input, Failure: Error>: Operators.Fold {
  @usableFromInline var gathered: [Input] = []
  @inlinable init() {}

  @inlinable var result: [Input]? { gathered }
  @inlinable mutating func receive(_ input: Input) throws(Failure) -> Bool {
    gathered.append(input)
    return true
  }
}
