extension Publisher {
  /// Leaves out the first `count` values.
  ///
  /// ```swift
  /// (1...5).publisher.dropFirst(2).sink { print($0) }  // 3 4 5
  /// ```
  ///
  /// Requesting `.none` traps, as in Combine.
  ///
  /// - Demand: Asks for `count` values on subscribing, then passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }
}

extension Publishers {
  /// Leaves out the first `count` values.
  public struct Drop<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let count: Int

    @inlinable public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = count
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      precondition(count >= 0, "count must not be negative")
      let conduit = Operators.StageConduit<DropStage<Output, Failure>, Failure, S>(
        "Drop", DropStage(count: count), subscriber)
      conduit.open()
      upstream._attach(conduit)
    }
  }
}

extension Publishers.Drop: Sendable where Upstream: Sendable {}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

@usableFromInline
struct DropStage<Input, Failure: Error>: Operators.Stage {
  @usableFromInline let surplus: Int
  @usableFromInline var left: Int

  @inlinable init(count: Int) {
    surplus = count
    left = count
  }

  @inlinable static var lateInput: Operators.LateInput { .valuesAndEnd }
  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Input, Failure> {
    guard left > 0 else { return .emit(input) }
    left -= 1
    return .absorb
  }

  @inlinable mutating func pass(run: ArraySlice<Input>) -> ArraySlice<Input>? { left == 0 ? run : nil }
}
