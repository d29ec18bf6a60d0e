/// The identifier of an event from the kernel, and its name in sysfs.
///
/// As in include/uapi/linux/iio/events.h. The names are those of include/uapi/linux/iio/types.h, in the form that
/// drivers/iio/industrialio-core.c and industrialio-event.c write.
struct IIOEventCode: Equatable {
  let id: UInt64

  private var channel: Int16 { Int16(truncatingIfNeeded: id) }
  private var channel2: Int16 { Int16(truncatingIfNeeded: id >> 16) }
  private var isDifferential: Bool { id >> 55 & 1 == 1 }
  private var channelType: String? { Self.name(Self.channelTypes, id >> 32 & 0xff) }
  private var modifier: String? { Self.name(Self.modifiers, id >> 40 & 0xff) }
  private var eventType: String? { Self.name(Self.eventTypes, id >> 56) }
  private var direction: UInt64 { id >> 48 & 0x7f }

  /// The value of its readings: 1 for rising or a single tap, -1 for falling, 2 for a double tap, 0 without a
  /// direction.
  var value: Int64 {
    switch direction {
    case 1, 4: 1
    case 2: -1
    case 5: 2
    default: 0
    }
  }

  /// Its possible names in sysfs without `in_`, the most likely first. A file may be for one channel or for all of a
  /// type, and for one direction or for either.
  var names: [String] {
    guard let channelType, let eventType else { return [] }
    let modifier = modifier.map { "_\($0)" } ?? ""
    let bases =
      isDifferential
      ? ["\(channelType)\(channel)-\(channelType)\(channel2)", "\(channelType)-\(channelType)"]
      : ["\(channelType)\(channel)\(modifier)", "\(channelType)\(modifier)", "\(channelType)\(channel)", channelType]
    let direction = Self.name(Self.directions, direction)
    let ends = (direction.map { $0.isEmpty ? [] : ["_\($0)"] } ?? []) + ["_either", ""]
    return bases.flatMap { base in ends.map { "\(base)_\(eventType)\($0)" } }
  }

  private static func name(_ names: [String], _ number: UInt64) -> String? {
    guard let index = Int(exactly: number), names.indices.contains(index) else { return nil }
    return names[index].isEmpty ? nil : names[index]
  }

  private static let channelTypes = [
    "voltage", "current", "power", "accel", "anglvel", "magn", "illuminance", "intensity", "proximity", "temp", "incli",
    "rot", "angl", "timestamp", "capacitance", "altvoltage", "cct", "pressure", "humidityrelative", "activity", "steps",
    "energy", "distance", "velocity", "concentration", "resistance", "ph", "uvindex", "electricalconductivity", "count",
    "index", "gravity", "positionrelative", "phase", "massconcentration", "deltaangl", "deltavelocity", "colortemp",
    "chromaticity", "attention", "altcurrent",
  ]
  private static let modifiers = [
    "", "x", "y", "z", "x&y", "x&z", "y&z", "x&y&z", "x|y", "x|z", "y|z", "x|y|z", "both", "ir", "sqrt(x^2+y^2)",
    "x^2+y^2+z^2", "clear", "red", "green", "blue", "quaternion", "ambient", "object", "from_north_magnetic",
    "from_north_true", "from_north_magnetic_tilt_comp", "from_north_true_tilt_comp", "running", "jogging", "walking",
    "still", "sqrt(x^2+y^2+z^2)", "i", "q", "co2", "voc", "uv", "duv", "pm1", "pm2p5", "pm4", "pm10",
    "ethanol", "h2", "o2", "linear_x", "linear_y", "linear_z", "pitch", "yaw", "roll", "uva", "uvb",
  ]
  private static let eventTypes = [
    "thresh", "mag", "roc", "thresh_adaptive", "mag_adaptive", "change", "mag_referenced", "gesture",
    "fault",
  ]
  private static let directions = ["either", "rising", "falling", "", "singletap", "doubletap", "openwire"]
}
