extension Publisher {
  /// Publishes the values before the first one for which a closure returns false, then finishes.
  ///
  /// ```swift
  /// (1...5).publisher.prefix { $0 < 3 }.sink { print($0) }  // 1 2
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Publishes the values before the first one for which a closure that may throw returns false, then finishes.
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryPrefix(
    while predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the values before the first one for which a closure returns false.
  public struct PrefixWhile<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    public typealias Failure = Upstream.Failure

    public let upstream: Upstream
    public let predicate: (Upstream.Output) -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(
        Operators.StageConduit("PrefixWhile", PrefixWhileStage<Output, Failure>(predicate: predicate), subscriber))
    }
  }

  /// Publishes the values before the first one for which a closure that may throw returns false.
  public struct TryPrefixWhile<Upstream: Publisher>: _DirectPublisher {
    public typealias Output = Upstream.Output
    /// Upstream's failure, or an error of the closure.
    public typealias Failure = any Error

    public let upstream: Upstream
    public let predicate: (Upstream.Output) throws -> Bool

    @inlinable public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream._attach(
        Operators.StageConduit("TryPrefixWhile", PrefixWhileStage<Output, Failure>(predicate: predicate), subscriber))
    }
  }
}

@usableFromInline
struct PrefixWhileStage<Input, Failure: Error>: Operators.Stage {
  @usableFromInline let predicate: (Input) throws(Failure) -> Bool
  @inlinable init(predicate: @escaping (Input) throws(Failure) -> Bool) { self.predicate = predicate }

  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Input, Failure> {
    do throws(Failure) { return try predicate(input) ? .emit(input) : .finish } catch { return .fail(error) }
  }
}
