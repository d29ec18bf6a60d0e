extension Publisher {
  /// Passes the values for which a closure returns true.
  ///
  /// ```swift
  /// (1...5).publisher.filter { $0 % 2 == 0 }.sink { print($0) }  // 2 4
  /// ```
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// Passes the values for which a closure returns true.
  public struct Filter<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let isIncluded: (Upstream.Output) -> Bool

    @inlinable public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(FilterSubscriber(downstream: subscriber, isIncluded: isIncluded))
    }
  }
}

extension Publishers.Filter {
  /// Combines two filters into one.
  @inlinable public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
    let first = self.isIncluded
    return Publishers.Filter(upstream: upstream) { first($0) && isIncluded($0) }
  }
}

@usableFromInline
struct FilterSubscriber<Downstream: Subscriber>: Subscriber, Operators.Description {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let downstream: Downstream
  @usableFromInline let isIncluded: (Input) -> Bool

  @inlinable init(downstream: Downstream, isIncluded: @escaping (Input) -> Bool) {
    self.downstream = downstream
    self.isIncluded = isIncluded
  }

  @inlinable var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
  @usableFromInline var name: StaticString { "Filter" }
  @inlinable func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    isIncluded(input) ? downstream.receive(input) : .max(1)
  }
  @inlinable var _takesRuns: Bool { downstream._takesRuns }
  @inlinable func _receive(run: ArraySlice<Input>) -> Operators.Taken {
    run.receive(by: downstream) { isIncluded($0) ? .output($0) : .skip }
  }
  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}

extension Publishers.Filter {
  /// Combines two filters into one.
  ///
  /// If a closure throws, the stream ends with its error and upstream is cancelled.
  @inlinable public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

extension Publisher {
  /// Passes the values for which a closure that may throw returns true.
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// Passes the values for which a closure that may throw returns true.
  public struct TryFilter<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let isIncluded: (Upstream.Output) throws -> Bool

    @inlinable public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let stage = TryFilterStage<Output>(isIncluded: isIncluded)
      upstream._attach(Operators.StageConduit("TryFilter", stage, subscriber))
    }
  }
}

extension Publishers.TryFilter {
  /// Combines two filters into one.
  @inlinable public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }

  /// Combines two filters into one.
  ///
  /// If a closure throws, the stream ends with its error and upstream is cancelled.
  @inlinable public func tryFilter(
    _ isIncluded: @escaping (Output) throws -> Bool
  ) -> Publishers.TryFilter<Upstream> {
    let first = self.isIncluded
    return Publishers.TryFilter(upstream: upstream) { try first($0) && isIncluded($0) }
  }
}

@usableFromInline
struct TryFilterStage<Input>: Operators.Stage {
  @usableFromInline typealias Failure = any Error

  @usableFromInline let isIncluded: (Input) throws -> Bool
  @inlinable init(isIncluded: @escaping (Input) throws -> Bool) { self.isIncluded = isIncluded }

  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Input, any Error> {
    do { return try isIncluded(input) ? .emit(input) : .skip } catch { return .fail(error) }
  }
}
