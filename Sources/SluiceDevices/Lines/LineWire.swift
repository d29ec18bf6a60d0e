package import SluiceReadings
import SluiceSystem

/// A connection over which lines come: a file, a serial port, a program, a socket. It knows nothing of their meaning.
package protocol LineWire: AnyObject {
  /// The noun and the name for errors: `the serial port /dev/ttyUSB0`.
  var title: String { get }
  /// Whether the first line may be the end of one that began earlier.
  var mayBeTorn: Bool { get }
  /// Whether the end of each read ends a line, as the end of a datagram does.
  var hasDatagrams: Bool { get }
  /// Whether the other side waits until its lines are read.
  var waits: Bool { get }
  /// How long lines may gather before a read, in milliseconds, if a read brings several of them: then they have one time
  /// all the same.
  var gathering: Int32 { get }
  /// The descriptors for `poll(2)`; empty while the wire is closed.
  var descriptors: [Int32] { get }

  /// Opens the wire, for the first time or again.
  /// - Parameter isInterrupted: Asked every 50 ms while it waits.
  /// - Throws: An error with the code `interrupted` if it was interrupted.
  func open(isInterrupted: () -> Bool) throws(SluiceError)
  /// Reads once, without waiting.
  /// - Returns: What was read.
  /// - Throws: An error with the code `disconnected` if the wire may come back.
  func read(_ ready: [Bool], into bytes: UnsafeMutableRawBufferPointer) throws(SluiceError) -> LineRead
  /// Asks the other side to end, as a program is asked by TERM. What it still writes is read afterwards.
  /// - Returns: How long to wait for the end, in milliseconds; nil if nothing more comes.
  func finish() -> Int32?
  /// Closes the wire.
  func close()

  /// What the wire itself has lost so far.
  var losses: [Loss] { get }
  /// Whether losses on the way to the wire show; if not, why not.
  var coverage: LossReport { get }
}

/// What a read of a ``LineWire`` gave.
package enum LineRead {
  /// Bytes that were received now, or at a time of CLOCK_MONOTONIC, and whether something before them was lost.
  case bytes(Int, received: Int64? = nil, isUncertain: Bool = false, isAfterLoss: Bool = false)
  case nothing
  /// The end: nothing more will come.
  case end
}

extension LineWire {
  package var mayBeTorn: Bool { false }
  package var hasDatagrams: Bool { false }
  package var waits: Bool { true }
  package var gathering: Int32 { 0 }
  package func finish() -> Int32? { nil }
  package var losses: [Loss] { [] }
  package var coverage: LossReport { LossReport(coverage: .all) }
}

/// Reads once from a descriptor that does not block.
/// - Returns: Nil if nothing is there.
func readWithoutWaiting(
  _ descriptor: Int32, into bytes: UnsafeMutableRawBufferPointer
) throws(SystemErrno) -> Int? {
  let count = read(descriptor, bytes.baseAddress, bytes.count)
  if count >= 0 { return count }
  if errno == EAGAIN || errno == EINTR { return nil }
  throw SystemErrno(errno)
}
