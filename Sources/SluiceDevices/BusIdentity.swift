import SluiceSystem

/// The path of a file or folder without symbolic links; nil if it does not exist.
func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

extension SysfsFolder {
  /// The bus identity of a device: the name of the nearest device in sysfs on a bus, this one or one above it. Examples
  /// are `1-0048` on an I2C bus, and `3f200000.gpio` on the platform bus.
  ///
  /// The buses of IIO and GPIO do not count. Their names (`iio:device0`, `gpiochip0`) are numbers in the order in which
  /// drivers found the devices, which may differ at the next boot.
  ///
  /// - Returns: Nil if there is none, as for a device that exists only in software.
  var busIdentity: String? {
    guard var path = realPath(path) else { return nil }
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      // A class also has such a link: /sys/class/hwmon.
      let parts = realPath("\(path)/subsystem")?.split(separator: "/").suffix(2) ?? []
      if parts.first == "bus", let bus = parts.last, bus != "iio", bus != "gpio" {
        return String(path[path.index(after: slash)...])
      }
      path = String(path[..<slash])
    }
    return nil
  }
}
