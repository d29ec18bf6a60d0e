/// Whoever takes values from a ``Publisher``, as many as it asked for.
///
/// A subscriber receives one subscription, then values, never more than it demanded, then at most one completion. Calls
/// arrive one at a time, though not always on the same thread.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  associatedtype Input
  associatedtype Failure: Error

  /// The publisher accepted; ask for values with ``Subscription/request(_:)``, now or later.
  func receive(subscription: any Subscription)

  /// One value.
  /// - Returns: How many more are wanted, in addition to what was asked for before.
  func receive(_ input: Input) -> Subscribers.Demand

  /// The end; nothing follows it.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Takes a signal that carries no value.
  @inlinable public func receive() -> Subscribers.Demand { receive(()) }
}

/// The namespace of the subscribers, their ``Demand`` and their ``Completion``.
public enum Subscribers {}
