import Dispatch
import SluicePipeline
import SluiceReadings

/// Ends a measurement early, at SIGINT, SIGTERM or SIGHUP, so that it can still put everything back.
final class Interruption: Sendable {
  private let flag = StopFlag()
  private let raised = DispatchSemaphore(value: 0)

  var isRaised: Bool { flag.isRaised }

  func raise() {
    flag.raise()
    raised.signal()
  }

  /// Waits for this time, or until it is raised.
  func wait(for duration: TimeSpan) {
    if isRaised { return }
    _ = raised.wait(timeout: .now() + .nanoseconds(Int(duration.nanoseconds)))
  }

  /// - Throws: If it was raised, because the measurement is then too short.
  func check() throws(SluiceError) {
    if isRaised { throw SluiceError(.failed, "finish", "the benchmark", because: "it was interrupted") }
  }
}
