extension Publisher {
  /// Publishes a running result: each value combined with all values before it.
  ///
  /// ```swift
  /// [1, 2, 3].publisher.scan(0) { $0 + $1 }.sink { print($0) }  // 1 3 6
  /// ```
  ///
  /// ```text
  /// upstream    -1-2-3-|
  /// scan(0, +)  -1-3-6-|
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps the running result, one for each subscriber.
  /// - Failure: Passes on upstream's.
  @inlinable public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// Publishes a running result: each value combined with all values before it.
  public struct Scan<Upstream: Publisher, Output>: _DirectPublisher {
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let initialResult: Output
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    @inlinable public init(
      upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(ScanSubscriber(downstream: subscriber, result: initialResult, next: nextPartialResult))
    }
  }
}

@usableFromInline
final class ScanSubscriber<Input, Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let next: (Downstream.Input, Input) -> Downstream.Input
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  @usableFromInline var result: Downstream.Input  // used only by upstream's serial calls

  @inlinable init(
    downstream: Downstream, result: Downstream.Input, next: @escaping (Downstream.Input, Input) -> Downstream.Input
  ) {
    self.downstream = downstream
    self.result = result
    self.next = next
  }

  @usableFromInline var name: StaticString { "Scan" }
  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    let next = next(result, input)
    result = next
    return downstream.receive(next)
  }
  @inlinable var _takesRuns: Bool { downstream._takesRuns }
  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    let outputs = run.map { input in
      let next = next(result, input)
      result = next
      return next
    }
    return downstream._receive(run: outputs[...])
  }
  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

extension Publisher {
  /// Publishes a running result of a closure that may throw.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps the running result, one for each subscriber.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// Publishes a running result of a closure that may throw.
  public struct TryScan<Upstream: Publisher, Output>: _DirectPublisher {
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let initialResult: Output
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    @inlinable public init(
      upstream: Upstream, initialResult: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let stage = TryScanStage<Upstream.Output, Output>(result: initialResult, next: nextPartialResult)
      upstream._attach(Operators.StageConduit("TryScan", stage, subscriber, takesNoDemand: true))
    }
  }
}

@usableFromInline
struct TryScanStage<Input, Output>: Operators.Stage {
  @usableFromInline typealias Failure = any Error

  @usableFromInline var result: Output
  @usableFromInline let next: (Output, Input) throws -> Output

  @inlinable init(result: Output, next: @escaping (Output, Input) throws -> Output) {
    self.result = result
    self.next = next
  }

  @inlinable static var lateInput: Operators.LateInput { .values }
  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Output, any Error> {
    do {
      result = try next(result, input)
      return .emit(result)
    } catch {
      return .fail(error)
    }
  }
}
