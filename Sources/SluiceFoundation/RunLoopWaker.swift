import Foundation
import Sluice

/// Wakes a run loop that waits, because `perform` (CFRunLoopPerformBlock) does not wake it.
///
/// A timer that is due wakes it. Foundation for Linux never frees about 330 bytes of every timer, so each run loop has
/// one timer, which is set again.
enum RunLoopWaker {
  private struct Waker {
    weak var runLoop: RunLoop?
    let timer: Timer
  }

  private static let wakers = Locked([ObjectIdentifier: Waker]())

  static func wake(_ runLoop: RunLoop) {
    if let timer = timer(of: runLoop) {
      timer.fireDate = .distantPast
      return
    }
    let timer = Timer(fire: .distantPast, interval: 1e9, repeats: true) { _ in }
    let forgotten = wakers.withLock { wakers in
      let before = wakers
      wakers = wakers.filter { $0.value.runLoop != nil }
      wakers[ObjectIdentifier(runLoop)] = Waker(runLoop: runLoop, timer: timer)
      return before
    }
    withExtendedLifetime(forgotten) {}  // until the lock is free
    runLoop.add(timer, forMode: .default)
  }

  /// Another run loop may have had the same address.
  private static func timer(of runLoop: RunLoop) -> Timer? {
    wakers.withLock { wakers in
      wakers[ObjectIdentifier(runLoop)].flatMap { $0.runLoop === runLoop ? $0.timer : nil }
    }
  }
}
