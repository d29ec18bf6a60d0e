import Dispatch
package import SluiceReadings

/// Reads the plan of a recording again from where it came, and lets the recording take over what can change: one at a time,
/// and from the start of the recording on.
package final class PlanReloader: Sendable {
  private let recording: Recording
  private let read: @Sendable () throws(SluiceError) -> RecordingPlan
  private let changed: @Sendable (_ isReading: Bool) -> Void
  private let queue = DispatchQueue(label: "sluice.reload", attributes: .initiallyInactive)

  /// - Parameters:
  ///   - read: Reads and checks the plan.
  ///   - changed: Called when a plan begins to be read, and when it is taken over or refused.
  package init(
    _ recording: Recording, _ read: @escaping @Sendable () throws(SluiceError) -> RecordingPlan,
    changed: @escaping @Sendable (_ isReading: Bool) -> Void = { _ in }
  ) {
    (self.recording, self.read, self.changed) = (recording, read, changed)
  }

  // A queue that is not active must not be let go of.
  deinit { queue.activate() }

  /// The recording has started.
  package func begin() { queue.activate() }

  /// Reads the plan, and lets the recording take it over.
  /// - Parameter done: Called once, on a queue of its own. After an error, nothing has changed.
  package func reload(_ done: @escaping @Sendable (Result<Recording.Reload, SluiceError>) -> Void) {
    queue.async { [recording, read, changed] in
      changed(true)
      let result = Result { () throws(SluiceError) in try recording.reload(read()) }
      changed(false)
      done(result)
    }
  }
}
