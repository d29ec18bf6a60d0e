import SluiceReadings

extension RecordingStanding {
  /// A line for a terminal or a log: `12,345 readings, 998/s, buffer 3 %, lost 18, the last 2.1 s ago, 12.4 s`.
  ///
  /// If the window is too narrow, whole parts are left out, the least important first.
  /// - Parameters:
  ///   - rate: The present rate in readings per second.
  ///   - keys: The keys of the terminal, if there are any.
  ///   - columns: The width of the window.
  package func text(rate: Double, keys: String = "", columns: Int = .max) -> String {
    let ago = sinceLoss.map { "\(fixed(max(0, $0), $0 < 10 ? 1 : 0)) s ago" }
    // The parts, with the order in which they are left out; nil for a part that stays.
    let parts: [(text: String?, leftOut: Int?)] = [
      (isPaused ? "paused" : nil, nil),
      ("\(grouped(received)) reading\(received == 1 ? "" : "s")", 5),
      ("\(rate < 100 ? fixed(rate, 1) : grouped(Int(rate.rounded())))/s", 2),
      (fill.map { "buffer \($0) %" }, 3),
      (losses(since: ago), nil),
      (lost > 0 ? ago.map { "the last \($0)" } : nil, 1),
      ("\(fixed(seconds, 1)) s", 0),
    ]
    func line(leavingOut count: Int) -> String {
      let left = parts.filter { ($0.leftOut ?? .max) >= count }.compactMap(\.text).joined(separator: ", ")
      return left + (count > 4 || keys.isEmpty ? "" : " (\(keys))")
    }
    return (0...6).lazy.map(line).first { $0.count < columns } ?? line(leavingOut: 6)
  }

  private func losses(since ago: String?) -> String {
    if lost > 0 { return "lost \(grouped(lost))" }
    // The number of readings that the removal of a device costs is unknown.
    if let ago { return "last loss \(ago)" }
    return lossesShow ? "lost 0" : "losses cannot be seen"
  }
}
