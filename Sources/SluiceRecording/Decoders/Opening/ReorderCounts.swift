package import Synchronization

/// The counts of ``TimeOrder``. Any thread may read them.
package final class ReorderCounts: Sendable {
  /// Readings that came after a later reading, and were moved before it.
  package let moved = Atomic(0)
  /// Readings that came after a later reading had been passed on.
  package let late = Atomic(0)
  /// Readings that were passed on early, because too many waited.
  package let early = Atomic(0)

  package init() {}
}
