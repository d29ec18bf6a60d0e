import Sluice
import SluiceReadings
import Synchronization

/// What became of the readings of one stream: each that was received is written, dropped, discarded or suppressed, unless
/// writing failed.
package final class StreamLedger: Sendable {
  package let received = Atomic(0)
  /// By a full buffer.
  package let dropped = Atomic(0)
  /// By the user's own operators.
  package let suppressed = Atomic(0)
  private let flags = Locked(FlaggedReadings())

  package func add(flagged reading: Reading) { flags.withLock { $0.add(reading) } }
  /// What was flagged on the way to the file.
  package func addGap(before reading: Reading) { flags.withLock { $0.gapBefore.add(reading.time) } }
  package func addLate(_ reading: Reading) { flags.withLock { $0.late.add(reading.time) } }

  package var flagged: FlaggedReadings { flags.withLock { $0 } }
}
