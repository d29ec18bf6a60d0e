extension Publisher {
  /// Publishes the first `maxLength` values, then finishes.
  ///
  /// ```swift
  /// (1...5).publisher.prefix(2).sink { print($0) }  // 1 2
  /// ```
  ///
  /// It finishes with the last of them, without waiting for another value. `prefix(0)` finishes with upstream's first
  /// value, or with its end.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func prefix(_ maxLength: Int) -> Publishers.Output<Self> { output(in: ..<maxLength) }

  /// Publishes the value at an index, counted from 0, then finishes.
  ///
  /// - Demand: Passes through, and asks for one more for each value before the index.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func output(at index: Int) -> Publishers.Output<Self> { output(in: index...index) }

  /// Publishes the values at a range of indices, counted from 0, then finishes.
  ///
  /// ```swift
  /// ("a"..."e").publisher.output(in: 1...2)  // b c
  /// ```
  @inlinable public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }
}

extension Publishers {
  /// Publishes the values at a range of indices.
  public struct Output<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let range: CountableRange<Int>

    @inlinable public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0, "lowerBound must not be negative")
      precondition(range.upperBound >= 0, "upperBound must not be negative")
      self.upstream = upstream
      self.range = range
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(
        Operators.StageConduit("Output", OutputStage<Output, Failure>(range: range), subscriber, takesNoDemand: true))
    }
  }
}

extension Publishers.Output: Sendable where Upstream: Sendable {}

extension Publishers.Output: Equatable where Upstream: Equatable {}

@usableFromInline
struct OutputStage<Input, Failure: Error>: Operators.Stage {
  @usableFromInline var before: Int
  @usableFromInline var left: Int

  @inlinable init(range: Range<Int>) {
    before = range.lowerBound
    left = range.count
  }

  @inlinable static var lateInput: Operators.LateInput { .values }
  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Input, Failure> {
    guard before == 0 else {
      before -= 1
      return .skip
    }
    guard left > 0 else { return .finish }
    left -= 1
    return left == 0 ? .last(input) : .emit(input)
  }

  @inlinable mutating func pass(run: ArraySlice<Input>) -> ArraySlice<Input>? {
    guard before == 0, run.count < left else { return nil }
    left -= run.count
    return run
  }
}
