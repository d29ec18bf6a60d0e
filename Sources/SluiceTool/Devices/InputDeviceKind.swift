import SluiceDevices
import SluicePipeline
import SluiceReadings

/// Input devices: buttons, rotary encoders, touchscreens.
struct InputDeviceKind: DeviceKind {
  let name = "input"
  let title = "input"
  let sources: [any SourceKind.Type] = [InputSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    let devices = InputDevice.list(roots: roots)
    return DeviceEntries(
      name, blocks: zip(devices, uniqueNames(devices.map { (name: $0.name, id: $0.id) })).map(entry))
  }

  /// - Parameter unique: The name, or the id if the name is not unique.
  private func entry(_ device: InputDevice, _ unique: String) -> DeviceEntries.Entry {
    let (title, what) = ("\(device.id) [\(device.name)]", count(device.codes.count, "code"))
    // Other names would be taken apart by a shell or as a source.
    let isPlain = unique.utf8.allSatisfy { $0 > 0x20 && !"'\"\\$`*?;&|<>(),:=".utf8.contains($0) }
    let name = isPlain ? unique : device.id
    let parts = device.codes.map { ListedSource.Part(name: $0.name, what: device.name) }
    return DeviceEntries.Entry(
      text: ["\(title) \(what)"] + lines(device.codes.map(\.name)),
      device: ListedDevice(name: title, what: what, source: parts.isEmpty ? nil : "\(InputSource.name):\(name)"),
      sources: parts.isEmpty ? [] : [ListedSource(InputSource.self, [name, device.id], what, parts)],
      json: [
        ("id", .string(device.id)), ("name", .string(device.name)), ("physical", JSON(device.physical)),
        ("codes", .array(device.codes.map { .string($0.name) })),
      ])
  }

  /// A keyboard has more than a hundred keys.
  private func lines(_ names: [String]) -> [String] {
    var lines: [String] = []
    for name in names {
      if let last = lines.last, last.count + name.count < 98 {
        lines[lines.count - 1] += ", \(name)"
      } else {
        lines.append("  \(name)")
      }
    }
    return lines
  }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    let devices = InputDevice.list(roots: surroundings.roots)
    return devices.isEmpty ? nil : devices.map { .read($0.path(surroundings.roots)) }
  }

  func name(of source: any SourceKind) -> String? { (source as? InputSource)?.device.text }
}
