import Sluice
public import SluiceReadings
import SluiceSystem

/// Finds files that contain one number, and the meaning of the number.
public enum PolledAttributes {
  /// The file for a name. Any other text is already a path.
  ///
  /// | name | file |
  /// |---|---|
  /// | `hwmon:CHIP:SENSOR` | `/sys/class/hwmon/hwmonN/SENSOR_input` of the chip of that name; SENSOR may be its label |
  /// | `thermal:TYPE` | `/sys/class/thermal/thermal_zoneN/temp` of the zone of that type |
  /// | `iio:DEVICE:CHANNEL` | `in_CHANNEL_input` of the device, or `in_CHANNEL_raw` |
  ///
  /// If several chips or zones have the same name, use `hwmonN` or `thermal_zoneN` instead.
  public static func path(of name: String, roots: DeviceRoots = DeviceRoots()) throws(SluiceError) -> String {
    let parts = name.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, !name.hasPrefix("/") else { return name }
    switch parts[0] {
    case "hwmon" where parts.count == 3:
      let chips = SysfsFolder(path: "\(roots.sys)/class/hwmon")
      return try sensor(parts[2], of: try folder(parts[1], called: "name", in: chips, "hwmon", "hardware monitor"))
    case "thermal" where parts.count == 2:
      let zones = SysfsFolder(path: "\(roots.sys)/class/thermal")
      return "\(try folder(parts[1], called: "type", in: zones, "thermal_zone", "thermal zone").path)/temp"
    case "iio" where parts.count >= 3:
      let device = try IIODevice.find(parts[1..<(parts.count - 1)].joined(separator: ":"), roots: roots)
      return try oneShot(parts[parts.count - 1], of: device)
    default: return name
    }
  }

  private static func folder(
    _ name: String, called file: String, in bus: SysfsFolder, _ prefix: String, _ kind: String
  ) throws(SluiceError) -> SysfsFolder {
    let all = bus.entries.filter { $0.hasPrefix(prefix) }
    if all.contains(name) { return bus.folder(name) }
    let found = all.filter { bus.folder($0).readIfPresent(file) == name }
    if let id = found.first, found.count == 1 { return bus.folder(id) }
    guard found.isEmpty else {
      throw SluiceError(
        .usage, "poll", "the \(kind) \(name)", because: "\(found.count) have that \(file)",
        remedy: "name one of \(found.joined(separator: ", "))")
    }
    let known = all.compactMap { bus.folder($0).readIfPresent(file) }
    throw SluiceError(
      .notFound, "poll", "the \(kind) \(name)", because: "there is no \(kind) of this \(file)",
      remedy: known.isEmpty ? "this machine has no \(kind)" : "there is \(known.joined(separator: ", "))")
  }

  private static func sensor(_ name: String, of chip: SysfsFolder) throws(SluiceError) -> String {
    let sensors = chip.entries.filter { $0.hasSuffix("_input") }.map { String($0.dropLast("_input".count)) }
    let found =
      sensors.contains(name) ? [name] : sensors.filter { chip.readIfPresent("\($0)_label") == name }
    guard let sensor = found.first, found.count == 1 else {
      throw SluiceError(
        found.isEmpty ? .notFound : .usage, "poll", "sensor \(name) of \(chip.path)",
        because: found.isEmpty ? "there is no such sensor" : "\(found.count) have that label",
        remedy: "its sensors are \(sensors.joined(separator: ", "))")
    }
    return "\(chip.path)/\(sensor)_input"
  }

  private static func oneShot(_ channel: String, of device: IIODevice) throws(SluiceError) -> String {
    let folder = device.folder
    let bare = channel.hasPrefix("in_") ? String(channel.dropFirst("in_".count)) : channel
    for file in ["in_\(bare)_input", "in_\(bare)_raw"] where folder.has(file) { return "\(folder.path)/\(file)" }
    let known = folder.entries.filter { $0.hasPrefix("in_") && ($0.hasSuffix("_raw") || $0.hasSuffix("_input")) }
    throw SluiceError(
      .notFound, "poll", "channel \(channel) of \(device.title)", because: "there is no such channel",
      remedy: known.isEmpty ? "it has none to be polled" : "it has \(known.joined(separator: ", "))")
  }

  /// The number in a file, or the error.
  static func value(_ path: String) -> (value: ExactDecimal?, failure: SluiceError?) {
    do throws(SluiceError) { return (try Publishers.PolledAttribute.value(path), nil) } catch { return (nil, error) }
  }

  // MARK: Description

  /// The channel for the number in a file, as far as its name shows.
  static func channel(_ path: String) throws(SluiceError) -> StreamDescription.Channel {
    let names = path.split(separator: "/").map(String.init)
    var channel = StreamDescription.Channel(name: "value")
    guard names.count > 1, let file = names.last else { return channel }
    let folder = names[names.count - 2]
    if folder.hasPrefix("hwmon") {
      channel.unit = hwmonUnit(file)
    } else if folder.hasPrefix("thermal_zone"), file == "temp" {
      channel.unit = "m°C"
    } else if folder.hasPrefix("iio:device"), file.hasPrefix("in_") {
      try describe(&channel, file, SysfsFolder(path: String(path.dropLast(file.count + 1))))
    }
    return channel
  }

  /// The folder of a file, and the name of its owner, because the owner's number may change at the next boot.
  private static func owner(_ path: String) -> (folder: SysfsFolder, name: String?) {
    let slash = path.lastIndex(of: "/")
    let folder = SysfsFolder(path: slash.map { String(path[..<$0]) } ?? ".")
    let id = fileName(of: folder.path)
    let file =
      id.hasPrefix("hwmon") || IIOChange.isDevice(id) ? "name" : id.hasPrefix("thermal_zone") ? "type" : nil
    return (folder, file.flatMap { folder.readIfPresent($0) }.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The name of the stream for a file: with its owner, `cpu-thermal/temp`, or the last two parts of the path.
  static func streamName(_ path: String) -> String {
    let parts = path.split(separator: "/").suffix(2)
    guard let name = owner(path).name, let file = parts.last else { return parts.joined(separator: "/") }
    return "\(name)/\(file)"
  }

  /// The device of a file.
  static func device(_ path: String) -> StreamDescription.Device {
    let (folder, name) = owner(path)
    return StreamDescription.Device(
      path: path, bus: folder.busIdentity, label: folder.readIfPresent("label"), name: name)
  }

  /// Describes a channel. An `*_input` is already scaled.
  private static func describe(
    _ channel: inout StreamDescription.Channel, _ file: String, _ folder: SysfsFolder
  ) throws(SluiceError) {
    for ending in ["_raw", "_input"] where file.hasSuffix(ending) {
      let name = String(file.dropFirst("in_".count).dropLast(ending.count))
      channel.unit = IIOChannel.unit(name)
      guard ending == "_raw" else { return }
      channel.scale = try IIOChannel.decimal("scale", name, folder) ?? .one
      channel.offset = try IIOChannel.decimal("offset", name, folder) ?? .zero
    }
  }

  private static func hwmonUnit(_ file: String) -> String? {
    guard let (sensor, attribute) = HardwareMonitor.split(file),
      ["input", "average", "lowest", "highest", "min", "max", "crit"].contains(attribute)
    else { return nil }
    return HardwareMonitor.unit(sensor)
  }
}
