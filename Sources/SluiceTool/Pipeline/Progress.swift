import Dispatch
import SluicePipeline
import SluiceReadings

/// A live line on a terminal, four times a second; nothing if standard error is no terminal.
final class Progress {
  private let timer: (any DispatchSourceTimer)?
  private let queue = DispatchQueue(label: "sluice.progress")

  init(_ recording: Recording, isShown: Bool) {
    guard isShown else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.setEventHandler {
      Console.show(
        "\(grouped(recording.received)) readings, \(grouped(recording.dropped)) dropped, \(fixed(recording.seconds, 1)) s"
      )
    }
    timer.activate()
    self.timer = timer
  }

  func stop() {
    guard let timer else { return }
    timer.cancel()
    // Behind a line that is being shown.
    queue.sync {}
    Console.show("")
  }
}
