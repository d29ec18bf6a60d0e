import DequeModule
package import SluiceReadings

/// One output of a ``RecordingSink``. The sink appends batches under its lock, and the queue of the output writes them.
final class SinkOutput: @unchecked Sendable {
  // The lock of the sink protects all state except `writing`, which only the queue of the output uses.

  /// The path as it was given.
  let name: String
  let stores: [any RecordStore]
  /// The queue of its writes, so that a slow output does not delay the writes of another.
  let queue: any WorkQueue

  // Under the lock, Swift's check of exclusive access at each reading is not needed.

  /// The counts of each stream.
  @exclusivity(unchecked) var counts: [OutputCount]
  /// Whether it takes no more readings: it has failed, or its disk is away and its memory is full.
  @exclusivity(unchecked) var takesNone = false
  /// Whether it has failed.
  var isOver = false
  /// The error that ended it.
  var failure: SluiceError?
  /// Whether its disk is full or away. Writes are tried again.
  var isAway = false
  /// The times of the first and the last reading that it dropped while its disk was away.
  var droppedTimes: ClosedRange<Int64>?
  var longestSync: Int64 = 0
  /// Whether it was abandoned. Later writes of its queue do not count.
  var isAbandoned = false
  /// The number of readings not written for other reasons before that.
  var unwrittenBefore = 0
  /// The batch that its queue is writing.
  var current: (any RecordBatch)?
  var bytesInFlight = 0  // handed over, and not taken by the system yet
  var outgoing: Deque<any RecordBatch> = []
  var wakes = false  // whether there are batches that the queue does not know
  var isWaking = false  // whether the queue will look, or looks, at the batches
  /// Whether no more readings come, so that it must be closed when everything is written.
  var isEnding = false
  var isClosed = false
  /// Whether rows are written when they have waited for some time; otherwise only full batches are written.
  let writesByTime: Bool
  /// By store, whether its open row was there at the last tick. Then nothing more can join it.
  var hasOldRow: [Bool]

  @exclusivity(unchecked) var writing = Writing()

  /// The state that only the queue uses.
  struct Writing {
    /// By stream, the number of readings written since the last sync.
    var unsynced: [Int] = []
    var isSyncScheduled = false
    var hasUnsyncedError = false
    /// The state while its disk is away.
    var away: Away?
    /// The time of the last message that its disk is away. If the disk comes and goes, there is still only one message
    /// per minute.
    var said: Int64?
    /// Whether a message since then said that it is back.
    var isSaidBack = false
  }

  struct Away {
    let since: Int64
    /// The back-off before the next try.
    var pause: Int64 = 100_000_000
    /// Whether a message said that it is away. Then another must say that it is back.
    var isSaid = false
  }

  init(_ name: String, _ stores: [any RecordStore], streams: Int, writesByTime: Bool, queue: any WorkQueue) {
    self.name = name
    self.stores = stores
    self.writesByTime = writesByTime
    self.queue = queue
    counts = Array(repeating: OutputCount(), count: streams)
    hasOldRow = stores.map { _ in false }
  }

  /// The store of a stream. A folder has one store per stream.
  @inline(__always) func store(of stream: Int) -> any RecordStore { stores[stores.count == 1 ? 0 : stream] }

  func end(_ error: SluiceError) {
    failure = failure ?? error
    isOver = true
    takesNone = true
    isAway = false
  }
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
}
