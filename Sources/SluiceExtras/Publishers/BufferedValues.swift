public import Sluice

extension Publisher where Failure == Never {
  /// The values of this publisher, for `for await`, some of which may wait for the loop.
  ///
  /// ```swift
  /// for await edge in edges.values(buffering: 1_000) { print(edge) }
  /// ```
  ///
  /// - Parameters:
  ///   - size: How many values may wait.
  ///   - prefetch: What is asked of this publisher: what there is room for, or everything.
  ///   - whenFull: What is dropped of a publisher that sends more than there is room for.
  public func values(
    buffering size: Int, prefetch: Publishers.PrefetchStrategy = .keepFull,
    whenFull: Publishers.BufferingStrategy<Never> = .dropOldest
  ) -> AsyncPublisher<Publishers.Buffer<Self>> {
    AsyncPublisher(buffer(size: size, prefetch: prefetch, whenFull: whenFull))
  }
}

extension Publisher {
  /// The values of this publisher, for `for try await`, some of which may wait for the loop.
  ///
  /// - Parameters:
  ///   - size: How many values may wait.
  ///   - prefetch: What is asked of this publisher: what there is room for, or everything.
  ///   - whenFull: What is dropped of a publisher that sends more than there is room for.
  public func values(
    buffering size: Int, prefetch: Publishers.PrefetchStrategy = .keepFull,
    whenFull: Publishers.BufferingStrategy<Failure> = .dropOldest
  ) -> AsyncThrowingPublisher<Publishers.Buffer<Self>> {
    AsyncThrowingPublisher(buffer(size: size, prefetch: prefetch, whenFull: whenFull))
  }
}
