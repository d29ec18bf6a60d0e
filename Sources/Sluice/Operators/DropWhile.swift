extension Publisher {
  /// Leaves out the values before the first one for which a closure returns false.
  ///
  /// ```swift
  /// [-1, 0, 1, -2].publisher.drop { $0 <= 0 }.sink { print($0) }  // 1 -2
  /// ```
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Leaves out the values before the first one for which a closure that may throw returns false.
  ///
  /// - Demand: Passes through, and asks for one more for each value left out.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's; an error of the closure ends the stream and cancels upstream.
  @inlinable public func tryDrop(
    while predicate: @escaping (Output) throws -> Bool
  ) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Leaves out the values before the first one for which a closure returns false.
  public struct DropWhile<Upstream: Publisher>: _DirectPublisher {
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
        Operators.StageConduit("DropWhile", DropWhileStage<Output, Failure>(predicate: predicate), subscriber))
    }
  }

  /// Leaves out the values before the first one for which a closure that may throw returns false.
  public struct TryDropWhile<Upstream: Publisher>: _DirectPublisher {
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
        Operators.StageConduit("TryDropWhile", DropWhileStage<Output, Failure>(predicate: predicate), subscriber))
    }
  }
}

@usableFromInline
struct DropWhileStage<Input, Failure: Error>: Operators.Stage {
  /// Nil after it has returned false.
  @usableFromInline var predicate: ((Input) throws(Failure) -> Bool)?

  @inlinable init(predicate: @escaping (Input) throws(Failure) -> Bool) { self.predicate = predicate }

  @inlinable mutating func receive(_ input: Input) -> Operators.Step<Input, Failure> {
    guard let predicate else { return .emit(input) }
    do throws(Failure) {
      if try predicate(input) { return .skip }
    } catch {
      return .fail(error)
    }
    self.predicate = nil
    return .emit(input)
  }
}
