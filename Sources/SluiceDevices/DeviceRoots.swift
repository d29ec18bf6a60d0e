import SluiceSystem

/// The roots of the kernel's file systems. Tests replace them.
public struct DeviceRoots: Hashable, Sendable {
  /// The root of sysfs.
  public var sys: String
  /// The folder of device files.
  public var dev: String
  /// The folder for state that a reboot deletes.
  public var run: String

  /// Sets the roots; by default the system's.
  public init(sys: String = "/sys", dev: String = "/dev", run: String = "/run") {
    self.sys = sys
    self.dev = dev
    self.run = run
  }

  /// Sets the roots to `sys`, `dev` and `run` in one folder; the system's if its name is empty.
  public init(root: String) { self.init(sys: "\(root)/sys", dev: "\(root)/dev", run: "\(root)/run") }

  /// The folder of all IIO devices and triggers.
  var iio: SysfsFolder { SysfsFolder(path: "\(sys)/bus/iio/devices") }

  /// The folder for the changes of devices until they are restored: `/run/sluice` for root, `$XDG_RUNTIME_DIR/sluice`
  /// for other users, or `/tmp/sluice-UID` if that variable is not set.
  var state: String {
    guard run == "/run", geteuid() != 0 else { return "\(run)/sluice" }
    if let folder = getenv("XDG_RUNTIME_DIR"), folder.pointee == 0x2f { return "\(String(cString: folder))/sluice" }
    return "/tmp/sluice-\(geteuid())"
  }
}
