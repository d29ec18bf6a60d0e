import SluicePipeline

/// The status line of a service: `12,345 readings, 998/s, lost 0; waiting for room.csv`.
struct ServiceStatus {
  private var away = AwayNames()

  /// Takes an event.
  /// - Returns: Whether to send a new status line at once.
  mutating func happened(_ event: RecordingEvent.Kind) -> Bool {
    if away.happened(event) { return true }
    return event == .paused || event == .resumed
  }

  func text(_ standing: RecordingStanding, rate: Double) -> String {
    let text = standing.text(rate: rate)
    // A line feed would end the status.
    let waiting = (away.outputs + away.sources).map {
      String($0.unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) })
    }
    return waiting.isEmpty ? text : "\(text); waiting for \(waiting.joined(separator: ", "))"
  }
}
