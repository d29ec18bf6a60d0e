public import DequeModule
public import Sluice

/// Broadcasts the values that are sent to it, and replays the last values to a new subscriber.
///
/// ```swift
/// let subject = ReplaySubject<Int, Never>(bufferSize: 2)
/// for value in 1...3 { subject.send(value) }
/// let cancellable = subject.sink { print($0) }  // 2 3
/// ```
///
/// A subscriber that comes after the end gets the last values and the end. For a subscriber without demand, the last
/// `bufferSize` values are kept; older ones are dropped.
public final class ReplaySubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline let broadcast = Broadcast<ReplayCore<Output, Failure>, Deque<Output>>(
    "ReplaySubject", memory: [], waitsForDemand: false)
  /// The number of values that are kept.
  public let bufferSize: Int

  /// - Parameter bufferSize: The number of values that are kept; not negative.
  @inlinable public init(bufferSize: Int) {
    precondition(bufferSize >= 0, "bufferSize must not be negative")
    self.bufferSize = bufferSize
  }

  @inlinable deinit { broadcast.close() }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.subscribe(subscriber, to: self) { values, end in
      ReplayCore(backlog: values, bufferSize: bufferSize, end: end)
    }
  }

  /// Publishes a value, and keeps it for later subscribers.
  @inlinable public func send(_ value: Output) {
    broadcast.send(value) { values in
      values.append(value)
      return values.count > bufferSize ? values.popFirst() : nil
    }
  }

  /// Ends the stream; later subscribers get the last values and the end. Values sent after it are ignored.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.send(completion: completion) }

  /// Receives a subscription. The subject publishes its values.
  ///
  /// It requests everything at once. The release of the subject cancels it.
  @inlinable public func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
}

/// Keeps, for one subscriber, the last values that it has not received.
@usableFromInline
struct ReplayCore<Value, Failure: Error>: Operators.SingleInputCore {
  @usableFromInline typealias Output = Value

  @usableFromInline let bufferSize: Int
  @usableFromInline let isLate: Bool  // came after the end, which waits for the replayed values
  @usableFromInline var backlog: Deque<Value>
  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var end: Subscribers.Completion<Failure>?

  @inlinable init(backlog: Deque<Value>, bufferSize: Int, end: Subscribers.Completion<Failure>?) {
    self.backlog = backlog
    self.bufferSize = bufferSize
    self.end = end
    isLate = end != nil
  }

  @inlinable mutating func request(_ more: Subscribers.Demand) {
    precondition(more > .none, "demand must be greater than zero")
    demand += more
  }

  @inlinable mutating func pass(_ value: Value) -> Value? {
    guard demand != .none, end == nil, backlog.isEmpty else { return nil }
    demand.spend()
    return value
  }

  /// - Returns: The value that is dropped.
  @inlinable mutating func receive(_ value: Value) -> Value? {
    guard end == nil else { return value }
    backlog.append(value)
    return demand == .none && backlog.count > bufferSize ? backlog.popFirst() : nil
  }

  @inlinable mutating func receive(completion: Subscribers.Completion<Failure>) { end = end ?? completion }

  @inlinable mutating func next(_ out: inout Operators.Outbox<Self>) -> Operators.Action? {
    if demand != .none, let value = backlog.popFirst() {
      demand.spend()
      return out.deliver(value)
    }
    if let end {
      // A failure overtakes values without demand, except for a subscriber that came after it.
      if case .failure = end, !isLate { return out.complete(end) }
      return backlog.isEmpty ? out.complete(end) : nil
    }
    return nil
  }
}

extension ReplaySubject: @unchecked Sendable where Output: Sendable {
  // The broadcast protects itself.
}
