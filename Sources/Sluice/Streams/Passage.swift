public import DequeModule

/// The values of an operator that publishes each value as it comes. A core contains it.
///
/// A value passes at once if nothing waits before it; a value that comes during a delivery waits in a queue. Both ways
/// give the same result: a core calls ``pass(_:)`` only while nothing is being delivered, and ``next()`` returns what
/// ``receive(_:)`` kept.
@frozen @usableFromInline
package struct Passage<Value> {
  /// The unmet demand. It stays unlimited if upstream respects the demand anyway.
  @usableFromInline package var demand: Subscribers.Demand
  @usableFromInline package var queue: Deque<Value> = []

  @inlinable package init(demand: Subscribers.Demand) { self.demand = demand }

  @inlinable package var isEmpty: Bool { queue.isEmpty }

  /// - Returns: The value, if it must be delivered at once.
  @inlinable package mutating func pass(_ value: Value) -> Value? {
    guard demand != .none, queue.isEmpty else { return nil }
    demand.spend()
    return value
  }

  /// - Returns: The value, if there is no demand for it.
  @inlinable @discardableResult package mutating func receive(_ value: Value) -> Value? {
    guard demand != .none else { return value }
    demand.spend()
    queue.append(value)
    return nil
  }

  /// The next value to deliver.
  @inlinable package mutating func next() -> Value? { queue.popFirst() }
}
