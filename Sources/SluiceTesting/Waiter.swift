import Foundation
import Sluice

/// A test that waits for an event from another thread, or on the main queue.
final class Waiter: @unchecked Sendable {
  // The lock protects the state; the semaphore protects itself.
  private struct State {
    var isAwake = false
    var continuation: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())
  private let semaphore = DispatchSemaphore(value: 0)
  private let isOnMain = Thread.isMainThread
  let awaited: Awaited

  init(_ awaited: Awaited) { self.awaited = awaited }

  func wake() {
    let continuation = state.withLock { state in
      state.isAwake = true
      return state.continuation.take()
    }
    continuation?.resume()
    semaphore.signal()
    // The run loop returns after a job of the main queue.
    if isOnMain { DispatchQueue.main.async {} }
  }

  /// Blocks this thread until it is woken, or for an interval. On the main thread it may return early.
  func wait(_ interval: Duration) {
    // Events on the main queue or from a timer of the run loop come only while this thread runs the loop. If the loop
    // has nothing to run, it returns at once.
    if isOnMain, RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: interval / .seconds(1))) {
      return
    }
    _ = semaphore.wait(timeout: .now() + interval / .seconds(1))
  }

  /// Suspends until it is woken, or for an interval.
  func wait(_ interval: Duration, isolation: isolated (any Actor)?) async {
    let deadline = Task {
      try? await Task.sleep(for: interval)
      wake()
    }
    await withCheckedContinuation(isolation: isolation) { continuation in
      let isAwake = state.withLock { state in
        if !state.isAwake { state.continuation = continuation }
        return state.isAwake
      }
      if isAwake { continuation.resume() }
    }
    deadline.cancel()
  }
}
