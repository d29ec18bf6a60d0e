extension IIODevice {
  /// The kernel's names of all devices, in the order of their numbers, also of those whose description makes no sense.
  public static func ids(roots: DeviceRoots = DeviceRoots()) -> [String] {
    SysfsFolder(path: "\(roots.sys)/bus/iio/devices").entries.filter { $0.hasPrefix("iio:device") }
      .sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
  }

  /// The files that give one value when they are read, raw or already scaled (`_input`): what can be polled, also where
  /// there is no buffer.
  public var inputs: [String] {
    folder.entries.filter { $0.hasPrefix("in_") && ($0.hasSuffix("_raw") || $0.hasSuffix("_input")) }
      .map { "\(path)/\($0)" }
  }
}
