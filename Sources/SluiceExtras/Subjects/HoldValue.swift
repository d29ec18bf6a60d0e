public import Sluice

/// Holds a value and publishes its changes.
///
/// ```swift
/// let level = HoldValue(0)
/// let subscriber = AnySubscriber<Int, Never>(
///   receiveSubscription: { $0.request(.max(3)) },
///   receiveValue: { print($0); return .none },
///   receiveCompletion: { print($0) })
/// level.subscribe(subscriber)
/// for value in 1...10 { level.value = value }  // 1 2 3 finished
/// ```
///
/// A subscriber that requests a number of values gets that many changes, then the end. With unlimited demand it gets
/// all changes. Any thread may set `value`.
public final class HoldValue<Value>: _DirectPublisher {
  public typealias Output = Value
  public typealias Failure = Never

  @usableFromInline let broadcast: Broadcast<HoldValueCore<Value>, Value>

  /// Makes a publisher with its first value.
  @inlinable public init(_ value: Value) {
    broadcast = Broadcast("HoldValue", memory: value, waitsForDemand: true)
  }

  /// The value. Setting it publishes it.
  @inlinable public var value: Value {
    get { broadcast.state.withLock { $0.memory } }
    set {
      broadcast.send(newValue) { memory in
        var former = newValue
        swap(&memory, &former)
        return former
      }
    }
  }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    broadcast.subscribe(subscriber, to: self) { _, _ in HoldValueCore() }
  }
}

/// Ends the stream of one subscriber when its demand is used up.
@usableFromInline
struct HoldValueCore<Value>: Operators.SingleInputCore {
  @usableFromInline typealias Output = Value
  @usableFromInline typealias Failure = Never

  @usableFromInline var passage = Passage<Value>(demand: .none)
  @usableFromInline var asked = false

  @inlinable init() {}

  @inlinable var demand: Subscribers.Demand { passage.demand }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    passage.demand += more
    asked = true
  }

  @inlinable mutating func pass(_ value: Value) -> Value? { passage.pass(value) }

  /// - Returns: The value if there is no demand for it.
  @inlinable mutating func receive(_ value: Value) -> Value? { passage.receive(value) }

  @inlinable mutating func receive(completion: Subscribers.Completion<Never>) {}

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let value = passage.next() { return out.deliver(value) }
    return asked && demand == .none ? out.complete(.finished) : nil
  }
}

extension HoldValue: @unchecked Sendable where Value: Sendable {
  // The broadcast protects itself.
}
