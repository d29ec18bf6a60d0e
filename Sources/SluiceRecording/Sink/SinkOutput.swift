package import SluiceReadings
import SluiceSystem

/// One output of a ``RecordingSink``. The sink appends batches under its lock, and the queue of the output writes them.
final class SinkOutput: @unchecked Sendable {
  // The lock of the sink protects all state except `retries` and `syncs`, which only the queue of the output uses.

  /// The address as it was given.
  let name: String
  let stores: [any RecordStore]
  /// What each store has claimed.
  let claims: [any OutputClaim]
  /// The queue of its writes, so that a slow output does not delay the writes of another.
  let queue: any WorkQueue
  /// Whether rows are written when they have waited for some time; otherwise only full batches are written.
  let writesByTime: Bool

  // Under the lock, Swift's check of exclusive access at each reading is not needed.

  @exclusivity(unchecked) var machine: OutputMachine
  /// The times of the first and the last reading that it dropped while its disk was away.
  var droppedTimes: ClosedRange<Int64>?
  var longestSync: Int64 = 0
  /// By store, whether its open row was there at the last tick. Then nothing more can join it.
  var hasOldRow: [Bool]

  /// Called on its queue with its progress; nil if nobody wants to know. It is set before the first reading.
  @exclusivity(unchecked) var progressed: (@Sendable (OutputProgress) -> Void)?
  @exclusivity(unchecked) var retries: WriteRetries
  @exclusivity(unchecked) var syncs = Syncs()

  struct Syncs {
    /// By stream, the number of readings written since the last sync.
    var unsynced: [Int] = []
    var isScheduled = false
    var hasFailed = false
    /// Its progress, if somebody wants to know.
    var progress = OutputProgress()
  }

  init(
    _ output: RecordingOutput, _ claimed: [ClaimedStore], streams: Int, writesByTime: Bool, queue: any WorkQueue
  ) {
    name = output.path
    stores = claimed.map(\.store)
    claims = claimed.map(\.claim)
    self.writesByTime = writesByTime
    self.queue = queue
    machine = OutputMachine(streams: streams, capacity: output.capacity ?? output.kind.capacity)
    retries = WriteRetries(output.kind.retryPauses)
    hasOldRow = stores.map { _ in false }
  }

  /// Begins the stores, of those that begin first or of the others. One without a reader ends now, as it would at its
  /// first row.
  func begin(
    where isFirst: Bool, _ isInterrupted: () -> Bool, _ found: (OutputEvent) -> Void
  ) throws(SluiceError) {
    for (store, claim) in zip(stores, claims) where claim.beginsFirst == isFirst {
      do throws(SluiceError) {
        try claim.waitUntilReady(isInterrupted)
        try store.begin(found)
      } catch  where error.isOfReaderThatHasGone {
        _ = machine.fail(error)
      }
    }
  }

  /// The store of a stream. A folder has one store per stream.
  @inline(__always) func store(of stream: Int) -> any RecordStore { stores[stores.count == 1 ? 0 : stream] }

  /// What the stores have gathered, with the rows that are open.
  func rest() -> [any RecordBatch] {
    stores.compactMap { store in
      store.endRow()
      return store.batch()
    }
  }

  /// Counts readings that it does not take.
  func leave(_ readings: UnsafeBufferPointer<Reading>, of stream: Int) {
    guard machine.intake == .drops else { return machine.counts[stream].unwritten += readings.count }
    machine.counts[stream].dropped += readings.count
    for reading in readings {
      let before = droppedTimes ?? reading.time...reading.time
      droppedTimes = min(before.lowerBound, reading.time)...max(before.upperBound, reading.time)
    }
  }

  /// Counts readings that its store does not have after all.
  func lose(_ lost: LostReadings) {
    machine.lose(lost.counts, isDropped: lost.isDropped)
    guard lost.isDropped else { return }
    let before = droppedTimes ?? lost.times
    droppedTimes = min(before.lowerBound, lost.times.lowerBound)...max(before.upperBound, lost.times.upperBound)
  }

  /// What the sender of a server counts.
  var sending: SendingCounts? { stores.count == 1 ? stores[0].sending : nil }

  /// The counts for the account, without the counts of a sender.
  var share: OutputShare {
    OutputShare(
      counts: machine.counts, failure: machine.failure, droppedTimes: droppedTimes, longestSync: longestSync,
      waiting: machine.waiting)
  }
}

/// The progress of an output with one store.
package struct OutputProgress: Equatable, Sendable {
  /// The number of readings whose writing is over: they are in the store, or its format cannot hold them.
  package var written = 0
  /// The number of them that are safe; equal to ``written`` if nothing is synced.
  package var safe = 0
  /// The file, and its length when these were safe; nil if the output is not one file.
  package var file: FileExtent?
  /// The file, and its length with the ``written`` readings; nil if the output is not one file.
  package var whole: FileExtent?

  package init() {}
}

/// The counts of one output, for the account.
package struct OutputShare: Sendable {
  /// The counts of each stream.
  package var counts: [OutputCount]
  package var failure: SluiceError?
  /// The times of the first and the last reading that it dropped.
  package var droppedTimes: ClosedRange<Int64>?
  /// The longest sync, in nanoseconds.
  package var longestSync: Int64 = 0
  /// The readings among those written that its disk has not taken, because it is full or away; nil otherwise.
  package var waiting: Int?
  /// What became of the readings that it sends to a server; nil if it is none.
  package var sending: SendingCounts?
}
