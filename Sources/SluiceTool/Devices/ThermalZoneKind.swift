import SluiceDevices
import SluicePipeline
import SluiceReadings

/// The zones whose temperatures the kernel watches. Every user may poll them.
struct ThermalZoneKind: DeviceKind {
  let name = "thermal"
  let title = "thermal zone"
  let sources: [any SourceKind.Type] = [PolledSource.self]

  func list(_ roots: DeviceRoots) -> any DeviceListing {
    let zones = ThermalZone.list(roots: roots)
    let names = uniqueNames(zones.map { (name: $0.type, id: $0.id) })
    return DeviceEntries(
      name, table: "thermal zones", columns: ["zone", "type", "value", "unit", "poll"],
      zip(zones, names).map { zone, name in
        let isRead = zone.value != nil
        return DeviceEntries.Entry(
          text: [zone.id, zone.type, text(zone.value), "m°C", zone.path],
          device: ListedDevice(name: zone.id, what: zone.type, source: isRead ? "poll:\(zone.path)@1s" : nil),
          sources: isRead ? [ListedSource(PolledSource.self, ["thermal:\(name)"], zone.id)] : [],
          json: [
            ("id", .string(zone.id)), ("type", .string(zone.type)), ("unit", .string("m°C")),
            ("value", json(zone.value)), ("path", .string(zone.path)),
          ])
      }, failures: zones.compactMap(\.failure), numbers: { $0 == 2 })
  }
}
