import SluiceLog
import SluiceReadings
import SluiceSystem

/// Where the readings for a server wait until it has acknowledged them.
protocol SendSpool: AnyObject {
  /// The number behind the last reading.
  var next: UInt64 { get }
  /// The number of the first reading that was not settled when it was opened.
  var settled: UInt64 { get }
  var byteCount: Int64 { get }
  /// Whether readings in it outlive this process.
  var isLasting: Bool { get }
  /// - Throws: If it is full (``SpoolFull``), or the error of its disk.
  func append(_ readings: [Reading], _ ordinals: ReadingOrdinals) throws
  /// The next readings that were not read, so many at most.
  func read(most: Int) throws(SystemErrno) -> SpoolItem
  /// All readings before this number are settled. What nobody needs may go.
  func settle(_ number: UInt64)
  /// What was appended is on the disk when this returns, if it is on one, and what is settled is known there.
  func save() throws(SystemErrno)
  /// The number behind the last reading of the oldest part of it, which goes as a whole; nil if there is only one part.
  var endOfOldest: UInt64? { get }
  /// Reads what was not read of the oldest part, so that it can be given up.
  /// - Returns: These readings. One without readings was not readable.
  func giveUp() throws(SystemErrno) -> [SendBatch]
  func describe(_ streams: [StreamDescription])
  func close()
}

enum SpoolItem {
  case batch(SendBatch)
  /// Readings that cannot be read, or that were given up.
  case lost(Int)
  case end
}

/// A spool has its largest size.
struct SpoolFull: Error {}
