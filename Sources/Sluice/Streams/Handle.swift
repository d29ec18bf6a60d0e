/// The subscription that everything in this library hands out.
///
/// It is not generic: `request` arrives through `any Subscription`, where Swift has forgotten every type, and a closure
/// made where the types were known leads back into specialised code (measured: 18 against 555 ns a value).
@usableFromInline
package final class Handle: Subscription, Operators.Description {
  @usableFromInline package let name: StaticString
  @usableFromInline let onRequest: (Subscribers.Demand) -> Void
  @usableFromInline let onCancel: () -> Void
  @usableFromInline let children: (() -> [Mirror.Child])?

  /// - Parameter children: What to show of its inside.
  @inlinable package init(
    _ name: StaticString, request: @escaping (Subscribers.Demand) -> Void, cancel: @escaping () -> Void,
    children: (() -> [Mirror.Child])? = nil
  ) {
    self.name = name
    self.children = children
    onRequest = request
    onCancel = cancel
  }

  @usableFromInline package func request(_ demand: Subscribers.Demand) { onRequest(demand) }
  @usableFromInline package func cancel() { onCancel() }
  @usableFromInline package var customMirror: Mirror { Mirror(self, children: children?() ?? []) }
}
