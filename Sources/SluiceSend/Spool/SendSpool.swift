import SluiceLog
import SluiceReadings
import SluiceSystem

/// Where the readings for a server wait until it has acknowledged them.
protocol SendSpool: AnyObject {
  /// Its folder, for messages; nil if it is in memory.
  var folder: String? { get }
  /// A random number of the run that appends; 0 if nothing is appended.
  var run: UInt64 { get }
  /// The number behind the last reading.
  var next: UInt64 { get }
  /// The number of the first reading that was not settled when it was opened.
  var settled: UInt64 { get }
  var byteCount: Int64 { get }
  /// Whether readings in it outlive this process.
  var isLasting: Bool { get }
  /// What is settled gives way before it is full.
  /// - Throws: If it is full (``SpoolFull``), or the error of its disk.
  func append(_ readings: [Reading], _ ordinals: ReadingOrdinals) throws
  /// The next readings that were not read, so many at most. After an error it can be called again, and nothing was left out.
  /// - Parameter before: Readings from this number on are not read.
  func read(most: Int, before: UInt64) throws(SystemErrno) -> SpoolItem
  /// The readings before this number need not be read.
  func skip(to number: UInt64)
  /// Leaves out what its disk cannot read, if it can read something behind it.
  func leaveOut() -> Bool
  /// All readings before this number are settled. What nobody needs may go.
  func settle(_ number: UInt64)
  /// What was appended is on the disk when this returns, if it is on one, and what is settled is known there.
  func save() throws(SystemErrno)
  /// Gives up the oldest part of it that can go, so that there is room.
  /// - Parameters:
  ///   - isNeeded: Whether some of these readings are on their way to the server.
  ///   - counted: Readings that were not read, and that were fresh.
  ///   - given: Called with the other readings of this part that were not read: a record at a time, or a number that cannot be
  ///     read; and with the sequence number of the first of them.
  /// - Returns: The numbers of all readings of this part; nil if no part can go.
  func giveUp(
    _ isNeeded: (Range<UInt64>) -> Bool, counted: [Range<UInt64>], _ given: (SpoolItem, _ first: UInt64) -> Void
  ) -> Range<UInt64>?
  func describe(_ streams: [StreamDescription])
  func close()
}

enum SpoolItem {
  case batch(SendBatch)
  /// So many readings cannot be read.
  case lost(Int)
  /// So many readings were given up before.
  case gone(Int)
  case end
}

/// A spool has its largest size.
struct SpoolFull: Error {}
