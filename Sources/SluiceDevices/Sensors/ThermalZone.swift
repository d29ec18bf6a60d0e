public import SluiceReadings

/// A temperature that the kernel monitors: on a Raspberry Pi that of the processor.
public struct ThermalZone: Hashable, Sendable {
  /// The kernel's name: `thermal_zone0`
  public var id: String
  /// The type of the zone: `cpu-thermal`.
  public var type: String
  /// The value in thousandths of a degree Celsius (Documentation/driver-api/thermal/sysfs-api.rst); nil if it cannot be
  /// read.
  public var value: ExactDecimal?
  /// The error if it cannot be read.
  public var failure: SluiceError?
  /// The path of its file, for polling.
  public var path: String

  /// All zones of this machine, in the order of their numbers.
  ///
  /// ```swift
  /// for zone in ThermalZone.list() { print(zone.type, zone.path) }
  /// ```
  public static func list(roots: DeviceRoots = DeviceRoots()) -> [ThermalZone] {
    let all = SysfsFolder(path: "\(roots.sys)/class/thermal")
    return numberedEntries(all.path, "thermal_zone").map { id in
      let folder = all.folder(id)
      let path = "\(folder.path)/temp"
      let (value, failure) = PolledAttributes.value(path)
      return ThermalZone(
        id: id, type: folder.readIfPresent("type") ?? id, value: value, failure: failure, path: path)
    }
  }
}
