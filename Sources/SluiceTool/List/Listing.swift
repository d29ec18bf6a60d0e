import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The devices of all kinds, for `sluice list`.
struct Listing {
  private let parts: [any DeviceListing]

  /// - Parameters:
  ///   - names: The names of the kinds to list; empty for all.
  ///   - kinds: The kinds that exist.
  init(_ names: Set<String> = [], roots: DeviceRoots, kinds: [any DeviceKind] = DeviceKinds.all) {
    parts = kinds.filter { names.isEmpty || names.contains($0.name) }.map { $0.list(roots) }
  }

  var devices: [ListedDevice] { parts.flatMap(\.devices) }

  var failures: [SluiceError] { parts.flatMap(\.failures) }

  /// A block of lines for each device.
  var text: String {
    var blocks = parts.flatMap(\.blocks)
    if blocks.isEmpty { blocks.append(["no device; 'sluice record sim:imu -o walk.csv' needs none"]) }
    return blocks.map(\.asLines).joined(separator: "\n")
  }

  /// The list in JSON. docs/List.md documents it: members are added, never renamed.
  var json: JSON {
    .object(parts.flatMap(\.members) + [("failures", .array(failures.map { .string($0.description) }))])
  }
}
