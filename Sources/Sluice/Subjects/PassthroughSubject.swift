/// Broadcasts what it is sent to whoever is subscribed and wants it.
///
/// ```swift
/// let subject = PassthroughSubject<Int, Never>()
/// let cancellable = subject.sink { print($0) }
/// subject.send(1)  // 1
/// ```
///
/// A subscriber that has asked for nothing misses the value. `send` may be called from any thread; each subscriber gets
/// its values one at a time, and one sent from within `receive(_:)` after those sent before it.
public final class PassthroughSubject<Output, Failure: Error>: Subject, _DirectPublisher, @unchecked Sendable {
  // The broadcast protects itself.
  @usableFromInline let broadcast = Broadcast<Operators.RelayCore<Output, Failure>, Void>(
    "PassthroughSubject", memory: (), waitsForDemand: true)

  /// Makes a subject without subscribers.
  @inlinable public init() {}

  @inlinable deinit { broadcast.close() }

  /// Attaches a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    broadcast.subscribe(subscriber, to: self) { _, end in end == nil ? Operators.RelayCore(forwards: false) : nil }
  }

  /// Publishes a value to those who have asked for one.
  @inlinable public func send(_ value: Output) { broadcast.send(value) { _ in } }

  /// Ends the stream for all subscribers, and for those who come later; what is sent after it is ignored.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) { broadcast.send(completion: completion) }

  /// Takes a subscription whose values this subject is to publish.
  ///
  /// It is asked for everything once a subscriber asks for something, and cancelled when the subject goes.
  @inlinable public func send(subscription: any Subscription) { broadcast.send(subscription: subscription) }
}
