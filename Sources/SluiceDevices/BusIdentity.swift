#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The path of a file or folder without symbolic links; nil where it is not there.
func realPath(_ path: String) -> String? {
  guard let real = realpath(path, nil) else { return nil }
  defer { free(real) }
  return String(cString: real)
}

extension SysfsFolder {
  /// What a device is connected to: the name of the nearest device in sysfs, this one or one above it, that is on a bus,
  /// such as `1-0048` on the I2C bus or `3f200000.gpio` on the platform's.
  ///
  /// The buses of IIO and GPIO do not count: their names (`iio:device0`, `gpiochip0`) are numbers in the order in which
  /// drivers found them, which may be another at the next boot.
  ///
  /// - Returns: Nil where there is none, as for what only software made.
  var busIdentity: String? {
    guard var path = realPath(path) else { return nil }
    while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
      // A class has such a link as well: /sys/class/hwmon.
      let parts = realPath("\(path)/subsystem")?.split(separator: "/").suffix(2) ?? []
      if parts.first == "bus", let bus = parts.last, bus != "iio", bus != "gpio" {
        return String(path[path.index(after: slash)...])
      }
      path = String(path[..<slash])
    }
    return nil
  }
}
