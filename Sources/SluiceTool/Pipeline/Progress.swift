import Dispatch
import SluicePipeline

/// A live line on a terminal, four times a second; nothing if standard error is no terminal.
final class Progress {
  private let timer: (any DispatchSourceTimer)?
  private let queue = DispatchQueue(label: "sluice.progress")

  init(_ pipeline: Pipeline, isShown: Bool, since start: DispatchTime) {
    guard isShown else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(deadline: .now() + .milliseconds(250), repeating: .milliseconds(250))
    timer.setEventHandler {
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
      Console.show(
        "\(grouped(pipeline.received)) readings, \(grouped(pipeline.dropped)) dropped, \(fixed(seconds, 1)) s")
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
