public import Sluice

extension Publisher where Failure == Never {
  /// The values of this publisher for `for await`, with a buffer for values that wait for the loop.
  ///
  /// ```swift
  /// for await edge in edges.values(buffering: 1_000) { print(edge) }
  /// ```
  ///
  /// - Parameters:
  ///   - size: The number of values that may wait.
  ///   - prefetch: What to request from this publisher: the values that fit, or everything.
  ///   - whenFull: What to drop if the publisher sends more than fits.
  public func values(
    buffering size: Int, prefetch: Publishers.PrefetchStrategy = .keepFull,
    whenFull: Publishers.BufferingStrategy<Never> = .dropOldest
  ) -> AsyncPublisher<Publishers.Buffer<Self>> {
    AsyncPublisher(buffer(size: size, prefetch: prefetch, whenFull: whenFull))
  }
}

extension Publisher {
  /// The values of this publisher for `for try await`, with a buffer for values that wait for the loop.
  ///
  /// - Parameters:
  ///   - size: The number of values that may wait.
  ///   - prefetch: What to request from this publisher: the values that fit, or everything.
  ///   - whenFull: What to drop if the publisher sends more than fits.
  public func values(
    buffering size: Int, prefetch: Publishers.PrefetchStrategy = .keepFull,
    whenFull: Publishers.BufferingStrategy<Failure> = .dropOldest
  ) -> AsyncThrowingPublisher<Publishers.Buffer<Self>> {
    AsyncThrowingPublisher(buffer(size: size, prefetch: prefetch, whenFull: whenFull))
  }
}
