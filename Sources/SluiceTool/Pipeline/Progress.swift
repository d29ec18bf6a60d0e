import Dispatch
import SluicePipeline
import SluiceReadings

/// A live line on a terminal, four times per second; nothing if standard error is no terminal.
final class Progress {
  private let timer: (any DispatchSourceTimer)?
  private let queue = DispatchQueue(label: "sluice.progress")

  /// - Parameter hasKeys: Whether keys of the terminal control the replay. Then the line names them.
  init(_ recording: Recording, isShown: Bool, hasKeys: Bool = false) {
    guard isShown else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.setEventHandler {
      Console.show(
        "\(grouped(recording.received)) reading\(recording.received == 1 ? "" : "s"), "
          + "\(grouped(recording.dropped)) dropped, \(fixed(recording.seconds, 1)) s"
          + (hasKeys ? Self.keys(isPaused: recording.isPaused) : ""))
    }
    timer.activate()
    self.timer = timer
  }

  private static func keys(isPaused: Bool) -> String {
    isPaused ? "; paused (space: resume, right arrow: one reading, q: end)" : " (space: pause, q: end)"
  }

  func stop() {
    guard let timer else { return }
    timer.cancel()
    // Behind a line that is being shown.
    queue.sync {}
    Console.show("")
  }
}
