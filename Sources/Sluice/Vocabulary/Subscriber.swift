/// Receives values from a ``Publisher``, as many as it has requested.
///
/// A subscriber receives one subscription, then values, never more than it demanded, then at most one completion. Calls
/// come one at a time, but not always on the same thread.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The type of its inputs.
  associatedtype Input
  /// The type of its failure; `Never` if upstream cannot fail.
  associatedtype Failure: Error

  /// Receives the subscription. Request values with ``Subscription/request(_:)``, now or later.
  func receive(subscription: any Subscription)

  /// Receives one value.
  /// - Returns: The number of further values wanted, in addition to earlier requests.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Receives the end; nothing follows it.
  func receive(completion: Subscribers.Completion<Failure>)

  /// Whether it gains from runs of values. Do not implement it: only subscribers of this library return true.
  var _takesRuns: Bool { get }

  /// Receives a run of values that is not longer than the demand. It is called only if ``_takesRuns`` is true; use
  /// ``receive(run:while:)``.
  func _receive(run: ArraySlice<Input>) -> Operators.Taken
}

extension Subscriber where Input == Void {
  /// Receives a signal without a value.
  @inlinable public func receive() -> Subscribers.Demand { receive(()) }
}

/// The namespace of the subscribers, their ``Demand`` and their ``Completion``.
public enum Subscribers {}
