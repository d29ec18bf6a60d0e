import SluicePipeline
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

  /// Shows the result of a plan that was read again. The changes that were taken over are shown as an event.
  static func show(_ reload: Result<Recording.Reload, SluiceError>, _ verbosity: Verbosity) {
    switch reload {
    case .failure(let error): printLine("sluice: the recording keeps its plan: \(error)", .error)
    case .success(let reload):
      for sentence in reload.kept { warn("not changed: \(sentence)") }
      if reload.changed.isEmpty, reload.kept.isEmpty, verbosity > .quiet { say(reload.text) }
    }
  }
}
