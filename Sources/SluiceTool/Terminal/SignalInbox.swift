import Dispatch
import Sluice

/// Receives signals before anything is opened, and keeps them until a run takes them.
final class SignalInbox: Sendable {
  private struct State {
    var handle: (@Sendable (SignalRequest) -> Void)?
    var waiting: [SignalRequest] = []
    var isStopped = false
  }

  /// The queue that handles signals.
  let queue = DispatchQueue(label: "sluice.session")
  private let state = Locked(State())

  /// Whether a stop was requested, even before the start of the run.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// - Parameter hangUp: What SIGHUP means.
  /// - Returns: The inbox, and the signals, which it receives until they are cancelled.
  static func open(hangUp: SignalRequest = .stop) -> (inbox: SignalInbox, signals: Signals) {
    let inbox = SignalInbox()
    return (inbox, Signals(queue: inbox.queue, stops: 2, hangUp: hangUp) { inbox.receive($0) })
  }

  private func receive(_ request: SignalRequest) {
    let handle = state.withLock { state in
      if request == .stop || request == .stopAtOnce { state.isStopped = true }
      if state.handle == nil { state.waiting.append(request) }
      return state.handle
    }
    handle?(request)
  }

  /// Delivers the signals so far, in their order, and all later ones.
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
