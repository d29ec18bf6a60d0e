import Dispatch
import Sluice
import SluiceRecording

@testable import SluicePipeline

/// The clocks of a machine that a test sets, suspends and synchronises.
final class FakeClocks: MachineClocks {
  private struct State {
    var monotonic: Int64
    var slept: Int64 = 7_000_000_000
    var wall: Int64 = 1_000_000_000_000
    var isSynchronised: Bool?
    var asked = 0
    var quality: TraceMetadata.ClockQuality?
    var queue: DispatchQueue?
    var whenSet: (@Sendable () -> Void)?
  }

  private let state: Locked<State>

  init(monotonic: Int64 = 50_000_000_000, isSynchronised: Bool?) {
    state = Locked(State(monotonic: monotonic, isSynchronised: isSynchronised))
  }

  var monotonic: Int64 { state.withLock { $0.monotonic } }
  var boottime: Int64 { state.withLock { $0.monotonic + $0.slept } }
  var realtime: Int64 { state.withLock { $0.monotonic + $0.slept + $0.wall } }
  var isSynchronised: Bool? {
    state.withLock { state in
      state.asked += 1
      return state.isSynchronised
    }
  }
  /// What the system says about the errors of its clock; at first nothing.
  var quality: TraceMetadata.ClockQuality? {
    get { state.withLock { $0.quality } }
    set { state.withLock { $0.quality = newValue } }
  }
  /// How often it was asked for that.
  var asked: Int { state.withLock { $0.asked } }

  func whenSet(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> (any Cancellable)? {
    state.withLock { ($0.queue, $0.whenSet) = (queue, body) }
    return AnyCancellable { [self] in state.withLock { $0.whenSet = nil } }
  }

  func pass(_ nanoseconds: Int64) { state.withLock { $0.monotonic += nanoseconds } }
  func suspend(_ nanoseconds: Int64) { state.withLock { $0.slept += nanoseconds } }
  func synchronise() { state.withLock { $0.isSynchronised = true } }
  /// Sets the wall clock forward, and says so as the kernel does.
  /// - Parameter isSaid: The kernel's timer hears of it.
  func set(_ nanoseconds: Int64, isSaid: Bool = true) {
    let (queue, body) = state.withLock { state in
      state.wall += nanoseconds
      return (state.queue, isSaid ? state.whenSet : nil)
    }
    if let body { queue?.sync { body() } }
  }
}
