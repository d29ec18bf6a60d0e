extension Publisher {
  /// Transforms every value with a closure, and leaves out those for which it returns nil.
  ///
  /// ```swift
  /// ["1", "two", "3"].publisher.compactMap { Int($0) }.sink { print($0) }  // 1 3
  /// ```
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Transforms every value with a closure, and leaves out those for which it returns nil.
  public struct CompactMap<Upstream: Publisher, Output>: _DirectPublisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output?

    @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(CompactMapSubscriber(downstream: subscriber, transform: transform))
    }
  }
}

extension Publishers.CompactMap {
  /// Combines two `compactMap` into one.
  @inlinable public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).flatMap(transform) }
  }

  /// Combines a `compactMap` and a `map` into one.
  @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.CompactMap<Upstream, T>(upstream: upstream) { first($0).map(transform) }
  }
}

@usableFromInline
struct CompactMapSubscriber<Input, Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let transform: (Input) -> Downstream.Input?

  @inlinable init(downstream: Downstream, transform: @escaping (Input) -> Downstream.Input?) {
    self.downstream = downstream
    self.transform = transform
  }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @usableFromInline var name: StaticString { "CompactMap" }
  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    transform(input).map { downstream.receive($0) } ?? .max(1)
  }
  @inlinable var _takesRuns: Bool { downstream._takesRuns }
  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    run.receive(by: downstream) { transform($0).map { .output($0) } ?? .skip }
  }
  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

extension Publisher {
  /// Transforms every value with a closure that may throw, and leaves out those for which it returns nil.
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryCompactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Transforms every value with a closure that may throw, and leaves out those for which it returns nil.
  public struct TryCompactMap<Upstream: Publisher, Output>: _DirectPublisher {
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let transform: (Upstream.Output) throws -> Output?

    @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let stage = TryCompactMapStage<Upstream.Output, Output>(transform: transform)
      upstream._attach(Operators.StageConduit("TryCompactMap", stage, subscriber))
    }
  }
}

extension Publishers.TryCompactMap {
  /// Combines two `compactMap` into one.
  ///
  /// If a closure throws, the stream ends with its error and upstream is cancelled.
  @inlinable public func compactMap<T>(
    _ transform: @escaping (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryCompactMap<Upstream, T>(upstream: upstream) { try first($0).flatMap(transform) }
  }
}

@usableFromInline
struct TryCompactMapStage<Input, Output>: Operators.Stage {
  @usableFromInline typealias Failure = any Error

  @usableFromInline let transform: (Input) throws -> Output?
  @inlinable init(transform: @escaping (Input) throws -> Output?) { self.transform = transform }

  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Output, any Error> {
    do { return try transform(input).map { .emit($0) } ?? .skip } catch { return .fail(error) }
  }
}
