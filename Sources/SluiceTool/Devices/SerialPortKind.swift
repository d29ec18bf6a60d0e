import SluiceDevices
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// Serial ports.
struct SerialPortKind: DeviceKind {
  let name = "serial"
  let title = "serial"
  let sources: [any SourceKind.Type] = [SerialSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing { SerialPortListing(found: SerialPorts.all(roots)) }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    let ports = SerialPorts.all(surroundings.roots)
    return ports.isEmpty ? nil : ports.map { .read($0.path) }
  }
}

struct SerialPortListing: DeviceListing {
  let found: [SerialPorts.Port]
  var failures: [SluiceError] { [] }

  var blocks: [[String]] {
    guard !found.isEmpty else { return [] }
    return [["serial ports"] + table([["  port", "device"]] + found.map { ["  \($0.path)", $0.description] })]
  }

  var devices: [ListedDevice] {
    found.map { ListedDevice(name: $0.path, what: $0.description, source: "\(SerialSource.name):\(source($0))") }
  }

  var sources: [ListedSource] { found.map { ListedSource(SerialSource.self, [source($0)], $0.description) } }

  /// With the rate that most boards have.
  private func source(_ port: SerialPorts.Port) -> String { "\(port.path)@115200" }

  var members: [(String, JSON)] {
    let ports = found.map { JSON.object([("path", .string($0.path)), ("device", .string($0.description))]) }
    return [("serial", .array(ports))]
  }
}
