import Sluice
package import SluiceReadings
package import Synchronization

/// What became of the readings of one stream: each that was received, or made by a stage, is written, dropped, discarded,
/// suppressed or used to make others, unless writing failed.
package final class StreamLedger: Sendable {
  package let received = Atomic(0)
  /// By a full buffer.
  package let dropped = Atomic(0)
  private let firstDropped = Atomic(Int64.max)
  private let lastDropped = Atomic(Int64.min)
  /// By the user's own operators.
  package let suppressed = Atomic(0)
  /// By stages that make others of them.
  package let used = Atomic(0)
  package let made = Atomic(0)
  /// Of the readings that the last stage has made; nil if none makes them.
  private let madeFlags = Locked<(stage: Int, flags: FlaggedReadings)?>(nil)
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

  /// As they were received.
  package var flagged: FlaggedReadings { flags.withLock { $0 } }

  /// Notes that a stage makes the readings of this stream; what earlier stages have made never reaches an output.
  package func isMade(byStage stage: Int) {
    madeFlags.withLock { made in if (made?.stage ?? -1) < stage { made = (stage, FlaggedReadings()) } }
  }
  package func add(made reading: Reading, byStage stage: Int) {
    madeFlags.withLock { made in if made?.stage == stage { made?.flags.add(reading) } }
  }
  /// What was flagged behind all stages.
  package func addGap(beforeWritten reading: Reading) {
    let isMade = madeFlags.withLock { made in
      made?.flags.gapBefore.add(reading.time)
      return made != nil
    }
    if !isMade { addGap(before: reading) }
  }
  /// As they reach the outputs.
  package var writtenFlags: FlaggedReadings { madeFlags.withLock { $0?.flags } ?? flagged }

  /// Those that are on their way to the outputs, or there.
  package var outgoing: Int {
    received.load(ordering: .relaxed) + made.load(ordering: .relaxed) - dropped.load(ordering: .relaxed)
      - suppressed.load(ordering: .relaxed) - used.load(ordering: .relaxed)
  }
}
