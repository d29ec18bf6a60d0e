import SluiceDevices
import SluicePipeline
import SluiceReadings

/// Serial ports.
struct SerialPortKind: DeviceKind {
  let name = "serial"
  let title = "serial"
  let sources: [any SourceKind.Type] = [SerialSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    DeviceEntries(
      name, table: "serial ports", columns: ["port", "device"],
      SerialPorts.all(roots).map { port in
        // With the rate that most boards have.
        let source = "\(port.path)@115200"
        return DeviceEntries.Entry(
          text: [port.path, port.description],
          device: ListedDevice(name: port.path, what: port.description, source: "\(SerialSource.name):\(source)"),
          sources: [ListedSource(SerialSource.self, [source], port.description)],
          json: [("path", .string(port.path)), ("device", .string(port.description))])
      })
  }

  func files(_ surroundings: Surroundings) -> [DeviceFile]? {
    let ports = SerialPorts.all(surroundings.roots)
    return ports.isEmpty ? nil : ports.map { .read($0.path) }
  }
}
