import SluicePipeline
import SluiceReadings

/// The state of a service, as `systemctl show` prints it.
struct ServiceState {
  /// The properties to ask for.
  static let properties = [
    "Id", "LoadState", "ActiveState", "SubState", "Result", "MainPID", "NRestarts", "StatusText",
    "ActiveEnterTimestamp", "InactiveEnterTimestamp", "UnitFileState", "ExecMainCode", "ExecMainStatus",
  ]

  private let values: [String: String]

  /// - Parameter output: Lines `Name=value`.
  init(_ output: String) {
    var values: [String: String] = [:]
    for line in output.split(separator: "\n") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      values[String(line[..<sign])] = String(line[line.index(after: sign)...])
    }
    self.values = values
  }

  private subscript(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty || $0 == "n/a" ? nil : $0 }
  }

  var unit: String { self["Id"] ?? "the service" }
  var isRunning: Bool { ["active", "reloading"].contains(self["ActiveState"]) }

  /// The state in sentences, each on a line.
  var text: String {
    let unit = unit
    if self["LoadState"] == "not-found" {
      return "\(unit): systemd has no such unit; the package, or make install, brings it\n"
    }
    var lines = [first(unit)]
    if let status = self["StatusText"], isRunning { lines.append("  \(status)") }
    if let restarts = self["NRestarts"].flatMap({ Int($0) }), restarts > 0 {
      lines.append("  restarted \(restarts == 1 ? "once" : "\(grouped(restarts)) times") since it was started")
    }
    if !isEnabled { lines.append("  it does not start with the machine: sudo systemctl enable \(unit)") }
    return lines.asLines
  }

  private var isEnabled: Bool { self["UnitFileState"].map { $0.hasPrefix("enabled") } ?? false }

  private func first(_ unit: String) -> String {
    let since = (isRunning ? self["ActiveEnterTimestamp"] : self["InactiveEnterTimestamp"]).map { " since \($0)" } ?? ""
    switch self["ActiveState"] {
    case "active":
      return "\(unit): running\(since)\(self["MainPID"].map { ", process \($0)" } ?? "")"
    case "reloading": return "\(unit): running, and reads its plan again"
    case "activating" where self["SubState"] == "auto-restart":
      return "\(unit): failed (\(cause)), and systemd will start it again"
    case "activating": return "\(unit): starting"
    case "deactivating": return "\(unit): ending"
    case "failed": return "\(unit): failed\(since) (\(cause))"
    default: return "\(unit): not running\(since)"
    }
  }

  private var cause: String {
    switch self["Result"] {
    case "exit-code": "exit status \(self["ExecMainStatus"] ?? "unknown")"
    case "signal": "ended by signal \(self["ExecMainStatus"] ?? "unknown")"
    case "watchdog": "its writer hung, so the watchdog ended it"
    case "oom-kill": "the machine had no memory left"
    case "start-limit-hit": "it was started too often"
    case let other?: other
    case nil: "unknown cause"
    }
  }
}
