import Foundation
import Sluice

/// Runs an action on an operation queue repeatedly, each time as a separate operation.
///
/// Each operation is due one interval after the due time of the previous one, so that delays do not add up. If one is
/// late, the wait for the next is shorter. Missed operations are skipped.
final class OperationRepetition: Cancellable, @unchecked Sendable {
  // The lock protects the state; nothing else changes.
  private struct State {
    var action: (() -> Void)?
    var due: DispatchTime
    var next: DelayedOperation?
  }

  private let queue: OperationQueue
  private let interval: TimeInterval
  private let state: Locked<State>

  init(on queue: OperationQueue, from due: DispatchTime, every interval: TimeInterval, _ action: @escaping () -> Void) {
    self.queue = queue
    self.interval = interval
    state = Locked(State(action: action, due: due))
    add()?.wait(until: due)
  }

  /// Adds the next operation. It waits for its time.
  /// - Returns: nil after the end.
  private func add() -> DelayedOperation? {
    let operation = DelayedOperation { self.run() }
    let isLive = state.withLock { state in
      guard state.action != nil else { return false }
      state.next = operation
      return true
    }
    guard isLive else { return nil }
    queue.addOperation(operation)
    return operation
  }

  private func run() {
    // The next operation is in the queue before the action runs, so that `cancelAllOperations` finds it. It begins to
    // wait only after the action. Otherwise the action could overlap with itself on a concurrent queue.
    let (action, running) = state.withLock { ($0.action, $0.next) }
    guard let action, let next = add() else { return }
    // `cancelAllOperations` may have come before the next operation was there, and has then cancelled this one alone.
    if running?.isCancelled ?? false { return cancel() }
    action()
    let due = state.withLock { state in
      state.due = max(state.due + interval, .now())
      return state.due
    }
    next.wait(until: due)
  }

  func cancel() {
    let (action, next) = state.withLock { state in
      defer { (state.action, state.next) = (nil, nil) }
      return (state.action, state.next)
    }
    next?.cancel()
    withExtendedLifetime(action) {}
  }
}
