import SluiceDevices
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// Sources of pulses per second.
struct PPSDeviceKind: DeviceKind {
  let name = "pps"
  let title = "PPS"
  let sources: [any SourceKind.Type] = [PPSSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing { PPSListing(found: PPSDevice.list(roots: roots)) }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    let devices = PPSDevice.list(roots: surroundings.roots)
    return devices.isEmpty ? nil : devices.map { .read($0.path(surroundings.roots)) }
  }

  func name(of source: any SourceKind) -> String? { (source as? PPSSource)?.device }
}

struct PPSListing: DeviceListing {
  let found: [PPSDevice]
  var failures: [SluiceError] { [] }

  var blocks: [[String]] {
    guard !found.isEmpty else { return [] }
    return [
      ["PPS devices"] + table([["  device", "name", "line"]] + found.map { ["  \($0.id)", $0.name, $0.line ?? "-"] })
    ]
  }

  var devices: [ListedDevice] {
    found.map { ListedDevice(name: $0.id, what: $0.name, source: "\(PPSSource.name):\(number($0))") }
  }

  var sources: [ListedSource] { found.map { ListedSource(PPSSource.self, [number($0), $0.id], $0.name) } }

  private func number(_ device: PPSDevice) -> String { String(device.id.dropFirst("pps".count)) }

  var members: [(String, JSON)] {
    let devices = found.map {
      JSON.object([("id", .string($0.id)), ("name", .string($0.name)), ("line", JSON($0.line))])
    }
    return [("pps", .array(devices))]
  }
}
