import Sluice
import SluiceSystem

/// The messages that the kernel has dropped because the buffer of a socket was full: those of one socket after the other.
/// Any thread may ask.
final class SocketDrops: Sendable {
  private struct State {
    var descriptor: Int32 = -1
    var counter = DropCounter()
    var all = 0

    mutating func advance(to count: UInt32?) -> Int {
      let more = count.map { counter.advance(to: $0) } ?? 0
      all += more
      return more
    }

    mutating func look() -> Int { descriptor < 0 ? 0 : advance(to: SocketReceipt.drops(of: descriptor)) }
  }

  // The lock keeps the socket open during a system call of another thread.
  private let state = PriorityInheritanceMutex(State())

  deinit { close() }

  /// All that were counted.
  var all: Int { state.withLock { $0.all } }

  /// Begins to count those of a socket that was opened.
  func begin(_ descriptor: Int32) { state.withLock { ($0.descriptor, $0.counter) = (descriptor, DropCounter()) } }

  /// Counts those before a message.
  /// - Returns: How many were not counted before.
  func advance(to count: UInt32) -> Int { state.withLock { $0.advance(to: count) } }

  /// Counts those so far. No message need come after them.
  /// - Returns: How many were not counted before.
  @discardableResult
  func look() -> Int { state.withLock { $0.look() } }

  /// Counts the last ones, and closes the socket.
  /// - Returns: How many were not counted before.
  @discardableResult
  func close() -> Int {
    state.withLock { state in
      defer {
        if state.descriptor >= 0 { closeFile(state.descriptor) }
        state.descriptor = -1
      }
      return state.look()
    }
  }
}
