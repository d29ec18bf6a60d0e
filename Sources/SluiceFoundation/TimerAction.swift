import Sluice

/// The action of a timer, which can be removed. Foundation for Linux never releases a timer or its closure, not even
/// after `invalidate()`.
final class TimerAction: Sendable {
  private let action: Locked<(() -> Void)?>

  init(_ action: @escaping () -> Void) { self.action = Locked(action) }

  func run() { action.withLock { $0 }?() }

  /// Releases the closure outside the lock.
  func forget() { _ = take() }

  /// Runs the action of a timer that fires once.
  func runAndForget() { take()?() }

  private func take() -> (() -> Void)? { action.withLock { $0.take() } }
}
