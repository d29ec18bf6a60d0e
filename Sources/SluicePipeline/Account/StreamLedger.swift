import Sluice
package import SluiceReadings
import SluiceRecording
package import Synchronization

/// The counts of one stream. Each reading that was received, or made by a stage, is written, dropped, discarded,
/// suppressed or used to make others, unless writing failed.
package final class StreamLedger: Sendable {
  package let received = Atomic(0)
  /// The time of the last reading that was received.
  package let lastTime = Atomic(Int64.min)
  /// Readings that a full buffer dropped.
  package let dropped = Atomic(0)
  private let firstDropped = Atomic(Int64.max)
  private let lastDropped = Atomic(Int64.min)
  /// Readings that the user's own operators left out.
  package let suppressed = Atomic(0)
  /// Readings that stages used to make others.
  package let used = Atomic(0)
  package let made = Atomic(0)
  /// Flags of the readings made by the last stage that makes readings of this stream; nil if there is none.
  private let madeFlags = Locked<(stage: Int, flags: StreamFlags)?>(nil)
  private let flags = Locked(StreamFlags())

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
  /// Flags a reading that follows a gap in the pipeline.
  package func addGap(before reading: Reading) { flags.withLock { $0.gapBefore.add(reading.time) } }
  /// Flags a reading that is late.
  package func flagLate(_ reading: inout Reading) {
    reading.flags.insert(.late)
    flags.withLock { $0.late.add(reading.time) }
  }

  /// The flags of the received readings.
  package var flagged: StreamFlags { flags.withLock { $0 } }

  /// Notes that a stage makes the readings of this stream. Readings made by earlier stages never reach an output.
  package func isMade(byStage stage: Int) {
    madeFlags.withLock { made in if (made?.stage ?? -1) < stage { made = (stage, StreamFlags()) } }
  }
  package func add(made reading: Reading, byStage stage: Int) {
    madeFlags.withLock { made in if made?.stage == stage { made?.flags.add(reading) } }
  }
  /// Flags a reading that follows a gap in a stage. If an earlier stage has made it, its flags are those of that stage.
  package func addGap(before reading: Reading, inStage stage: Int) {
    let isMade = madeFlags.withLock { made in
      guard let maker = made?.stage, maker < stage else { return false }
      made?.flags.gapBefore.add(reading.time)
      return true
    }
    if !isMade { addGap(before: reading) }
  }
  /// Flags a reading that follows a gap after the last stage.
  package func addGap(beforeWritten reading: Reading) {
    let isMade = madeFlags.withLock { made in
      made?.flags.gapBefore.add(reading.time)
      return made != nil
    }
    if !isMade { addGap(before: reading) }
  }
  /// The flags of the readings that reach the outputs.
  package var writtenFlags: StreamFlags { madeFlags.withLock { $0?.flags } ?? flagged }

  /// The flags of the readings that the last stage of this ledger made; nil if none makes readings.
  package var madeFlagsOnly: StreamFlags? { madeFlags.withLock { $0?.flags } }

  /// The readings that are in the outputs or on their way to them.
  package var outgoing: Int { counts.outgoing }

  /// All counts. They are not of one moment.
  package var counts: LedgerCounts {
    LedgerCounts(
      received: received.load(ordering: .relaxed), dropped: dropped.load(ordering: .relaxed),
      suppressed: suppressed.load(ordering: .relaxed), used: used.load(ordering: .relaxed),
      made: made.load(ordering: .relaxed))
  }
}

/// The counts of a ``StreamLedger``.
package struct LedgerCounts: Equatable, Sendable {
  package var received = 0
  package var dropped = 0
  package var suppressed = 0
  package var used = 0
  package var made = 0

  /// The readings that are in the outputs or on their way to them.
  package var outgoing: Int { received + made - dropped - suppressed - used }

  package static func + (a: LedgerCounts, b: LedgerCounts) -> LedgerCounts {
    LedgerCounts(
      received: a.received + b.received, dropped: a.dropped + b.dropped, suppressed: a.suppressed + b.suppressed,
      used: a.used + b.used, made: a.made + b.made)
  }

  package static func - (a: LedgerCounts, b: LedgerCounts) -> LedgerCounts {
    LedgerCounts(
      received: a.received - b.received, dropped: a.dropped - b.dropped, suppressed: a.suppressed - b.suppressed,
      used: a.used - b.used, made: a.made - b.made)
  }
}
