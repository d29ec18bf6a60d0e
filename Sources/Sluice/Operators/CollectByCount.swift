extension Publisher {
  /// Groups values into arrays of `count`; the last one may be shorter.
  ///
  /// ```swift
  /// (1...5).publisher.collect(2).sink { print($0) }  // [1, 2] [3, 4] [5]
  /// ```
  ///
  /// Requesting `.none` traps, as in Combine.
  ///
  /// - Demand: Asks for `count` values for each array.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps up to `count` values.
  /// - Failure: Passes on upstream's, and discards the values of the incomplete array.
  @inlinable public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// Groups values into arrays of a fixed size.
  public struct CollectByCount<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let count: Int

    @inlinable public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      precondition(count > 0, "collect needs groups of at least one value")
      upstream._attach(
        Operators.StageConduit("CollectByCount", CollectStage<Upstream.Output, Failure>(ratio: count), subscriber))
    }
  }
}

extension Publishers.CollectByCount: Sendable where Upstream: Sendable {}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

@usableFromInline
struct CollectStage<Input, Failure: Error>: Operators.Stage {
  @usableFromInline let ratio: Int
  @usableFromInline var chunk: [Input] = []

  @inlinable init(ratio: Int) { self.ratio = ratio }

  @inlinable static var lateInput: Operators.LateInput { .end }

  @inlinable mutating func receive(_ input: Input) -> Operators.Step<[Input], Failure> {
    if chunk.isEmpty { chunk.reserveCapacity(Swift.min(ratio, 1 << 16)) }
    chunk.append(input)
    guard chunk.count >= ratio else { return .absorb }
    defer { chunk = [] }
    return .emit(chunk)
  }

  @inlinable mutating func flush() -> [Input]? {
    defer { chunk = [] }
    return chunk.isEmpty ? nil : chunk
  }
}
