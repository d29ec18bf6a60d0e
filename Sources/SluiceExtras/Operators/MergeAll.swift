public import Sluice

extension Collection where Element: Publisher {
  /// Publishes what any number of publishers publish, as it comes.
  ///
  /// ```swift
  /// [left, right].mergeAll().sink { print($0) }
  /// ```
  ///
  /// Finishes when all have finished; at once if there are no publishers.
  ///
  /// - Demand: Asks each publisher for one value ahead, or for everything if downstream wants everything.
  /// - Thread: Where the upstream already delivering does, or where downstream requests: see Threads in `Sluice`.
  /// - Memory: Keeps one value of each publisher until it is asked for, and values that come during a delivery.
  /// - Failure: Passes on that of any publisher at once, and cancels the others.
  @inlinable public func mergeAll() -> Publishers.MergeMany<Element> { Publishers.MergeMany(self) }
}
