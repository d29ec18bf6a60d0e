/// The subscription that everything in this library hands out, apart from the links.
///
/// It is not generic: `request` arrives through `any Subscription`, where Swift has forgotten every type, and a closure
/// made where the types were known leads back into specialised code (measured: 18 against 555 ns a value).
@usableFromInline
final class Handle: Subscription, OperatorDescription, @unchecked Sendable {
  // The lock protects the two closures that lead back; the others never change.
  @usableFromInline let name: StaticString
  @usableFromInline let lock = SpinLock()
  @usableFromInline @exclusivity(unchecked) var onRequest: ((Subscribers.Demand) -> Void)?
  @usableFromInline @exclusivity(unchecked) var onCancel: (() -> Void)?
  @usableFromInline let children: (() -> [Mirror.Child])?
  @usableFromInline let text: (() -> String?)?

  /// - Parameters:
  ///   - children: What to show of its inside.
  ///   - text: What to be described as, if not by its name.
  @inlinable init(
    _ name: StaticString, request: @escaping (Subscribers.Demand) -> Void, cancel: @escaping () -> Void,
    children: (() -> [Mirror.Child])? = nil, text: (() -> String?)? = nil
  ) {
    self.name = name
    self.children = children
    self.text = text
    onRequest = request
    onCancel = cancel
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) { lock.withLock { onRequest }?(demand) }
  @usableFromInline func cancel() { take()?() }

  /// Cuts the way back: whoever keeps the subscription keeps nothing else alive.
  /// - Returns: Whether it had been neither cleared nor cancelled before.
  @discardableResult @usableFromInline func clear() -> Bool { take() != nil }

  private func take() -> (() -> Void)? {
    // Let go of outside the lock.
    let (request, cancel) = lock.withLock { (onRequest.take(), onCancel.take()) }
    return withExtendedLifetime(request) { cancel }
  }

  @usableFromInline var description: String { text?() ?? name.description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: children?() ?? []) }
}
