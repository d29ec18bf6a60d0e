import SluiceDevices
import SluicePipeline
import SluiceReadings

/// Sources of pulses per second.
struct PPSDeviceKind: DeviceKind {
  let name = "pps"
  let title = "PPS"
  let sources: [any SourceKind.Type] = [PPSSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    DeviceEntries(
      name, table: "PPS devices", columns: ["device", "name", "line"],
      PPSDevice.list(roots: roots).map { device in
        let number = String(device.id.dropFirst("pps".count))
        return DeviceEntries.Entry(
          text: [device.id, device.name, device.line ?? "-"],
          device: ListedDevice(name: device.id, what: device.name, source: "\(PPSSource.name):\(number)"),
          sources: [ListedSource(PPSSource.self, [number, device.id], device.name)],
          json: [("id", .string(device.id)), ("name", .string(device.name)), ("line", JSON(device.line))])
      })
  }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    let devices = PPSDevice.list(roots: surroundings.roots)
    return devices.isEmpty ? nil : devices.map { .read($0.path(surroundings.roots)) }
  }

  func name(of source: any SourceKind) -> String? { (source as? PPSSource)?.device }
}
