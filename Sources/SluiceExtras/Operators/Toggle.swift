import Sluice

extension Publisher where Output == Bool {
  /// Turns true into false and false into true.
  ///
  /// ```swift
  /// [false, true].publisher.toggle().sink { print($0) }  // true false
  /// ```
  @inlinable public func toggle() -> Publishers.Map<Self, Bool> { Publishers.Map(upstream: self) { !$0 } }
}
