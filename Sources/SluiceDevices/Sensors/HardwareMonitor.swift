public import SluiceReadings

/// A chip of the kernel's hardware monitoring: temperatures, voltages and fans of the board.
public struct HardwareMonitor: Hashable, Sendable {
  /// A sensor of a chip.
  public struct Sensor: Hashable, Sendable {
    /// The kernel's name: `temp1`.
    public var name: String
    /// The label from the board.
    public var label: String?
    /// The unit of its file (Documentation/hwmon/sysfs-interface.rst).
    public var unit: String
    /// The value; nil if it could not be read.
    public var value: ExactDecimal?
    /// The error if it could not be read.
    public var failure: SluiceError?
    /// The path of its file, for polling.
    public var path: String
  }

  /// The kernel's name: `hwmon0`
  public var id: String
  /// The name of the chip from its driver: `cpu_thermal`.
  public var name: String
  /// Its sensors.
  public var sensors: [Sensor]

  /// All chips of this machine, in the order of their numbers.
  ///
  /// ```swift
  /// for monitor in HardwareMonitor.list() { print(monitor.name, monitor.sensors.map(\.name)) }
  /// ```
  ///
  /// It reads every sensor once. Some chips take milliseconds for that.
  public static func list(roots: DeviceRoots = DeviceRoots()) -> [HardwareMonitor] {
    let all = SysfsFolder(path: "\(roots.sys)/class/hwmon")
    return numberedEntries(all.path, "hwmon").map { HardwareMonitor(id: $0, folder: all.folder($0)) }
  }

  init(id: String, folder: SysfsFolder) {
    self.id = id
    name = folder.readIfPresent("name") ?? id
    sensors = []
    for file in folder.entries {
      guard let (sensor, attribute) = Self.split(file), attribute == "input" || attribute == "average",
        let unit = Self.unit(sensor), !sensors.contains(where: { $0.name == sensor })
      else { continue }
      // A power meter has an average, a current value, or both.
      let path = "\(folder.path)/\(folder.has("\(sensor)_input") ? "\(sensor)_input" : file)"
      let (value, failure) = PolledAttributes.value(path)
      sensors.append(
        Sensor(
          name: sensor, label: folder.readIfPresent("\(sensor)_label"), unit: unit, value: value, failure: failure,
          path: path))
    }
    sensors.sort { ($0.name.utf8.count, $0.name) < ($1.name.utf8.count, $1.name) }
  }

  /// Splits `temp1_input` into `temp1` and `input`.
  static func split(_ file: String) -> (sensor: String, attribute: String)? {
    let parts = file.split(separator: "_", omittingEmptySubsequences: false)
    return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
  }

  /// The unit by the letters before a sensor's number; nil if it is not a sensor
  /// (Documentation/hwmon/sysfs-interface.rst, and for freq Documentation/gpu/amdgpu/thermal.rst).
  static func unit(_ sensor: String) -> String? {
    let type = sensor.prefix { $0.isLetter }
    let number = sensor[type.endIndex...]
    guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return switch type {
    case "in": "mV"
    case "curr": "mA"
    case "temp": "m°C"
    case "fan": "RPM"
    case "power": "uW"
    case "energy": "uJ"
    case "humidity": "m%"
    case "freq": "Hz"
    default: nil
    }
  }
}
