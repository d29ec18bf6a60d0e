extension Publisher {
  /// Publishes a given value in place of nil.
  ///
  /// ```swift
  /// [1, nil, 3].publisher.replaceNil(with: 0).sink { print($0) }  // 1 0 3
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    Publishers.Map(upstream: self) { $0 ?? output }
  }
}
