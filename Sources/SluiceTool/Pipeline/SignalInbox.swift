import Dispatch
import Sluice

/// Hears signals from before anything is opened, and keeps them until a run takes them.
final class SignalInbox: Sendable {
  private struct State {
    var handle: (@Sendable (SignalRequest) -> Void)?
    var waiting: [SignalRequest] = []
    var isStopped = false
  }

  /// Where signals are handled.
  let queue = DispatchQueue(label: "sluice.session")
  private let state = Locked(State())

  /// Whether the run was asked to stop: also for whoever has not begun yet.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// - Returns: The inbox, and the signals that it hears until they are cancelled.
  static func open() -> (inbox: SignalInbox, signals: Signals) {
    let inbox = SignalInbox()
    return (inbox, Signals(queue: inbox.queue, stops: 2) { inbox.receive($0) })
  }

  private func receive(_ request: SignalRequest) {
    let handle = state.withLock { state in
      if request == .stop || request == .stopAtOnce { state.isStopped = true }
      if state.handle == nil { state.waiting.append(request) }
      return state.handle
    }
    handle?(request)
  }

  /// Hands over what was heard so far, in its order, and everything from now on.
  func deliver(to handle: @escaping @Sendable (SignalRequest) -> Void) {
    queue.sync {
      let waiting = state.withLock { state in
        state.handle = handle
        defer { state.waiting = [] }
        return state.waiting
      }
      for request in waiting { handle(request) }
    }
  }
}
