public import Sluice

extension Collection where Element: Publisher {
  /// Merges the values of any number of publishers, in the order of arrival.
  ///
  /// ```swift
  /// [left, right].mergeAll().sink { print($0) }
  /// ```
  ///
  /// It finishes when all have finished; at once if there are no publishers.
  ///
  /// - Demand: Asks each publisher for one value ahead, or for everything if downstream wants everything.
  /// - Thread: The thread of the upstream already delivering, or of a request: see Threads in `Sluice`.
  /// - Memory: Keeps one value of each publisher until there is demand, and values that come during a delivery.
  /// - Failure: Passes on the failure of any publisher at once, and cancels the others.
  @inlinable public func mergeAll() -> Publishers.MergeMany<Element> { Publishers.MergeMany(self) }
}
