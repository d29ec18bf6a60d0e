import SluicePipeline
import SluiceReadings

/// What `sluice list` found of one kind of device.
protocol DeviceListing {
  /// Lines that stand together, such as those of one device.
  var blocks: [[String]] { get }
  /// Each in one line, for `sluice` alone.
  var devices: [ListedDevice] { get }
  /// Documented in docs/List.md: members are added, never renamed.
  var members: [(String, JSON)] { get }
  /// Why some devices are not shown.
  var failures: [SluiceError] { get }
}

extension DeviceListing {
  func count(_ count: Int, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }

  func text(_ value: ExactDecimal?) -> String { value.flatMap { $0.isMissing ? nil : $0.description } ?? "-" }

  func json(_ value: ExactDecimal?) -> JSON {
    value.flatMap { $0.isMissing ? nil : .number($0.description) } ?? .null
  }
}
