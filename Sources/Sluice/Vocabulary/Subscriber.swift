/// Whoever takes values from a ``Publisher``, as many as it asked for.
///
/// A subscriber receives one subscription, then values, never more than it demanded, then at most one completion. Calls
/// arrive one at a time, though not always on the same thread.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of the values that it takes.
  associatedtype Input
  /// The type of the failure that it takes; `Never` if upstream cannot fail.
  associatedtype Failure: Error

  /// The publisher accepted; ask for values with ``Subscription/request(_:)``, now or later.
  func receive(subscription: any Subscription)

  /// One value.
  /// - Returns: How many more are wanted, in addition to what was asked for before.
  func receive(_ input: Input) -> Subscribers.Demand

  /// The end; nothing follows it.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Whether it is worth the while to hand it a run of values. Not for implementing: false for all but this library's own.
  var _takesRuns: Bool { get }

  /// A run of values, no longer than the demand. Called only if ``_takesRuns``; use ``receive(run:while:)``.
  func _receive(run: ArraySlice<Input>) -> Operators.Taken
}

extension Subscriber where Input == Void {
  /// Takes a signal that carries no value.
  @inlinable public func receive() -> Subscribers.Demand { receive(()) }
}

/// The namespace of the subscribers, their ``Demand`` and their ``Completion``.
public enum Subscribers {}
