/// Broadcasts the values that are sent to it to all subscribers with demand.
///
/// ```swift
/// let subject = PassthroughSubject<Int, Never>()
/// let cancellable = subject.sink { print($0) }
/// subject.send(1)  // 1
/// ```
///
/// A subscriber without demand misses the value. Any thread may call `send`. Each subscriber gets its values one at a
/// time. A value sent from within `receive(_:)` comes after the values sent before it.
public final class PassthroughSubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline let broadcast = Broadcast<Operators.RelayCore<Output, Failure>, Void>(
    "PassthroughSubject", memory: (), waitsForDemand: true)

  /// Makes a subject without subscribers.
  @inlinable public init() {}

  @inlinable deinit { broadcast.close() }

  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.subscribe(subscriber, to: self) { _, end in end == nil ? Operators.RelayCore(forwards: false) : nil }
  }

  /// Publishes a value to the subscribers with demand.
  @inlinable public func send(_ value: Output) { broadcast.send(value) { _ in } }

  /// Ends the stream for all present and later subscribers; values sent after it are ignored.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.send(completion: completion) }

  /// Receives a subscription. The subject publishes its values.
  ///
  /// It requests everything when a subscriber requests something. The release of the subject cancels it.
  @inlinable public func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
}

extension PassthroughSubject: @unchecked Sendable where Output: Sendable {
  // The broadcast protects itself.
}
