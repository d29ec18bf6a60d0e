import SluiceDevices
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// The chips of the kernel's hardware monitoring. Every user may poll their sensors.
struct HardwareMonitorKind: DeviceKind {
  let name = "hwmon"
  let title = "hardware monitor"
  let sources: [any SourceKind.Type] = [PolledSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    HardwareMonitorListing(monitors: HardwareMonitor.list(roots: roots))
  }
}

private struct HardwareMonitorListing: DeviceListing {
  let monitors: [HardwareMonitor]

  var failures: [SluiceError] { monitors.flatMap { $0.sensors.compactMap(\.failure) } }

  var blocks: [[String]] {
    monitors.map { monitor in
      let rows = monitor.sensors.map { ["  \($0.name)", $0.label ?? "-", text($0.value), $0.unit, $0.path] }
      return ["\(monitor.id) [\(monitor.name)] \(count(monitor.sensors.count, "sensor"))"]
        + (rows.isEmpty ? [] : table([["  sensor", "label", "value", "unit", "poll"]] + rows, numbers: { $0 == 2 }))
    }
  }

  var devices: [ListedDevice] {
    monitors.map { monitor in
      ListedDevice(
        name: "\(monitor.id) [\(monitor.name)]", what: count(monitor.sensors.count, "sensor"),
        source: monitor.sensors.first { $0.value != nil }.map { "poll:\($0.path)@1s" })
    }
  }

  var sources: [ListedSource] {
    let names = uniqueNames(monitors.map { (name: $0.name, id: $0.id) })
    return zip(monitors, names).flatMap { monitor, name in
      monitor.sensors.filter { $0.value != nil && $0.path.hasSuffix("_input") }.map {
        ListedSource(PolledSource.self, ["hwmon:\(name):\($0.name)"], "\($0.label ?? monitor.name), \($0.unit)")
      }
    }
  }

  var members: [(String, JSON)] { [("hwmon", .array(monitors.map(json)))] }

  private func json(_ monitor: HardwareMonitor) -> JSON {
    let sensors = monitor.sensors.map {
      JSON.object([
        ("name", .string($0.name)), ("label", JSON($0.label)), ("unit", .string($0.unit)), ("value", json($0.value)),
        ("path", .string($0.path)),
      ])
    }
    return .object([("id", .string(monitor.id)), ("name", .string(monitor.name)), ("sensors", .array(sensors))])
  }
}
