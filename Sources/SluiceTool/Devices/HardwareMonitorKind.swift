import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The chips of the kernel's hardware monitoring. Every user may poll their sensors.
struct HardwareMonitorKind: DeviceKind {
  let name = "hwmon"
  let title = "hardware monitor"
  let sources: [any SourceKind.Type] = [PolledSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    let monitors = HardwareMonitor.list(roots: roots)
    let names = uniqueNames(monitors.map { (name: $0.name, id: $0.id) })
    return DeviceEntries(
      name, blocks: zip(monitors, names).map(entry), failures: monitors.flatMap { $0.sensors.compactMap(\.failure) })
  }

  private func entry(_ monitor: HardwareMonitor, _ name: String) -> DeviceEntries.Entry {
    let rows = monitor.sensors.map { ["  \($0.name)", $0.label ?? "-", text($0.value), $0.unit, $0.path] }
    let (title, what) = ("\(monitor.id) [\(monitor.name)]", count(monitor.sensors.count, "sensor"))
    let sensors = monitor.sensors.map {
      JSON.object([
        ("name", .string($0.name)), ("label", JSON($0.label)), ("unit", .string($0.unit)), ("value", json($0.value)),
        ("path", .string($0.path)),
      ])
    }
    return DeviceEntries.Entry(
      text: ["\(title) \(what)"]
        + (rows.isEmpty ? [] : table([["  sensor", "label", "value", "unit", "poll"]] + rows, numbers: { $0 == 2 })),
      device: ListedDevice(
        name: title, what: what, source: monitor.sensors.first { $0.value != nil }.map { "poll:\($0.path)@1s" }),
      sources: monitor.sensors.filter { $0.value != nil && $0.path.hasSuffix("_input") }.map {
        ListedSource(PolledSource.self, ["hwmon:\(name):\($0.name)"], "\($0.label ?? monitor.name), \($0.unit)")
      },
      json: [("id", .string(monitor.id)), ("name", .string(monitor.name)), ("sensors", .array(sensors))])
  }
}
