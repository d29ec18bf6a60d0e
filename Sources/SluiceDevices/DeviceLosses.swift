import Synchronization

/// What a device's readings say about those that are missing, counted apart by how it is known.
public final class DeviceLosses: Sendable {
  private let skippedCount = Atomic(0)
  private let repeatedCount = Atomic(0)
  private let failedCount = Atomic(0)
  private let missedCount = Atomic(0)

  public init() {}

  /// Lost in the kernel's FIFO: exact, from gaps in sequence numbers.
  public var skipped: Int { skippedCount.load(ordering: .relaxed) }
  /// Two equal edges in a row: at least so many were lost.
  public var repeated: Int { repeatedCount.load(ordering: .relaxed) }
  /// Reads that failed.
  public var failed: Int { failedCount.load(ordering: .relaxed) }
  /// Periods of a poll that passed without a read.
  public var missed: Int { missedCount.load(ordering: .relaxed) }

  func add(skipped: Int = 0, repeated: Int = 0, failed: Int = 0, missed: Int = 0) {
    if skipped != 0 { skippedCount.add(skipped, ordering: .relaxed) }
    if repeated != 0 { repeatedCount.add(repeated, ordering: .relaxed) }
    if failed != 0 { failedCount.add(failed, ordering: .relaxed) }
    if missed != 0 { missedCount.add(missed, ordering: .relaxed) }
  }
}
