import SluicePipeline
import SluiceReadings

/// What `sluice list` found of one kind of device.
protocol DeviceListing {
  /// Lines that stand together, such as those of one device.
  var blocks: [[String]] { get }
  /// Each in one line, for `sluice` alone.
  var devices: [ListedDevice] { get }
  /// What can be recorded of them, for the completions of a shell.
  var sources: [ListedSource] { get }
  /// Documented in docs/List.md: members are added, never renamed.
  var members: [(String, JSON)] { get }
  /// Why some devices are not shown.
  var failures: [SluiceError] { get }
}

extension DeviceListing {
  var sources: [ListedSource] { [] }

  func count(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

  /// The names of devices, and the ids of those that share a name.
  func uniqueNames(_ devices: [(name: String, id: String)]) -> [String] {
    devices.map { device in
      devices.filter { $0.name == device.name || $0.id == device.name }.count == 1 ? device.name : device.id
    }
  }

  func text(_ value: ExactDecimal?) -> String { value.flatMap { $0.isMissing ? nil : $0.description } ?? "-" }

  func json(_ value: ExactDecimal?) -> JSON {
    value.flatMap { $0.isMissing ? nil : .number($0.description) } ?? .null
  }
}
