public import SluiceReadings

/// A channel of an IIO device that its buffer can contain.
public struct IIOChannel: Hashable, Sendable {
  /// The kernel's name without its direction: `accel_x`, `voltage0`, `voltage1-voltage2`.
  public var name: String
  /// Its index in a scan.
  public var index: Int
  /// Its format in the kernel's notation.
  public var format: String
  /// The unit; nil if none is known.
  public var unit: String?
  /// The factor for a raw value after the offset was added.
  public var scale: ExactDecimal
  /// The offset of a raw value.
  public var offset: ExactDecimal

  /// The prefix of its files in sysfs.
  var element: String { "in_\(name)" }

  /// - Parameters:
  ///   - element: The prefix of its files, such as `in_accel_x`.
  ///   - device: The folder with scale and offset.
  init(element: String, elements: SysfsFolder, device: SysfsFolder) throws(SluiceError) {
    name = String(element.dropFirst("in_".count))
    format = try elements.read("\(element)_type")
    let index = try elements.read("\(element)_index")
    guard let number = Int(index), number >= 0, number < 4_096 else {
      throw SluiceError(
        .malformed, "read", "\(elements.path)/\(element)_index", because: "\"\(index)\" is no index of a channel",
        remedy: SysfsFolder.malformedRemedy)
    }
    self.index = number
    unit = Self.unit(name)
    scale = try Self.decimal("scale", name, device) ?? .one
    offset = try Self.decimal("offset", name, device) ?? .zero
  }

  /// The type of the quantity: the first word of the name.
  static func type(_ name: String) -> String { String(name.prefix { $0.isLetter }) }

  /// An attribute of the channel itself, or one that it shares by type, by direction or with all channels
  /// (`__iio_device_attr_init` in drivers/iio/industrialio-core.c).
  static func decimal(_ attribute: String, _ name: String, _ device: SysfsFolder) throws(SluiceError)
    -> ExactDecimal?
  {
    let type = type(name)
    var files = ["in_\(name)_\(attribute)"]
    if name.contains("-") { files.append("in_\(type)-\(type)_\(attribute)") }
    files += ["in_\(type)_\(attribute)", "in_\(attribute)", attribute]
    guard let file = files.first(where: device.has) else { return nil }
    let text = try device.read(file)
    guard let value = ExactDecimal(text) else {
      throw SluiceError(
        .malformed, "read", "\(device.path)/\(file)", because: "\"\(text)\" is not a number",
        remedy: SysfsFolder.malformedRemedy)
    }
    return value
  }

  /// The unit of a channel after scaling (Documentation/ABI/testing/sysfs-bus-iio).
  static func unit(_ name: String) -> String? {
    switch type(name) {
    case "accel", "gravity": "m/s^2"
    case "anglvel": "rad/s"
    case "angl", "deltaangl", "phase": "rad"
    case "incli": "deg"
    case "rot" where name.contains("from_north"): "deg"
    case "deltavelocity", "velocity": "m/s"
    case "magn": "Gauss"
    case "voltage", "altvoltage": "mV"
    case "current", "altcurrent": "mA"
    case "power": "mW"
    case "energy": "J"
    case "temp": "m°C"
    case "colortemp": "K"
    case "pressure": "kPa"
    case "humidityrelative", "positionrelative": "m%"
    case "illuminance": "lx"
    case "distance": "m"
    case "resistance": "Ohm"
    case "capacitance": "nF"
    case "concentration", "activity": "%"
    case "massconcentration": "ug/m^3"
    case "electricalconductivity": "S/m"
    case "timestamp": "ns"
    default: nil
    }
  }
}
