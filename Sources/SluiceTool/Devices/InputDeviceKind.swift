import SluiceDevices
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// Input devices: buttons, rotary encoders, touchscreens.
struct InputDeviceKind: DeviceKind {
  let name = "input"
  let title = "input"
  let sources: [any SourceKind.Type] = [InputSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing { InputListing(devices: InputDevice.list(roots: roots)) }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    let devices = InputDevice.list(roots: surroundings.roots)
    return devices.isEmpty ? nil : devices.map { .read($0.path(surroundings.roots)) }
  }

  func name(of source: any SourceKind) -> String? { (source as? InputSource)?.device.text }
}

struct InputListing: DeviceListing {
  let devicesFound: [InputDevice]
  var failures: [SluiceError] { [] }

  init(devices: [InputDevice]) { devicesFound = devices }

  var blocks: [[String]] {
    devicesFound.map { device in
      ["\(device.id) [\(device.name)] \(what(device))"] + lines(device.codes.map(\.name))
    }
  }

  private func what(_ device: InputDevice) -> String { count(device.codes.count, "code") }

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

  /// The name of each device, or its id if the name is not unique, or would be taken apart by a shell or as a source.
  private var names: [String] {
    let isPlain = { (name: String) in name.utf8.allSatisfy { $0 > 0x20 && !"'\"\\$`*?;&|<>(),:=".utf8.contains($0) } }
    return zip(devicesFound, uniqueNames(devicesFound.map { (name: $0.name, id: $0.id) })).map { device, name in
      isPlain(name) ? name : device.id
    }
  }

  var devices: [ListedDevice] {
    zip(devicesFound, names).map { device, name in
      ListedDevice(
        name: "\(device.id) [\(device.name)]", what: what(device),
        source: device.codes.isEmpty ? nil : "\(InputSource.name):\(name)")
    }
  }

  var sources: [ListedSource] {
    zip(devicesFound, names).filter { !$0.0.codes.isEmpty }.map { device, name in
      ListedSource(
        InputSource.self, [name, device.id], what(device),
        device.codes.map { ListedSource.Part(name: $0.name, what: device.name) })
    }
  }

  var members: [(String, JSON)] {
    let devices = devicesFound.map {
      JSON.object([
        ("id", .string($0.id)), ("name", .string($0.name)), ("physical", JSON($0.physical)),
        ("codes", .array($0.codes.map { .string($0.name) })),
      ])
    }
    return [("input", .array(devices))]
  }
}
