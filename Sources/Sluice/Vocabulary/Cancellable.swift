/// An activity that can be stopped.
public protocol Cancellable {
  /// Stops the activity. A second call does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps it alive in a collection.
  @inlinable public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Keeps it alive in a set.
  @inlinable public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
