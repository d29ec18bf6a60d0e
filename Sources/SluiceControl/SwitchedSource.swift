import Dispatch

/// A dispatch source that can be switched off for a while. Only one queue uses it.
final class SwitchedSource: @unchecked Sendable {
  // One queue uses it.

  private let source: any DispatchSourceProtocol
  private var isCancelled = false

  /// - Parameter event: Called when an event comes while the source is on.
  init(_ source: any DispatchSourceProtocol, event: @escaping @Sendable () -> Void) {
    self.source = source
    source.setEventHandler(handler: DispatchWorkItem(block: event))
  }

  /// Whether the source is on. It is off at first.
  var isOn = false {
    didSet {
      guard !isCancelled, isOn != oldValue else { return }
      if isOn { source.resume() } else { source.suspend() }
    }
  }

  /// - Parameter act: Called once, when the source watches nothing any more.
  func onCancel(_ act: @escaping @Sendable () -> Void) {
    source.setCancelHandler(handler: DispatchWorkItem(block: act))
  }

  /// Ends the source. Dispatch does not cancel a suspended source before it is resumed, and such a source must not be
  /// released.
  func cancel() {
    guard !isCancelled else { return }
    source.cancel()
    isOn = true
    isCancelled = true
  }

  deinit { cancel() }
}
