import Dispatch
package import SluiceReadings

/// Reads the plan of a recording again from its file, and lets the recording take over the changes that are possible.
/// It handles one reload at a time; a reload before the start of the recording waits for the start.
package final class PlanReloader: Sendable {
  private let recording: Recording
  private let read: @Sendable () throws(SluiceError) -> RecordingPlan
  private let changed: @Sendable (_ isReading: Bool) -> Void
  private let queue = DispatchQueue(label: "sluice.reload", attributes: .initiallyInactive)

  /// - Parameters:
  ///   - read: Reads and checks the plan.
  ///   - changed: Called before a plan is read, and again when it is taken over or refused.
  package init(
    _ recording: Recording, _ read: @escaping @Sendable () throws(SluiceError) -> RecordingPlan,
    changed: @escaping @Sendable (_ isReading: Bool) -> Void = { _ in }
  ) {
    (self.recording, self.read, self.changed) = (recording, read, changed)
  }

  // An inactive queue must not be released.
  deinit { queue.activate() }

  /// Tells the reloader that the recording has started.
  package func begin() { queue.activate() }

  /// Reads the plan, and lets the recording take it over.
  /// - Parameter done: Called once, on the queue of the reloader. After an error, nothing has changed.
  package func reload(_ done: @escaping @Sendable (Result<Recording.Reload, SluiceError>) -> Void) {
    queue.async { [recording, read, changed] in
      changed(true)
      let result = Result { () throws(SluiceError) in try recording.reload(read()) }
      changed(false)
      done(result)
    }
  }
}
