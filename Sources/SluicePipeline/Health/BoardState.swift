package import SluiceDevices
import SluiceSystem

/// The heat and the supply of the board, as its kernel and its firmware report them.
package struct BoardState: Equatable, Sendable {
  /// The thermal zones that have reached a passive trip point, with their temperatures in thousandths of a degree.
  package var hot: [String: Int] = [:]
  /// Whether the firmware has slowed the processor down; nil if the firmware does not report it.
  package var isThrottled: Bool?
  /// Whether the voltage of the supply is too low; nil if the board does not report it.
  package var isUndervoltage: Bool?

  package init() {}

  /// Reads the state of the board.
  ///
  /// Zones and trip points are those of the kernel's thermal-sysfs API (Documentation/driver-api/thermal/sysfs-api.rst): a
  /// passive trip point is where the kernel begins to slow the board down. The firmware of a Raspberry Pi says more in
  /// `get_throttled`, and in the alarm of its hwmon driver (Documentation/hwmon/raspberrypi-hwmon.rst).
  package init(_ roots: DeviceRoots) {
    let thermal = "\(roots.sys)/class/thermal"
    for zone in Self.names(thermal) where zone.hasPrefix("thermal_zone") {
      let folder = "\(thermal)/\(zone)"
      guard let temperature = Self.number("\(folder)/temp") else { continue }
      let limits = Self.names(folder).filter { $0.hasPrefix("trip_point_") && $0.hasSuffix("_type") }
        .filter { Self.text("\(folder)/\($0)") == "passive" }
        .compactMap { Self.number("\(folder)/\($0.dropLast(4))temp") }
        // Some drivers have trip points without a temperature.
        .filter { $0 > 0 }
      guard let limit = limits.min(), temperature >= limit else { continue }
      hot[Self.text("\(folder)/type") ?? zone] = temperature
    }
    if let text = Self.text("\(roots.sys)/devices/platform/soc/soc:firmware/get_throttled"),
      let bits = UInt32(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
    {
      // Bit 0: under-voltage; 1: capped frequency; 2: throttled; 3: the soft limit of the temperature.
      isThrottled = bits & 0b1110 != 0
      isUndervoltage = bits & 1 != 0
    }
    let hwmon = "\(roots.sys)/class/hwmon"
    for chip in Self.names(hwmon) where Self.text("\(hwmon)/\(chip)/name") == "rpi_volt" {
      guard let alarm = Self.number("\(hwmon)/\(chip)/in0_lcrit_alarm") else { continue }
      isUndervoltage = alarm != 0
    }
  }

  private static func names(_ folder: String) -> [String] { (try? SystemFiles().names(in: folder).sorted()) ?? [] }

  private static func text(_ path: String) -> String? {
    // stat() reports 4,096 bytes for a file of sysfs, which has fewer.
    guard let bytes = try? SystemFiles().contents(of: path, limit: 4_096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return String(text.prefix { !$0.isNewline })
  }

  private static func number(_ path: String) -> Int? { text(path).flatMap { Int($0) } }
}
