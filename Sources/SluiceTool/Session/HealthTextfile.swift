import Dispatch
import SluicePipeline
import SluiceReadings
import SluiceSystem

/// Writes the account and the health of a recording into a file for the textfile collector of node_exporter, every 15
/// seconds. Each write replaces the file at once, as the collector demands. The file is removed at the end, so that
/// there is no file of a recording that does not run.
final class HealthTextfile: @unchecked Sendable {
  // Only `queue` uses `fault`; the rest does not change after `init`.

  private let path: String
  private let health: RecordingHealth
  private let queue = DispatchQueue(label: "sluice.textfile")
  private let timer: any DispatchSourceTimer
  /// The last error that was printed, so that it is printed only once.
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
    // This waits for a write that has begun.
    queue.sync { _ = unlink(path) }
  }
}
