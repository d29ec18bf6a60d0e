import Dispatch
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// Shows the progress of a recording: a live line on a terminal, four times per second, or a line in a log, every ten
/// seconds.
final class Progress {
  /// The place of the lines.
  enum Place: Equatable {
    /// - Parameter hasKeys: Whether keys of the terminal control the replay. If they do, the line names them.
    case terminal(hasKeys: Bool)
    case log
    case nowhere
  }

  private let timer: (any DispatchSourceTimer)?
  private let queue = DispatchQueue(label: "sluice.progress")
  private let place: Place

  init(_ recording: Recording, _ place: Place) {
    self.place = place
    guard place != .nowhere else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let step = DispatchTimeInterval.milliseconds(place == .log ? 10_000 : 250)
    timer.schedule(deadline: .now() + step, repeating: step)
    let window = RateWindow(length: place == .log ? 10 : 1)
    timer.setEventHandler {
      let standing = recording.standing
      let rate = window.rate(received: standing.received, at: standing.seconds)
      if case .terminal(let hasKeys) = place {
        let keys = hasKeys ? Self.keys(isPaused: standing.isPaused) : ""
        Console.show(standing.text(rate: rate, keys: keys, columns: Console.columns))
      } else {
        Console.detail(standing.text(rate: rate))
      }
    }
    timer.activate()
    self.timer = timer
  }

  private static func keys(isPaused: Bool) -> String {
    isPaused ? "space: resume, right: one reading, q: end" : "space: pause, q: end"
  }

  func stop() {
    guard let timer else { return }
    timer.cancel()
    // Waits until a line that is being shown is complete.
    queue.sync {}
    if place != .log { Console.show("") }
  }
}
