extension Publisher {
  /// Transforms every value with a closure.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.map { $0 * 10 }.sink { print($0) }  // 10 20 30
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Transforms every value with a closure.
  public struct Map<Upstream: Publisher, Output>: _DirectPublisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let transform: (Upstream.Output) -> Output

    @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(MapSubscriber(downstream: subscriber, transform: transform))
    }
  }
}

extension Publishers.Map {
  /// Combines two maps into one.
  @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
    let first = self.transform
    return Publishers.Map<Upstream, T>(upstream: upstream) { transform(first($0)) }
  }
}

@usableFromInline
struct MapSubscriber<Input, Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let name: StaticString
  @usableFromInline let transform: (Input) -> Downstream.Input

  @inlinable init(
    downstream: Downstream, name: StaticString = "Map", transform: @escaping (Input) -> Downstream.Input
  ) {
    self.downstream = downstream
    self.name = name
    self.transform = transform
  }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
  @inlinable var _takesRuns: Bool { downstream._takesRuns }
  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    downstream._receive(run: run.map(transform)[...])
  }
  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

extension Publisher {
  /// Transforms every value with a closure that may throw.
  ///
  /// ```swift
  /// ["1", "x"].publisher.tryMap { try number(from: $0) }
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Transforms every value with a closure that may throw.
  public struct TryMap<Upstream: Publisher, Output>: _DirectPublisher {
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let transform: (Upstream.Output) throws -> Output

    @inlinable public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let stage = TryMapStage<Upstream.Output, Output>(transform: transform)
      upstream._attach(Operators.StageConduit("TryMap", stage, subscriber, takesNoDemand: true))
    }
  }
}

extension Publishers.TryMap {
  /// Combines two maps into one.
  @inlinable public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { transform(try first($0)) }
  }

  /// Combines two maps into one.
  ///
  /// If a closure throws, the stream ends with its error and upstream is cancelled.
  @inlinable public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(try first($0)) }
  }
}

extension Publishers.Map {
  /// Combines two maps into one.
  ///
  /// If a closure throws, the stream ends with its error and upstream is cancelled.
  @inlinable public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
    let first = self.transform
    return Publishers.TryMap<Upstream, T>(upstream: upstream) { try transform(first($0)) }
  }
}

@usableFromInline
struct TryMapStage<Input, Output>: Operators.Stage {
  @usableFromInline typealias Failure = any Error

  @usableFromInline let transform: (Input) throws -> Output
  @inlinable init(transform: @escaping (Input) throws -> Output) { self.transform = transform }

  @inlinable static var lateInput: Operators.LateInput { .values }
  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Output, any Error> {
    do { return .emit(try transform(input)) } catch { return .fail(error) }
  }
}
