extension Publisher where Failure == Never {
  /// The values of this publisher as an asynchronous sequence, for `for await`.
  ///
  /// ```swift
  /// for await reading in readings.values { print(reading) }
  /// ```
  ///
  /// It asks for one value when the loop asks for one. If upstream must not wait for the loop, put a `buffer` before
  /// it, or use `values(buffering:)` of `SluiceExtras`.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values of this publisher as an asynchronous sequence, for `for try await`. It throws the publisher's failure.
  ///
  /// It asks for one value when the loop asks for one.
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that never fails as an asynchronous sequence.
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence where Upstream.Failure == Never {
  /// The type of the publisher's values.
  public typealias Element = Upstream.Output

  /// Iterates over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscriber: AsyncSubscriber<Upstream.Output, Never>
    fileprivate let lifetime: AnyCancellable

    /// The next value; nil after the end.
    public mutating func next() async -> Upstream.Output? { await next(isolation: nil) }

    /// Asks for a value, and waits for it on the calling actor, so values need not be sendable.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Upstream.Output? {
      // An upstream that cannot fail gives no error.
      switch await subscriber.next(isolation: actor) {
      case .success(let value): value
      case .failure: nil
      }
    }
  }

  private let publisher: Upstream

  /// Iterates over a publisher's values.
  public init(_ publisher: Upstream) { self.publisher = publisher }

  /// Subscribes for an iteration.
  public func makeAsyncIterator() -> Iterator {
    let subscriber = AsyncSubscriber<Upstream.Output, Never>()
    publisher.subscribe(subscriber)
    return Iterator(subscriber: subscriber, lifetime: AnyCancellable(subscriber))
  }
}

/// The values of a publisher as an asynchronous sequence, which throws the publisher's failure.
///
/// It throws `any Error`, as in Combine. If it threw the failure's own type, the Swift 6.3 compiler would crash on
/// calls of functions that rethrow, such as `try? await publisher.values.first { $0 > 1 }`.
public struct AsyncThrowingPublisher<Upstream: Publisher>: AsyncSequence {
  /// The type of the publisher's values.
  public typealias Element = Upstream.Output

  /// Iterates over the values of one subscription.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscriber: AsyncSubscriber<Upstream.Output, Upstream.Failure>
    fileprivate let lifetime: AnyCancellable

    /// The next value; nil after the end.
    public mutating func next() async throws -> Upstream.Output? { try await next(isolation: nil) }

    /// Asks for a value, and waits for it on the calling actor, so values need not be sendable.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Upstream.Output? {
      try await subscriber.next(isolation: actor).get()
    }
  }

  private let publisher: Upstream

  /// Iterates over a publisher's values.
  public init(_ publisher: Upstream) { self.publisher = publisher }

  /// Subscribes for an iteration.
  public func makeAsyncIterator() -> Iterator {
    let subscriber = AsyncSubscriber<Upstream.Output, Upstream.Failure>()
    publisher.subscribe(subscriber)
    return Iterator(subscriber: subscriber, lifetime: AnyCancellable(subscriber))
  }
}

extension AsyncPublisher: Sendable where Upstream: Sendable {}
extension AsyncThrowingPublisher: Sendable where Upstream: Sendable {}
