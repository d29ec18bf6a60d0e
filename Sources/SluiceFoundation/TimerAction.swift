import Sluice

/// What a timer does until it is told to forget it. Foundation for Linux releases neither a timer nor its closure, not
/// even after `invalidate()`.
final class TimerAction: Sendable {
  private let action: Locked<(() -> Void)?>

  init(_ action: @escaping () -> Void) { self.action = Locked(action) }

  func run() { action.withLock { $0 }?() }

  /// What the closure keeps is let go of outside the lock.
  func forget() { _ = take() }

  /// For a timer that fires once.
  func runAndForget() { take()?() }

  private func take() -> (() -> Void)? { action.withLock { $0.take() } }
}
