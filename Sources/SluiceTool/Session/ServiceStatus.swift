@_spi(Preview) import SluicePipeline
import SluiceRecording

/// What the status line of a service says of the recording: `12,345 readings, 998/s, lost 0; waiting for room.csv`.
struct ServiceStatus {
  /// The outputs and sources that are away, in the order in which they went.
  private var away: [String] = []

  /// - Returns: Whether the line changes at once.
  mutating func happened(_ event: RecordingEvent.Kind) -> Bool {
    switch event {
    case .outputAway(let path, _, _, _): wait(for: path)
    case .sourceRemoved(let name, _): wait(for: name)
    case .outputBack(let path, _, _): goOn(with: path)
    case .sourceBack(let name): goOn(with: name)
    case .paused, .resumed: true
    default: false
    }
  }

  private mutating func wait(for name: String) -> Bool {
    guard !away.contains(name) else { return false }
    away.append(name)
    return true
  }

  private mutating func goOn(with name: String) -> Bool {
    guard let index = away.firstIndex(of: name) else { return false }
    away.remove(at: index)
    return true
  }

  func text(_ standing: RecordingStanding, rate: Double) -> String {
    let text = standing.text(rate: rate)
    // systemd takes the status up to the end of its line.
    let waiting = away.map { String($0.unicodeScalars.map { $0.value < 0x20 ? "?" : Character($0) }) }
    return waiting.isEmpty ? text : "\(text); waiting for \(waiting.joined(separator: ", "))"
  }
}
