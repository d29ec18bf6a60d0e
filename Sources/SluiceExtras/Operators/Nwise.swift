public import Sluice

extension Publisher {
  /// Publishes each value together with the values before it, in arrays of `size`.
  ///
  /// ```swift
  /// (1...4).publisher.nwise(3).sink { print($0) }  // [1, 2, 3] [2, 3, 4]
  /// ```
  ///
  /// Fewer than `size` values make no array.
  ///
  /// - Parameter size: The number of values in an array, at least 1.
  ///
  /// - Demand: Passes through, and asks for one more for each value that makes no array yet.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps `size` values.
  /// - Failure: Passes on upstream's.
  @inlinable public func nwise(_ size: Int) -> Publishers.Nwise<Self> { Publishers.Nwise(upstream: self, size: size) }

  /// Publishes each value together with the one before it, in arrays of two.
  ///
  /// ```swift
  /// (1...4).publisher.pair().sink { print($0) }  // [1, 2] [2, 3] [3, 4]
  /// ```
  ///
  /// ```text
  /// upstream  -1----2----3----|
  /// pair()    ------[12]-[23]-|
  /// ```
  ///
  /// - Demand: Passes through, and asks for one more for each value that makes no array yet.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps two values.
  /// - Failure: Passes on upstream's.
  @inlinable public func pair() -> Publishers.Nwise<Self> { nwise(2) }
}

extension Publishers {
  /// Publishes each value together with those before it.
  public struct Nwise<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = [Upstream.Output]
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let size: Int

    @inlinable public init(upstream: Upstream, size: Int) {
      precondition(size >= 1, "nwise needs a size of at least 1")
      self.upstream = upstream
      self.size = size
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(Operators.StageConduit("Nwise", NwiseStage<Upstream.Output, Failure>(size: size), subscriber))
    }
  }
}

extension Publishers.Nwise: Equatable where Upstream: Equatable {}

@usableFromInline
struct NwiseStage<Input, Failure: Error>: Operators.Stage {
  @usableFromInline let size: Int
  @usableFromInline var window: [Input] = []

  @inlinable init(size: Int) { self.size = size }

  @inlinable mutating func receive(_ input: Input) -> Operators.Step<[Input], Failure> {
    if window.count == size { window.removeFirst() }
    window.append(input)
    return window.count == size ? .emit(window) : .skip
  }
}
