import DequeModule
package import SluiceReadings

/// What a ``RecordingSink`` has to do with one output.
final class SinkOutput: @unchecked Sendable {
  // The lock of the sink protects all state but `writing`, which is for its queue alone.

  /// As it was given.
  let name: String
  let stores: [any RecordStore]
  /// Where its batches are written, so that a slow output does not hold up the writes of another.
  let queue: any WorkQueue

  // Swift's check of exclusive access, at each reading, is not needed under the lock.

  /// By stream.
  @exclusivity(unchecked) var counts: [OutputCount]
  /// It gets no more readings: it has failed, or cannot keep those that it has while its disk is away.
  @exclusivity(unchecked) var takesNone = false
  /// It has failed.
  var isOver = false
  /// The error that ended it.
  var failure: SluiceError?
  /// Its disk takes nothing at the moment; it is tried again.
  var isAway = false
  /// Times of the first and the last reading that it did not take while its disk was away.
  var droppedTimes: ClosedRange<Int64>?
  var longestSync: Int64 = 0
  /// It was given up: what its queue still writes is not counted.
  var isAbandoned = false
  /// Readings that it had not written by then, for other reasons.
  var unwrittenBefore = 0
  /// What its queue is writing.
  var current: (any RecordBatch)?
  var bytesInFlight = 0  // handed over and not yet with the system
  var outgoing: Deque<any RecordBatch> = []
  var wakes = false  // some are there that the queue does not know of
  var isWaking = false  // the queue is to look, or looks, at them
  /// Nothing comes any more: it is to be closed when all is written.
  var isEnding = false
  var isClosed = false
  /// By store, whether the row that waits there was there at the last tick already: nothing joins it any more.
  var hasOldRow: [Bool]

  @exclusivity(unchecked) var writing = Writing()

  /// What the queue knows.
  struct Writing {
    /// By stream, readings written since the last sync.
    var unsynced: [Int] = []
    var isSyncScheduled = false
    var hasUnsyncedError = false
    /// While its disk is away.
    var away: Away?
    /// The time of the last message that its disk is away. If the disk comes and goes, a message is sent once per
    /// minute too.
    var said: Int64?
    /// It was said since then that it is back.
    var isSaidBack = false
  }

  struct Away {
    let since: Int64
    /// The back-off: how long to wait before the next try.
    var pause: Int64 = 100_000_000
    /// Whoever was told that it is away is told when it is back.
    var isSaid = false
  }

  init(_ name: String, _ stores: [any RecordStore], streams: Int, queue: any WorkQueue) {
    self.name = name
    self.stores = stores
    self.queue = queue
    counts = Array(repeating: OutputCount(), count: streams)
    hasOldRow = stores.map { _ in false }
  }

  /// The store of a stream: a folder has one for each.
  @inline(__always) func store(of stream: Int) -> any RecordStore { stores[stores.count == 1 ? 0 : stream] }

  func end(_ error: SluiceError) {
    failure = failure ?? error
    isOver = true
    takesNone = true
    isAway = false
  }
}

/// What became of the readings of one stream that an output was given.
package struct OutputCount: Hashable, Sendable {
  /// Including readings that wait for the disk.
  package var written = 0
  /// After an error, or because the format cannot hold them.
  package var unwritten = 0
  /// While its disk was away, beyond what waits for it.
  package var dropped = 0
  /// Of those written, how many are known to be on the disk.
  package var synced = 0

  package init(written: Int = 0, unwritten: Int = 0, dropped: Int = 0, synced: Int = 0) {
    self.written = written
    self.unwritten = unwritten
    self.dropped = dropped
    self.synced = synced
  }
}

/// What the account says of one output.
package struct OutputShare: Sendable {
  /// By stream.
  package var counts: [OutputCount]
  package var failure: SluiceError?
  /// Times of the first and the last reading that it dropped.
  package var droppedTimes: ClosedRange<Int64>?
  /// Nanoseconds.
  package var longestSync: Int64 = 0
}

/// What happens to an output.
package enum OutputEvent: Sendable {
  /// It has ended.
  case failed(SluiceError)
  /// What was written since the last sync may not be on the disk. It goes on.
  case syncFailed(SluiceError)
  /// Its disk has been full or away for this many nanoseconds. Sent at once, and then once per minute.
  case away(SluiceError, nanoseconds: Int64)
  /// Its disk takes readings again.
  case back(nanoseconds: Int64)
}
