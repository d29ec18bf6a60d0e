package import Synchronization

/// What ``TimeOrder`` has done, for any thread.
package final class ReorderCounts: Sendable {
  /// Readings that came behind one of a later time, and were put before it.
  package let moved = Atomic(0)
  /// Readings that came when one of a later time had been passed on.
  package let late = Atomic(0)
  /// Readings that were passed on before their time, because more would not have fitted into memory.
  package let early = Atomic(0)

  package init() {}
}
