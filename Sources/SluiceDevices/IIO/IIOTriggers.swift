import SluiceReadings

/// The triggers of this machine.
public enum IIOTriggers {
  /// The names and folders of all triggers. Triggers are used by name, and all names are different
  /// (`iio_device_register_trigger` in drivers/iio/industrialio-trigger.c).
  static func list(roots: DeviceRoots) -> [(name: String, folder: SysfsFolder)] {
    let bus = roots.iio
    return bus.entries.filter { $0.hasPrefix("trigger") }.compactMap { id in
      bus.folder(id).readIfPresent("name").map { ($0, bus.folder(id)) }
    }
  }

  /// The folder for creating triggers with a timer (Documentation/iio/iio_configfs.rst).
  static func hrtimers(_ roots: DeviceRoots) -> SysfsFolder {
    SysfsFolder(path: "\(roots.sys)/kernel/config/iio/triggers/hrtimer")
  }

  /// The names of all triggers.
  public static func names(roots: DeviceRoots = DeviceRoots()) -> [String] { list(roots: roots).map(\.name) }

  /// The devices that are set to use the trigger, whether they are being read or not.
  static func devices(using name: String, roots: DeviceRoots) -> [String] {
    IIODevice.ids(roots: roots).filter {
      roots.iio.readIfPresent("\($0)/trigger/current_trigger") == name
    }
  }

  /// The devices whose scans it starts, or will start.
  /// - Parameter own: The device of the recording that asks. It counts only if its buffer is enabled.
  static func readers(of name: String, but own: String, roots: DeviceRoots) -> [String] {
    devices(using: name, roots: roots).filter { id in
      ["buffer0", "buffer"].contains { roots.iio.readIfPresent("\(id)/\($0)/enable") == "1" }
        || id != own && IIOStateFile.isInUse("\(roots.state)/\(id).scans")
    }
  }
}
