import DequeModule
import Dispatch
import SluiceReadings

/// What a ``RecordingSink`` has to do with one output.
final class SinkOutput: @unchecked Sendable {
  // The lock of the sink protects all state.

  /// As it was given.
  let name: String
  let stores: [any RecordStore]
  /// Where its batches are written, so that a slow output does not hold up the writes of another.
  let queue = DispatchQueue(label: "sluice.output")

  // Swift's check of exclusive access, at each reading, is not needed under the lock.

  /// By stream.
  @exclusivity(unchecked) var counts: [OutputCount]
  /// It has failed and gets no more readings.
  @exclusivity(unchecked) var isOver = false
  /// The error that ended it.
  var failure: SluiceError?
  /// Its stores are closed: everything is written, or it has failed.
  var isClosed = false
  /// It was given up: what its queue still does counts for nothing.
  var isAbandoned = false
  /// Readings that it had not written by then, for other reasons.
  var unwrittenBefore = 0
  /// What its queue is writing.
  var writing: (any RecordBatch)?
  var bytesInFlight = 0  // handed over and not yet with the system
  var outgoing: Deque<any RecordBatch> = []
  var wakes = false  // some are there that the queue does not know of
  var isWaking = false  // the queue is to look, or looks, at them
  /// By store, whether the row that waits there was there at the last tick already: nothing joins it any more.
  var hasOldRow: [Bool]

  init(_ name: String, _ stores: [any RecordStore], streams: Int) {
    self.name = name
    self.stores = stores
    counts = Array(repeating: OutputCount(), count: streams)
    hasOldRow = stores.map { _ in false }
  }

  /// The store of a stream: a folder has one for each.
  @inline(__always) func store(of stream: Int) -> any RecordStore { stores[stores.count == 1 ? 0 : stream] }

  func end(_ error: SluiceError) {
    failure = failure ?? error
    isOver = true
  }
}

/// What became of the readings of one stream that an output was given.
package struct OutputCount: Hashable, Sendable {
  /// Including readings that wait for the disk.
  package var written = 0
  /// After an error, or because the format cannot hold them.
  package var unwritten = 0
}

/// What the account says of one output.
package struct OutputShare: Sendable {
  /// By stream.
  package var counts: [OutputCount]
  package var failure: SluiceError?
}
