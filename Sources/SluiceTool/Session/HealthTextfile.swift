import Dispatch
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Writes the account and the health of a recording into a file for the textfile collector of node_exporter, every 15
/// seconds. The file is replaced at once, as the collector demands, and removed at the end: what is not there is not
/// running.
final class HealthTextfile: @unchecked Sendable {
  // `fault` is used on `queue` only; the rest does not change after `init`.

  private let path: String
  private let health: RecordingHealth
  private let queue = DispatchQueue(label: "sluice.textfile")
  private let timer: any DispatchSourceTimer
  /// The error that was told, so that it is told once.
  private var fault: SluiceError?

  init(_ path: String, _ health: RecordingHealth) {
    (self.path, self.health) = (path, health)
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now(), repeating: .seconds(15), leeway: .milliseconds(500))
    timer.setEventHandler { [weak self] in self?.write() }
    timer.activate()
  }

  private func write() {
    do throws(SluiceError) {
      try WholeFile.write(health.metrics, to: path)
      fault = nil
    } catch {
      if fault != error { Console.printError(error) }
      fault = error
    }
  }

  func end() {
    timer.cancel()
    // Waits until a write that has begun is over.
    queue.sync { _ = unlink(path) }
  }
}
