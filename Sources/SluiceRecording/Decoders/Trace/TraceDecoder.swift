import Sluice
package import SluiceReadings

/// Decodes a trace of any format. One thread at a time reads.
package protocol TraceDecoder: AnyObject {
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
  package var unusedMarks: TraceMarks { TraceMarks(nil, []) }
}

/// The streams of a trace. More may be added during the read.
package final class StreamList: Sendable {
  private let state: Locked<(streams: [StreamDescription], isGrowing: Bool)>

  package init(_ streams: [StreamDescription], isGrowing: Bool = false) { state = Locked((streams, isGrowing)) }

  package var streams: [StreamDescription] { state.withLock { $0.streams } }
  package var isGrowing: Bool { state.withLock { $0.isGrowing } }

  package func set(_ streams: [StreamDescription]) {
    // The old array is released outside of the lock.
    let before = state.withLock { state in
      defer { state.streams = streams }
      return state.streams
    }
    withExtendedLifetime(before) {}
  }

  /// Marks the list as complete.
  package func close() { state.withLock { $0.isGrowing = false } }
}
