import SluicePipeline
import SluiceReadings

extension RecordingStanding {
  /// A line for a terminal or a log: `12,345 readings, 998/s, buffer 3 %, lost 18, the last 2.1 s ago, 12.4 s`.
  /// - Parameter rate: Readings per second, lately.
  func text(rate: Double) -> String {
    var parts = [
      "\(grouped(received)) reading\(received == 1 ? "" : "s")",
      "\(rate < 100 ? fixed(rate, 1) : grouped(Int(rate.rounded())))/s",
    ]
    if let fill { parts.append("buffer \(fill) %") }
    let ago = sinceLoss.map { "\(fixed(max(0, $0), $0 < 10 ? 1 : 0)) s ago" }
    if lost == 0, let ago {
      // A number that nobody knows, as after the removal of a device.
      parts.append("last loss \(ago)")
    } else {
      parts.append("lost \(grouped(lost))" + (ago.map { ", the last \($0)" } ?? ""))
    }
    parts.append("\(fixed(seconds, 1)) s")
    return parts.joined(separator: ", ") + (isPaused ? ", paused" : "")
  }
}
