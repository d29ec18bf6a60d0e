package import SluiceReadings

/// Where the readings of a file go: it gathers them into batches, and writes a batch at a time.
///
/// An ``EncodedStore`` writes the bytes of a format; a database takes the readings themselves. A ``RecordingSink`` calls
/// the methods that gather under its lock, and those that write on the queue of the output.
package protocol RecordStore: AnyObject, Sendable {
  var file: ClaimedFile { get }
  /// Whether new readings can follow what is there; changes nothing.
  func check() throws(SluiceError)
  /// Makes it ready, once every file of the recording is open, locked and checked.
  /// - Parameter say: Told what was cut off.
  func begin(_ say: (String) -> Void) throws(SluiceError)
  /// For a recording that could not begin: closes the file, and removes it if the recording made it.
  func discard()

  // MARK: Gathering

  /// Takes readings until a batch is full.
  /// - Returns: How many readings it took.
  func append(_ readings: UnsafeBufferPointer<Reading>) -> Int
  var isFull: Bool { get }
  var isEmpty: Bool { get }
  /// Whether a row waits for readings that may still join it.
  var hasOpenRow: Bool { get }
  func endRow()
  /// The gathered readings, as a batch to write; nil if there are none.
  func batch() -> (any RecordBatch)?
  /// How many channels of a stream it knows; 0 if it does not know the stream.
  func channels(of stream: Int) -> Int
  /// Gets all streams when streams or channels have come since the beginning.
  func describe(_ streams: [StreamDescription])

  // MARK: Writing

  /// What was written is on the disk when it returns.
  func sync() throws(SluiceError)
  /// Closes it once everything is written.
  func close() throws(SluiceError)
}

extension RecordStore {
  package func discard() { file.discard() }
  package var hasOpenRow: Bool { false }
  package func endRow() {}
  package func sync() throws(SluiceError) {}
}

/// Readings on their way into a store, for the queue that writes.
package protocol RecordBatch: AnyObject {
  var byteCount: Int { get }
  /// Writes all of it. After an error it can be called again, and writes what is left.
  func write() throws(SluiceError)
  /// Adds how many readings of each stream it has, of those that can be written there: also while it is being written, for
  /// any thread.
  func count(into counts: inout [Int])
  /// By stream, the readings that are not written: before ``write()`` all of them, after it those that an error has left.
  var unwritten: [Int: Int] { get }
  /// By stream, the readings that can never be written there.
  var leftOut: [Int: Int] { get }
}

extension RecordBatch {
  package var leftOut: [Int: Int] { [:] }
}
