public import SluiceReadings

/// One temperature that the kernel guards: on a Raspberry Pi that of the processor.
public struct ThermalZone: Hashable, Sendable {
  /// `thermal_zone0`
  public var id: String
  /// What it is of, `cpu-thermal`.
  public var type: String
  /// In thousandths of a degree Celsius (Documentation/driver-api/thermal/sysfs-api.rst); nil where it cannot be read.
  public var value: ExactDecimal?
  /// Why not.
  public var failure: SluiceError?
  /// Its file, which can be polled.
  public var path: String

  /// All of this machine, in the order of their numbers.
  ///
  /// ```swift
  /// for zone in ThermalZone.list() { print(zone.type, zone.path) }
  /// ```
  public static func list(roots: DeviceRoots = DeviceRoots()) -> [ThermalZone] {
    let all = SysfsFolder(path: "\(roots.sys)/class/thermal")
    return all.entries.filter { $0.hasPrefix("thermal_zone") }
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
      .map { id in
        let folder = all.folder(id)
        let path = "\(folder.path)/temp"
        let (value, failure) = PolledAttributes.value(path)
        return ThermalZone(
          id: id, type: folder.readIfPresent("type") ?? id, value: value, failure: failure, path: path)
      }
  }
}
