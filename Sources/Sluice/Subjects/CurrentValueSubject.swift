public import DequeModule

/// Holds a value and broadcasts each new one; a new subscriber gets the current value first.
///
/// ```swift
/// let level = CurrentValueSubject<Int, Never>(0)
/// let cancellable = level.sink { print($0) }  // 0
/// level.value = 1                             // 1
/// ```
///
/// A subscriber without demand gets only the latest value when it requests one. After the completion `send` is ignored,
/// but setting ``value`` still stores the value.
public final class CurrentValueSubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline let broadcast: Broadcast<CurrentValueCore<Output, Failure>, Output>

  /// Makes a subject with its first value.
  @inlinable public init(_ value: Output) {
    broadcast = Broadcast("CurrentValueSubject", memory: value, waitsForDemand: false)
  }

  @inlinable deinit { broadcast.close() }

  /// The latest value. Setting it sends it.
  @inlinable public var value: Output {
    get { broadcast.state.withLock { $0.memory } }
    set {
      broadcast.send(newValue, late: true) { memory in
        var former = newValue
        swap(&memory, &former)
        return former
      }
    }
  }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.subscribe(subscriber, to: self) { value, end in end == nil ? CurrentValueCore(value) : nil }
  }

  /// Makes a value the current one, and publishes it.
  @inlinable public func send(_ value: Output) {
    broadcast.send(value) { memory in
      var former = value
      swap(&memory, &former)
      return former
    }
  }

  /// Ends the stream for all present and later subscribers; values sent after it are ignored.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.send(completion: completion) }

  /// Receives a subscription. The subject publishes its values.
  ///
  /// It requests everything at once. The release of the subject cancels it.
  @inlinable public func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
}

/// Keeps, for one subscriber, the latest value that it has not received.
@usableFromInline
struct CurrentValueCore<Value, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Output = Value

  @usableFromInline var latest: Value?
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var asked = false
  @usableFromInline var announced = false  // whether the subject knows that a subscriber wants values
  @usableFromInline var queue: Deque<Value> = []  // values that came during a delivery
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(_ value: Value) { latest = value }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    demand += more
    asked = true
  }

  @inlinable mutating func pass(_ value: Value) -> Value? {
    guard demand != .none, end == nil, queue.isEmpty, latest == nil else { return nil }
    demand.spend()
    return value
  }

  /// - Returns: The replaced value.
  @inlinable mutating func receive(_ value: Value) -> Value? {
    guard end == nil else { return value }
    let former = latest.take()
    if demand == .none {
      latest = value
    } else {
      demand.spend()
      queue.append(value)
    }
    return former
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if let value = queue.popFirst() { return out.deliver(value) }
    if demand != .none, let value = latest.take() {
      demand.spend()
      return out.deliver(value)
    }
    if let end { return out.complete(end) }
    guard asked, !announced else { return nil }
    announced = true
    return .request(.unlimited, inlet: 0)
  }
}

extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {
  // The broadcast protects itself.
}
