@_spi(Preview) import SluicePipeline
import SluiceReadings

extension Console {
  /// Shows an event of a recording as a sentence, if it has one.
  static func show(_ event: RecordingEvent.Kind, _ verbosity: Verbosity) {
    guard let text = event.text else { return }
    switch event.level {
    case .error: printLine("sluice: \(text)", .error)
    case .warning: warn(text)
    case .notice: if verbosity > .quiet { say(text) }
    case .detail: if verbosity == .verbose { detail(text) }
    }
  }

  /// Shows what became of a plan that was read again. What was taken over is an event.
  static func show(_ reload: Result<Recording.Reload, SluiceError>, _ verbosity: Verbosity) {
    switch reload {
    case .failure(let error): printLine("sluice: the former plan goes on: \(error)", .error)
    case .success(let reload):
      for sentence in reload.kept { warn("not changed: \(sentence)") }
      if reload.changed.isEmpty, reload.kept.isEmpty, verbosity > .quiet { say(reload.text) }
    }
  }
}
