import Foundation
import Sluice
import SluiceDispatch

/// An operation that is not ready before its time, and runs only once.
final class DelayedOperation: Operation, Cancellable, @unchecked Sendable {
  // The lock protects the state.
  private struct State {
    var action: (() -> Void)?
    var isDue = false
  }

  private static let alarm = DispatchQueue(label: "sluice.operation")

  private let state: Locked<State>

  init(_ action: @escaping () -> Void) {
    state = Locked(State(action: action))
    super.init()
  }

  func wait(until deadline: DispatchTime) {
    Self.alarm.asyncAfter(deadline: deadline) { [weak self] in
      guard let self else { return }
      willChangeValue(for: \.isReady)
      state.withLock { $0.isDue = true }
      didChangeValue(for: \.isReady)
    }
  }

  /// A cancelled operation is ready at once, so that the queue releases it.
  override var isReady: Bool { super.isReady && (isCancelled || state.withLock { $0.isDue }) }

  override func main() { state.withLock { $0.action.take() }?() }
}
