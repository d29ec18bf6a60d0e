import Sluice
import SluiceReadings
import SluiceSystem

/// The drops of one socket after the other. Any thread may read them.
final class CANDrops: Sendable {
  private struct State {
    var descriptor: Int32
    var counter = DropCounter()
  }

  let losses: DeviceLosses
  // The lock keeps the socket open during a system call of another thread.
  private let state: PriorityInheritanceMutex<State>

  init(_ losses: DeviceLosses, _ descriptor: Int32) {
    self.losses = losses
    state = PriorityInheritanceMutex(State(descriptor: descriptor))
  }

  deinit { close(at: 0) }

  /// Begins to count those of another socket.
  func begin(_ descriptor: Int32) { state.withLock { $0 = State(descriptor: descriptor) } }

  /// Counts the drops before a frame.
  func add(_ count: UInt32, at time: Int64) {
    let more = state.withLock { $0.counter.advance(to: count) }
    losses.add(.dropped, more, at: time)
  }

  /// Counts the drops so far. No frame need come after them.
  func read(at time: Int64) {
    let more = state.withLock { Self.more(&$0) }
    losses.add(.dropped, more, at: time)
  }

  /// Counts the last drops, and closes the socket.
  func close(at time: Int64) {
    let more = state.withLock { state in
      defer {
        if state.descriptor >= 0 { closeFile(state.descriptor) }
        state.descriptor = -1
      }
      return Self.more(&state)
    }
    losses.add(.dropped, more, at: time)
  }

  private static func more(_ state: inout State) -> Int {
    guard state.descriptor >= 0, let count = SocketReceipt.drops(of: state.descriptor) else { return 0 }
    return state.counter.advance(to: count)
  }
}
