import Sluice

extension Collection where Element: Publisher {
  /// Publishes what any number of publishers publish, as it comes.
  ///
  /// ```swift
  /// [left, right].mergeAll().sink { print($0) }
  /// ```
  ///
  /// Finishes when all have, at once if there are no publishers; fails as soon as one does.
  @inlinable public func mergeAll() -> Publishers.MergeMany<Element> { Publishers.MergeMany(self) }
}
