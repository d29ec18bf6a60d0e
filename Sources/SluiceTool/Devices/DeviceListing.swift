import SluicePipeline
import SluiceReadings

/// The devices of one kind, for `sluice list`.
protocol DeviceListing {
  /// Blocks of lines, such as one for each device.
  var blocks: [[String]] { get }
  /// The devices, each in one line, for `sluice` without a command.
  var devices: [ListedDevice] { get }
  /// The sources that the devices offer, for the completions of a shell.
  var sources: [ListedSource] { get }
  /// The members in JSON. docs/List.md documents them: members are added, never renamed.
  var members: [(String, JSON)] { get }
  /// The errors of devices that are not shown.
  var failures: [SluiceError] { get }
}

extension DeviceListing {
  var sources: [ListedSource] { [] }

  func count(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

  /// The name of each device, or its id if another device has the same name.
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
