import Sluice
public import SluiceReadings

/// Decodes a trace of any format. One thread at a time reads.
///
/// Outside of this package, take a `LineDecoder`, or open the file by its path: see ``TraceFile/checkPath(_:)``.
public protocol TraceDecoder: AnyObject {
  /// The streams, for any thread.
  var list: StreamList { get }
  /// Decodes the readings that are available without waiting. It waits for the first one.
  /// - Returns: The number of readings; 0 at the end.
  /// - Throws: The fault after the readings returned before, each time it is called.
  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int
  /// Whether the next readings, or the end, are available without waiting.
  var hasNext: Bool { get }
  /// Whether a read may wait, as for a pipe or a terminal.
  var mayWait: Bool { get }
  /// The flags that are listed for readings that have not come yet.
  var unusedMarks: TraceMarks { get }
}

extension TraceDecoder {
  public var unusedMarks: TraceMarks { TraceMarks(nil, []) }
}

/// The streams of a trace. More may be added during the read.
public final class StreamList: Sendable {
  private let state: Locked<(streams: [StreamDescription], isGrowing: Bool)>

  /// Makes a list. More streams may be added if it is growing.
  public init(_ streams: [StreamDescription], isGrowing: Bool = false) { state = Locked((streams, isGrowing)) }

  /// The streams so far.
  public var streams: [StreamDescription] { state.withLock { $0.streams } }
  /// Whether more may be added.
  public var isGrowing: Bool { state.withLock { $0.isGrowing } }

  /// Replaces the list by a longer one.
  public func set(_ streams: [StreamDescription]) {
    // The old array is released outside of the lock.
    let before = state.withLock { state in
      defer { state.streams = streams }
      return state.streams
    }
    withExtendedLifetime(before) {}
  }

  /// Marks the list as complete.
  public func close() { state.withLock { $0.isGrowing = false } }
}
