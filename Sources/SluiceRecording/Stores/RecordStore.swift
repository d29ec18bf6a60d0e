public import SluiceReadings

/// A store of readings. It gathers readings into batches, and writes a batch at a time.
///
/// The store of a file writes the bytes of a format; a database stores the readings themselves. A ``RecordingSink``
/// gathers readings under its lock, and writes on the queue of the output.
public protocol RecordStore: AnyObject, Sendable {
  /// Checks whether new readings can follow the existing ones. It changes nothing.
  func check() throws(SluiceError)
  /// Prepares it for readings, after everything that the recording will write was claimed, locked and checked.
  /// - Parameter found: Called when a torn tail was removed.
  func begin(_ found: (OutputEvent) -> Void) throws(SluiceError)
  /// Closes what it has opened itself for a recording that could not begin. Its claim is discarded afterwards.
  func discard()

  // MARK: Gathering

  /// Takes readings until a batch is full.
  /// - Returns: The number of readings taken.
  func append(_ readings: UnsafeBufferPointer<Reading>) -> Int
  /// Whether the batch is full.
  var isFull: Bool { get }
  /// Whether nothing is gathered.
  var isEmpty: Bool { get }
  /// Whether a row waits for readings that may still join it.
  var hasOpenRow: Bool { get }
  /// Ends the open row.
  func endRow()
  /// The gathered readings as a batch; nil if there are none.
  func batch() -> (any RecordBatch)?
  /// Ends the part of a recording in parts, so that the next reading begins another.
  /// - Returns: Whether it has parts.
  func endPart() -> Bool
  /// Cuts parts in another way from now on, also the open one.
  /// - Returns: Whether it has parts.
  func rotate(by rotation: Rotation) -> Bool
  /// Called with all streams after streams or channels were added.
  func describe(_ streams: [StreamDescription])

  // MARK: Writing

  /// Syncs: everything written is on the disk when it returns.
  func sync() throws(SluiceError)
  /// Closes the store and its claim after everything was written. If readings become safe by acknowledgements, it waits
  /// for them; it may wait forever, because the sink can abandon it.
  func close() throws(SluiceError)
  /// Its file, and the length so far; nil if it is not one file of rows. It is called on the queue of the output.
  var file: FileExtent? { get }
  /// Called once before the first reading of a store whose readings become safe by ``Safety/acknowledgement``.
  /// - Parameter safe: The store calls it, on any thread, with the number of readings of each stream that have become
  ///   safe since the last call.
  func acknowledge(_ safe: @escaping @Sendable (_ counts: [Int]) -> Void)
  /// Called once before the first reading.
  /// - Parameter lost: The store calls it, on any thread but not within ``append(_:)``, with readings that it has written
  ///   and does not have after all.
  func loses(_ lost: @escaping @Sendable (LostReadings) -> Void)
  /// Whether readings that it has taken, and that are not safe, end with this process.
  var losesWhatIsNotSafe: Bool { get }
  /// What became of the readings that it sends to a server; nil if it does not. Any thread may ask.
  var sending: SendingCounts? { get }
}

extension RecordStore {
  public func discard() {}
  public var hasOpenRow: Bool { false }
  public func endRow() {}
  public func endPart() -> Bool { false }
  public func rotate(by rotation: Rotation) -> Bool { false }
  public func sync() throws(SluiceError) {}
  public func acknowledge(_ safe: @escaping @Sendable (_ counts: [Int]) -> Void) {}
  public var file: FileExtent? { nil }
  public func loses(_ lost: @escaping @Sendable (LostReadings) -> Void) {}
  public var losesWhatIsNotSafe: Bool { false }
  public var sending: SendingCounts? { nil }
}

/// Readings on their way into a store, for the queue of the output.
public protocol RecordBatch: AnyObject {
  /// Its size for the limit of what may wait.
  var byteCount: Int { get }
  /// Writes the batch. After an error it can be called again, and writes the rest.
  func write() throws(SluiceError)
  /// Adds the number of readings of each stream that the store can hold. Any thread may call it, even during a write.
  func count(into counts: inout [Int])
  /// By stream, the number of unwritten readings: before ``write()`` all of them, after an error the rest.
  var unwritten: [Int: Int] { get }
  /// By stream, the number of readings that the store can never hold.
  var leftOut: [Int: Int] { get }
}

extension RecordBatch {
  public var leftOut: [Int: Int] { [:] }
}
