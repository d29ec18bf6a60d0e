@_spi(Preview) import SluicePipeline

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
}
