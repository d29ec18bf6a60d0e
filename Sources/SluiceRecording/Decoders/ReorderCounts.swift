package import Synchronization

/// The counts of ``TimeOrder``, for any thread.
package final class ReorderCounts: Sendable {
  /// Readings that came after a reading with a later time, and were put before it.
  package let moved = Atomic(0)
  /// Readings that came after a reading with a later time had been passed on.
  package let late = Atomic(0)
  /// Readings that were passed on before their time, because too many waited.
  package let early = Atomic(0)

  package init() {}
}
