import DequeModule

/// The core of a source that is fed from outside: a subject's share for one subscriber, a device.
///
/// Values that nobody asked for are dropped: whoever must not lose one feeds no more than it was asked for.
public struct RelayCore<Value, Failure: Error>: SingleInputCore {
  public typealias Output = Value

  @usableFromInline let forwards: Bool
  @usableFromInline let takesNoDemand: Bool
  public var demand = Subscribers.Demand.none
  @usableFromInline var news = Subscribers.Demand.none  // demand that upstream is to hear of
  @usableFromInline var asked = false
  @usableFromInline var queue: Deque<Value> = []  // what came while a delivery was going on
  @usableFromInline var end: Subscribers.Completion<Failure>?

  /// - Parameters:
  ///   - forwards: Whether each request goes on to the source, or only the first, as a sign of interest.
  ///   - demand: What is wanted without being asked for.
  ///   - takesNoDemand: Whether a request for nothing is no mistake.
  @inlinable public init(forwards: Bool, demand: Subscribers.Demand = .none, takesNoDemand: Bool = false) {
    self.forwards = forwards
    self.takesNoDemand = takesNoDemand
    self.demand = demand
  }

  @inlinable public mutating func request(_ more: Subscribers.Demand) {
    if takesNoDemand, more == .none { return }
    precondition(more > .none, "demand must be greater than zero")
    demand += more
    if forwards || !asked { news += more }
    asked = true
  }

  @inlinable public mutating func pass(_ value: Value) -> Value? {
    guard demand != .none, end == nil, queue.isEmpty else { return nil }
    demand.spend()
    return value
  }

  @inlinable public mutating func receive(_ value: Value) {
    guard demand != .none, end == nil else { return }
    demand.spend()
    queue.append(value)
  }

  @inlinable public mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable public mutating func next(_ out: inout Outbox<Self>) -> Action? {
    if let value = queue.popFirst() { return out.deliver(value) }
    if let end { return out.complete(end) }
    return news == .none ? nil : .request(news.take(), inlet: 0)
  }
}
