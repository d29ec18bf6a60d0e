import DequeModule

/// The values of an operator that publishes each as it comes, for a core to keep.
///
/// A value passes at once if nothing stands before it; what comes while a delivery is going on waits in a queue. The two
/// ways give the same history: a core asks ``pass(_:)`` only while nobody drains, and ``next()`` is asked for what
/// ``receive(_:)`` kept.
@frozen @usableFromInline
package struct Passage<Value> {
  /// What downstream still wants of it; for a core whose upstream keeps to the demand itself it stays unlimited.
  @usableFromInline package var demand: Subscribers.Demand
  @usableFromInline package var queue: Deque<Value> = []

  @inlinable package init(demand: Subscribers.Demand) { self.demand = demand }

  @inlinable package var isEmpty: Bool { queue.isEmpty }

  /// - Returns: The value, if it is to be delivered at once.
  @inlinable package mutating func pass(_ value: Value) -> Value? {
    guard demand != .none, queue.isEmpty else { return nil }
    demand.spend()
    return value
  }

  /// - Returns: The value, if nobody wants it.
  @inlinable @discardableResult package mutating func receive(_ value: Value) -> Value? {
    guard demand != .none else { return value }
    demand.spend()
    queue.append(value)
    return nil
  }

  /// The value to be delivered next.
  @inlinable package mutating func next() -> Value? { queue.popFirst() }
}
