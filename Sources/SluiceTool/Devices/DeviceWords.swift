import SluicePipeline
import SluiceReadings

/// The words for devices that kinds and listings share.
protocol DeviceWords {}

extension DeviceWords {
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
