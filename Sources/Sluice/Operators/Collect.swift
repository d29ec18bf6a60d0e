extension Publisher {
  /// Gathers all values into one array, published when upstream finishes.
  ///
  /// ```swift
  /// (1...3).publisher.collect().sink { print($0) }  // [1, 2, 3]
  /// ```
  ///
  /// Asks upstream for everything and keeps it in memory: for streams without end there are `collect(_:)` by count and by
  /// time.
  @inlinable public func collect() -> Publishers.Collect<Self> { Publishers.Collect(upstream: self) }
}

extension Publishers {
  /// Gathers all values into one array.
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
