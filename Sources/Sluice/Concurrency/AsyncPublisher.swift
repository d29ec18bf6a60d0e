extension Publisher where Failure == Never {
  /// The values of this publisher, for `for await`.
  ///
  /// ```swift
  /// for await reading in readings.values { print(reading) }
  /// ```
  ///
  /// Asks for one value at a time, when the loop asks for it: put a `buffer` before it for values that will not wait, or
  /// `values(buffering:)` of `SluiceExtras`.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values of this publisher, for `for try await`; throws what the publisher fails with, as its own type.
  ///
  /// Asks for one value at a time, when the loop asks for it.
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// The values of a publisher that never fails as an asynchronous sequence.
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence where Upstream.Failure == Never {
  public typealias Element = Upstream.Output

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscriber: AsyncSubscriber<Upstream.Output, Never>
    fileprivate let lifetime: AnyCancellable

    public mutating func next() async -> Upstream.Output? { await next(isolation: nil) }

    /// Asks for a value, and waits for it on the actor that asks: values need not be sendable.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Upstream.Output? {
      // An upstream that cannot fail brings no error.
      switch await subscriber.next(isolation: actor) {
      case .success(let value): value
      case .failure: nil
      }
    }
  }

  private let publisher: Upstream

  public init(_ publisher: Upstream) { self.publisher = publisher }

  public func makeAsyncIterator() -> Iterator {
    let subscriber = AsyncSubscriber<Upstream.Output, Never>()
    publisher.subscribe(subscriber)
    return Iterator(subscriber: subscriber, lifetime: AnyCancellable(subscriber))
  }
}

/// The values of a publisher as an asynchronous sequence that throws what the publisher fails with.
public struct AsyncThrowingPublisher<Upstream: Publisher>: AsyncSequence {
  public typealias Element = Upstream.Output

  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let subscriber: AsyncSubscriber<Upstream.Output, Upstream.Failure>
    fileprivate let lifetime: AnyCancellable

    public mutating func next() async throws(Upstream.Failure) -> Upstream.Output? { try await next(isolation: nil) }

    /// Asks for a value, and waits for it on the actor that asks: values need not be sendable.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Upstream.Failure) -> Upstream.Output? {
      try await subscriber.next(isolation: actor).get()
    }
  }

  private let publisher: Upstream

  public init(_ publisher: Upstream) { self.publisher = publisher }

  public func makeAsyncIterator() -> Iterator {
    let subscriber = AsyncSubscriber<Upstream.Output, Upstream.Failure>()
    publisher.subscribe(subscriber)
    return Iterator(subscriber: subscriber, lifetime: AnyCancellable(subscriber))
  }
}

extension AsyncPublisher: Sendable where Upstream: Sendable {}
extension AsyncThrowingPublisher: Sendable where Upstream: Sendable {}
