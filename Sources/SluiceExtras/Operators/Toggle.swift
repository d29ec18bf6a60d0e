public import Sluice

extension Publisher where Output == Bool {
  /// Turns true into false and false into true.
  ///
  /// ```swift
  /// [false, true].publisher.toggle().sink { print($0) }  // true false
  /// ```
  ///
  /// - Demand: Passes through.
  /// - Thread: The thread of upstream.
  /// - Memory: Keeps nothing.
  /// - Failure: Passes on upstream's.
  @inlinable public func toggle() -> Publishers.Map<Self, Bool> { Publishers.Map(upstream: self) { !$0 } }
}
