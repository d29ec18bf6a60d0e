extension Publisher where Output: Equatable {
  /// Leaves out values that equal the previous value.
  ///
  /// ```swift
  /// [1, 1, 2, 2, 1].publisher.removeDuplicates().sink { print($0) }  // 1 2 1
  /// ```
  ///
  /// ```text
  /// upstream            -1-1-2-2-1-|
  /// removeDuplicates()  -1---2---1-|
  /// ```
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's.
  @inlinable public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: ==)
  }
}

extension Publisher {
  /// Leaves out a value if a closure finds it equal to the previous value.
  @inlinable public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  /// Leaves out a value if a closure that may throw finds it equal to the previous value.
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps one value.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Leaves out values that equal the previous value.
  public struct RemoveDuplicates<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let stage = RemoveDuplicatesStage<Output, Failure>(isSame: predicate)
      upstream._attach(Operators.StageConduit("RemoveDuplicates", stage, subscriber))
    }
  }

  /// Leaves out a value if a closure that may throw finds it equal to the previous value.
  public struct TryRemoveDuplicates<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let stage = RemoveDuplicatesStage<Output, any Error>(isSame: predicate)
      upstream._attach(Operators.StageConduit("TryRemoveDuplicates", stage, subscriber))
    }
  }
}

@usableFromInline
struct RemoveDuplicatesStage<Input, Failure: Error>: Operators.Stage {
  @usableFromInline let isSame: (Input, Input) throws(Failure) -> Bool
  @usableFromInline var last: Input?

  @inlinable init(isSame: @escaping (Input, Input) throws(Failure) -> Bool) { self.isSame = isSame }

  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Input, Failure> {
    let before = last
    last = input
    guard let before else { return .emit(input) }
    do throws(Failure) { return try isSame(before, input) ? .skip : .emit(input) } catch { return .fail(error) }
  }
}
