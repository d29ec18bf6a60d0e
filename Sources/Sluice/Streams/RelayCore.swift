import DequeModule

extension Operators {
  /// The core of a source that is fed from outside: a subject's line to one subscriber, or a device.
  ///
  /// Values without demand are dropped. If no value may be lost, feed only as many values as were requested.
  public struct RelayCore<Value, Failure: Error>: Operators.SingleInputCore {
    public typealias Output = Value

    @usableFromInline let forwards: Bool
    @usableFromInline let takesNoDemand: Bool
    @usableFromInline var passage: Passage<Value>
    @usableFromInline var owed = Subscribers.Demand.none
    @usableFromInline var asked = false
    @usableFromInline var end: Subscribers.Completion<Failure>?

    /// - Parameters:
    ///   - forwards: Whether each request is forwarded to the source. If not, only the first request is, as a sign of
    ///     interest.
    ///   - demand: The demand before any request.
    ///   - takesNoDemand: Whether a request for no values is allowed.
    @inlinable public init(forwards: Bool, demand: Subscribers.Demand = .none, takesNoDemand: Bool = false) {
      self.forwards = forwards
      self.takesNoDemand = takesNoDemand
      passage = Passage(demand: demand)
    }

    /// The unmet demand of downstream.
    @inlinable public var demand: Subscribers.Demand { passage.demand }

    /// Adds downstream's demand.
    @inlinable public mutating func request(_ more: Subscribers.Demand) {
      if takesNoDemand, more == .none { return }
      precondition(more > .none, "demand must be greater than zero")
      passage.demand += more
      if forwards || !asked { owed += more }
      asked = true
    }

    /// The value, if it can be delivered at once.
    @inlinable public mutating func pass(_ value: Value) -> Value? { end == nil ? passage.pass(value) : nil }

    /// Keeps a requested value until the current delivery is over.
    @inlinable public mutating func receive(_ value: Value) { if end == nil { passage.receive(value) } }

    @inlinable public mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

    /// The next step.
    @inlinable public mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
      if let value = passage.next() { return out.deliver(value) }
      if let end { return out.complete(end) }
      return owed == .none ? nil : .request(owed.take(), inlet: 0)
    }
  }
}
