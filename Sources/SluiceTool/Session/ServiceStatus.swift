@_spi(Preview) import SluicePipeline

/// What the status line of a service says of the recording: `12,345 readings, 998/s, lost 0; waiting for room.csv`.
struct ServiceStatus {
  private var away = AwayNames()

  /// - Returns: Whether the line changes at once.
  mutating func happened(_ event: RecordingEvent.Kind) -> Bool {
    if away.happened(event) { return true }
    return event == .paused || event == .resumed
  }

  func text(_ standing: RecordingStanding, rate: Double) -> String {
    let text = standing.text(rate: rate)
    // systemd takes the status up to the end of its line.
    let waiting = (away.outputs + away.sources).map {
      String($0.unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
    }
    return waiting.isEmpty ? text : "\(text); waiting for \(waiting.joined(separator: ", "))"
  }
}
