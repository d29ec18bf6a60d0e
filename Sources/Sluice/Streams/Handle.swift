/// The subscription that conduits give to their downstream.
///
/// It is not generic. `request` is called through `any Subscription`, where Swift has no type information. A closure
/// that was made where the types are known leads back into specialised code (measured: 18 instead of 555 ns per value).
@usableFromInline
package final class Handle: Subscription, Operators.Description {
  @usableFromInline package let name: StaticString
  @usableFromInline let onRequest: (Subscribers.Demand) -> Void
  @usableFromInline let onCancel: () -> Void
  @usableFromInline let children: (() -> [Mirror.Child])?

  /// - Parameter children: The children for its mirror.
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
