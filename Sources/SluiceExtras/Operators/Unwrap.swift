public import Sluice

extension Publisher {
  /// Leaves out nil, and publishes the other values unwrapped.
  ///
  /// ```swift
  /// [1, 2, nil, 3].publisher.unwrap().sink { print($0) }  // 1 2 3
  /// ```
  ///
  /// - Demand: Passes through, and asks for one more for each nil.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func unwrap<T>() -> Publishers.CompactMap<Self, T> where Output == T? {
    Publishers.CompactMap(upstream: self) { $0 }
  }
}
