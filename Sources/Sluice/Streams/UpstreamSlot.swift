/// The place for an upstream: keeps the first subscription, and takes none after the end.
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

  /// - Returns: Whether it is kept; if not, it is to be cancelled outside the lock.
  @inlinable package mutating func accept(_ subscription: any Subscription) -> Bool {
    guard case .awaited = self else { return false }
    self = .connected(subscription)
    return true
  }

  /// - Returns: What it kept, to be cancelled or let go of outside the lock.
  @inlinable package mutating func end() -> (any Subscription)? {
    var former = UpstreamSlot.gone
    swap(&self, &former)
    return former.subscription
  }
}
