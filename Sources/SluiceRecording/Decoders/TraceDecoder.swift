import Sluice
package import SluiceReadings

/// What a trace is decoded by, whatever it is stored in. One thread at a time reads.
package protocol TraceDecoder: AnyObject {
  /// For any thread.
  var list: StreamList { get }
  /// Decodes as many readings as there are without waiting, but for the first.
  /// - Returns: How many; 0 at the end.
  /// - Throws: What is wrong behind the readings returned before, each time.
  func read(into target: UnsafeMutableBufferPointer<Reading>) throws(SluiceError) -> Int
  /// Whether there are readings, or an end, without waiting.
  var hasNext: Bool { get }
  /// Whether it is read from something that may keep its reader waiting: a pipe, a terminal.
  var mayWait: Bool { get }
}

/// The streams of a trace, which may become more while it is read.
package final class StreamList: Sendable {
  private let state: Locked<(streams: [StreamDescription], isGrowing: Bool)>

  package init(_ streams: [StreamDescription], isGrowing: Bool = false) { state = Locked((streams, isGrowing)) }

  package var streams: [StreamDescription] { state.withLock { $0.streams } }
  package var isGrowing: Bool { state.withLock { $0.isGrowing } }

  package func set(_ streams: [StreamDescription]) {
    // What was there before is let go of outside of the lock.
    let before = state.withLock { state in
      defer { state.streams = streams }
      return state.streams
    }
    withExtendedLifetime(before) {}
  }

  /// Nothing is added any more.
  package func close() { state.withLock { $0.isGrowing = false } }
}
