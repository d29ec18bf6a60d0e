import SluicePipeline
import SluiceReadings

/// The output of `sluice` without a command: the devices of this machine, and the commands to try next.
struct Welcome {
  private let devices: [ListedDevice]
  /// The number of devices that are shown; `sluice list` shows all.
  private static let most = 8

  init(_ devices: [ListedDevice]) { self.devices = devices }

  var text: String {
    var lines = ["sluice \(SluicePipeline.version) records sensors, and replays recordings.", ""]
    if devices.isEmpty {
      lines.append("This machine has no GPIO chip, IIO device, hardware monitor or thermal zone.")
      lines.append("A simulated sensor is on every machine:")
    } else {
      lines.append("This machine has:")
      lines += table(
        devices.prefix(Self.most).map { ["  \($0.name)", $0.what, $0.source.map { "source \($0)" } ?? "in use"] })
      if devices.count > Self.most { lines.append("  and \(devices.count - Self.most) more") }
      lines.append("")
      lines.append("Try next:")
    }
    lines += table(next.map { ["  \($0.command)", "# \($0.what)"] })
    lines += ["", "All commands: sluice --help"]
    return lines.asLines
  }

  private var next: [(command: String, what: String)] {
    guard let source = devices.lazy.compactMap(\.source).first else {
      return [
        ("sluice record sim:imu --duration 5s -o walk.csv", "five seconds of acceleration"),
        ("sluice info walk.csv", "rates, gaps, values"),
        ("sluice plot walk.csv", "a picture in the terminal"),
      ]
    }
    return [
      ("sluice record \(source) --duration 10s -o first.csv", "ten seconds of the first one"),
      ("sluice plot first.csv", "a picture in the terminal"),
      ("sluice list", "lines, channels and sensors"),
    ]
  }
}
