/// Takes values from a ``Publisher``, as many as it asked for.
///
/// A subscriber receives one subscription, then values, never more than it demanded, then at most one completion. Calls
/// come one at a time, but not always on the same thread.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of the values that it takes.
  associatedtype Input
  /// The type of the failure that it takes; `Never` if upstream cannot fail.
  associatedtype Failure: Error

  /// Takes the subscription: ask it for values with ``Subscription/request(_:)``, now or later.
  func receive(subscription: any Subscription)

  /// Takes one value.
  /// - Returns: The number of further values wanted, in addition to what was asked for before.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Takes the end; nothing follows it.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Whether it gains from runs of values. Do not implement it: only subscribers of this library return true.
  var _takesRuns: Bool { get }

  /// Takes a run of values that is not longer than the demand. Called only if ``_takesRuns``; use
  /// ``receive(run:while:)``.
  func _receive(run: ArraySlice<Input>) -> Operators.Taken
}

extension Subscriber where Input == Void {
  /// Takes a signal that carries no value.
  @inlinable public func receive() -> Subscribers.Demand { receive(()) }
}

/// The namespace of the subscribers, their ``Demand`` and their ``Completion``.
public enum Subscribers {}
