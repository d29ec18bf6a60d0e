import Sluice
package import SluiceReadings
package import Synchronization

/// What became of the readings of one stream: each that was received is written, dropped, discarded or suppressed, unless
/// writing failed.
package final class StreamLedger: Sendable {
  package let received = Atomic(0)
  /// By a full buffer.
  package let dropped = Atomic(0)
  private let firstDropped = Atomic(Int64.max)
  private let lastDropped = Atomic(Int64.min)
  /// By the user's own operators.
  package let suppressed = Atomic(0)
  private let flags = Locked(FlaggedReadings())

  package func addDrop(of reading: Reading) {
    dropped.add(1, ordering: .relaxed)
    _ = firstDropped.min(reading.time, ordering: .relaxed)
    _ = lastDropped.max(reading.time, ordering: .relaxed)
  }

  /// Times of the first and the last reading that a full buffer dropped; nil if it dropped none.
  package var droppedTimes: ClosedRange<Int64>? {
    let (first, last) = (firstDropped.load(ordering: .relaxed), lastDropped.load(ordering: .relaxed))
    return first <= last ? first...last : nil
  }

  package func add(flagged reading: Reading) { flags.withLock { $0.add(reading) } }
  /// What was flagged on the way to the file.
  package func addGap(before reading: Reading) { flags.withLock { $0.gapBefore.add(reading.time) } }
  package func addLate(_ reading: Reading) { flags.withLock { $0.late.add(reading.time) } }

  package var flagged: FlaggedReadings { flags.withLock { $0 } }
}
