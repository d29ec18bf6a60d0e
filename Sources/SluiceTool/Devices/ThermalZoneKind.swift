import SluiceDevices
@_spi(Preview) import SluicePipeline
import SluiceReadings

/// The zones whose temperatures the kernel watches. Every user may poll them.
struct ThermalZoneKind: DeviceKind {
  let name = "thermal"
  let title = "thermal zone"
  let sources: [any SourceKind.Type] = [PolledSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing { ThermalZoneListing(zones: ThermalZone.list(roots: roots)) }
}

private struct ThermalZoneListing: DeviceListing {
  let zones: [ThermalZone]

  var failures: [SluiceError] { zones.compactMap(\.failure) }

  var blocks: [[String]] {
    guard !zones.isEmpty else { return [] }
    let rows = zones.map { ["  \($0.id)", $0.type, text($0.value), "m°C", $0.path] }
    return [["thermal zones"] + table([["  zone", "type", "value", "unit", "poll"]] + rows, numbers: { $0 == 2 })]
  }

  var devices: [ListedDevice] {
    zones.map { ListedDevice(name: $0.id, what: $0.type, source: $0.value == nil ? nil : "poll:\($0.path)@1s") }
  }

  var sources: [ListedSource] {
    let names = uniqueNames(zones.map { (name: $0.type, id: $0.id) })
    return zip(zones, names).filter { $0.0.value != nil }.map {
      ListedSource(PolledSource.self, ["thermal:\($1)"], $0.id)
    }
  }

  var members: [(String, JSON)] {
    let zones = zones.map {
      JSON.object([
        ("id", .string($0.id)), ("type", .string($0.type)), ("unit", .string("m°C")), ("value", json($0.value)),
        ("path", .string($0.path)),
      ])
    }
    return [("thermal", .array(zones))]
  }
}
