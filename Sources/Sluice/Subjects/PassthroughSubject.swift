/// Broadcasts the values that it is sent to all subscribers that want them.
///
/// ```swift
/// let subject = PassthroughSubject<Int, Never>()
/// let cancellable = subject.sink { print($0) }
/// subject.send(1)  // 1
/// ```
///
/// A subscriber that has asked for nothing misses the value. `send` may be called from any thread. Each subscriber gets
/// its values one at a time; a value sent from within `receive(_:)` comes after those sent before it.
public final class PassthroughSubject<Output, Failure: Error>: Subject, _DirectPublisher {
  @usableFromInline let broadcast = Broadcast<Operators.RelayCore<Output, Failure>, Void>(
    "PassthroughSubject", memory: (), waitsForDemand: true)

  /// Makes a subject without subscribers.
  @inlinable public init() {}

  @inlinable deinit { broadcast.close() }

  /// Attaches a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.subscribe(subscriber, to: self) { _, end in end == nil ? Operators.RelayCore(forwards: false) : nil }
  }

  /// Publishes a value to the subscribers that have asked for one.
  @inlinable public func send(_ value: Output) { broadcast.send(value) { _ in } }

  /// Ends the stream for all present and later subscribers; values sent after it are ignored.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.send(completion: completion) }

  /// Takes a subscription whose values this subject publishes.
  ///
  /// It is asked for everything once a subscriber asks for something, and cancelled when the subject is released.
  @inlinable public func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
}

extension PassthroughSubject: @unchecked Sendable where Output: Sendable {
  // The broadcast protects itself.
}
