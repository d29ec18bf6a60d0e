import Dispatch
import Sluice
import SluiceReadings
import SluiceSystem
import Synchronization

/// Reads and decodes a trace on its own queue, a few blocks before they are needed.
///
/// It runs only while there is space, so that no thread blocks and memory is bounded. On one processor it does not read
/// ahead, because there the change of threads costs more than it saves.
///
/// Blocks are read into arrays that were delivered earlier. Usually nobody holds such an array any more; if somebody
/// does, Swift copies it. New memory for each block took a tenth of a replay, because the system reclaims it.
final class ReadAhead: @unchecked Sendable {
  // The lock protects `state`. `trace`, `ring` and `turn` are used by one thread at a time: the queue, or without
  // reading ahead the one caller of `take()`. After `take()` nobody else reads `trace`.

  /// Readings per block: 54 KB, which stay in the cache between the two threads.
  static let block = 512
  private static let blocks = 8

  private struct State {
    var blocks: [Result<ArraySlice<Reading>, SluiceError>] = []  // in the order of the trace
    var running = false
    var waiting = false
    var ended = false
  }

  private let trace: TraceReader
  private var ring: [[Reading]] = []
  private var turn = 0
  private let queue = DispatchQueue(label: "sluice.read-ahead")
  private let state = Locked(State())
  private let filled = DispatchSemaphore(value: 0)
  private let isAhead: Bool
  private let isOwner: Bool
  private let isTaken = Atomic(false)

  /// - Parameter isAhead: Whether to read on another thread. The default is true for a trace that may wait, so that
  ///   ``end()`` has an effect during the wait.
  init(_ trace: TraceReader, isAhead: Bool? = nil) {
    self.trace = trace
    self.isAhead = isAhead ?? (trace.mayWait || processorCount() > 1)
    isOwner = trace.take()
  }

  /// Makes the caller the only reader of the trace.
  /// - Throws: If somebody else has read the trace, or may read it.
  func take() throws(SluiceError) {
    guard isOwner, !isTaken.exchange(true, ordering: .relaxed) else { throw trace.isTakenError }
  }

  /// Ends the trace after the blocks that were read, even during a wait for a pipe. Any thread may call it.
  func end() {
    let wake = state.withLock { state in
      state.ended = true
      defer { state.waiting = false }
      return state.waiting
    }
    if wake { filled.signal() }
  }

  /// Waits for the first block, so that its error is known before any output is written. It does not wait for a pipe.
  /// - Parameter isInterrupted: Asked every 50 ms; true ends the wait.
  /// - Returns: The first block; an empty one if it did not wait.
  /// - Throws: If the first reading cannot be read.
  @discardableResult func waitForFirst(_ isInterrupted: () -> Bool) throws(SluiceError) -> ArraySlice<Reading> {
    guard isOwner, !trace.mayWait else { return [] }
    let isFirst = state.withLock { state in
      defer { state.running = true }
      return !state.running && !state.ended && state.blocks.isEmpty
    }
    guard isFirst else { return [] }
    queue.async { self.read() }
    while true {
      let block = state.withLock { state in
        state.waiting = state.blocks.isEmpty
        return state.blocks.first
      }
      if let block { return try block.get() }
      if isInterrupted() { return [] }
      _ = filled.wait(timeout: .now() + .milliseconds(50))
    }
  }

  /// Waits for the next block; an empty block is the end. Only the caller of ``take()`` may use it.
  func next() throws(SluiceError) -> ArraySlice<Reading> {
    // The queue may still be reading the first block, if the wait for this block was interrupted.
    guard isAhead || state.withLock({ $0.running || !$0.blocks.isEmpty }) else {
      return state.withLock({ $0.ended }) ? [] : try readBlock()
    }
    while true {
      var start = false
      let block = state.withLock { state -> Result<ArraySlice<Reading>, SluiceError>? in
        let block = state.blocks.isEmpty ? (state.ended ? .success([]) : nil) : state.blocks.removeFirst()
        state.waiting = block == nil
        // Each start and each wait cost some microseconds, so it does not start for a single block.
        start = isAhead && !state.running && !state.ended && state.blocks.count <= Self.blocks / 2
        if start { state.running = true }
        return block
      }
      if start { queue.async { self.read() } }
      if let block { return try block.get() }
      filled.wait()
    }
  }

  private func read() {
    var room = true
    while room {
      let block: Result<ArraySlice<Reading>, SluiceError>
      do throws(SluiceError) {
        block = .success(try readBlock())
      } catch {
        block = .failure(error)
      }
      // This searches for a line feed, so it is not under the lock.
      let hasNext = trace.hasNext
      let (wake, more) = state.withLock { state -> (Bool, Bool) in
        guard !state.ended else {
          state.running = false
          return (false, false)
        }
        if case .success(let readings) = block, !readings.isEmpty {} else { state.ended = true }
        state.blocks.append(block)
        state.running = isAhead && !state.ended && state.blocks.count < Self.blocks
        let wake = state.waiting && (state.blocks.count >= Self.blocks / 2 || !state.running || !hasNext)
        if wake { state.waiting = false }
        return (wake, state.running)
      }
      if wake { filled.signal() }
      room = more
    }
  }

  private func readBlock() throws(SluiceError) -> ArraySlice<Reading> {
    // Besides the blocks that wait, one is being filled, and downstream has one while it fetches the next.
    if ring.count < Self.blocks + 3 {
      turn = ring.count
      ring.append(Array(repeating: .empty, count: Self.block))
    } else {
      turn = (turn + 1) % ring.count
    }
    let count = try trace.read(into: &ring[turn])
    return ring[turn][..<count]
  }
}
