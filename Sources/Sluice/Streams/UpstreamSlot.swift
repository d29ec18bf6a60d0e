/// The place for an upstream. It keeps the first subscription, and accepts none after the end.
@usableFromInline
package enum UpstreamSlot {
  case awaited
  case connected(any Subscription)
  case gone

  @inlinable package var subscription: (any Subscription)? {
    if case .connected(let subscription) = self { subscription } else { nil }
  }

  @inlinable package var isConnected: Bool { if case .connected = self { true } else { false } }
  @inlinable package var isGone: Bool { if case .gone = self { true } else { false } }

  /// - Returns: Whether it was accepted. If not, the caller must cancel it outside the lock.
  @inlinable package mutating func accept(_ subscription: any Subscription) -> Bool {
    guard case .awaited = self else { return false }
    self = .connected(subscription)
    return true
  }

  /// - Returns: The subscription, to be cancelled or released outside the lock.
  @inlinable package mutating func end() -> (any Subscription)? {
    var former = UpstreamSlot.gone
    swap(&self, &former)
    return former.subscription
  }
}
