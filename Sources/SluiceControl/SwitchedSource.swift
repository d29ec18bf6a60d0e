import Dispatch

/// A dispatch source that can be switched off for a while. It is used on one queue.
final class SwitchedSource: @unchecked Sendable {
  // One queue uses it.

  private let source: any DispatchSourceProtocol
  private var isCancelled = false

  /// - Parameter event: Called when there is something, while it is on.
  init(_ source: any DispatchSourceProtocol, event: @escaping @Sendable () -> Void) {
    self.source = source
    source.setEventHandler(handler: DispatchWorkItem(block: event))
  }

  /// Whether it is on. It is off at first.
  var isOn = false {
    didSet {
      guard !isCancelled, isOn != oldValue else { return }
      if isOn { source.resume() } else { source.suspend() }
    }
  }

  /// - Parameter act: Called once, when nothing is watched any more.
  func onCancel(_ act: @escaping @Sendable () -> Void) {
    source.setCancelHandler(handler: DispatchWorkItem(block: act))
  }

  /// Ends it. A source that is off does not end before it is on, and must not be let go of.
  func cancel() {
    guard !isCancelled else { return }
    source.cancel()
    isOn = true
    isCancelled = true
  }

  deinit { cancel() }
}
