#if canImport(Glibc)
  @preconcurrency import Glibc
#elseif canImport(Musl)
  @preconcurrency import Musl
#endif

/// The roots of the kernel's file systems, which tests replace.
public struct DeviceRoots: Hashable, Sendable {
  /// Where sysfs is.
  public var sys: String
  /// Where device files are.
  public var dev: String
  /// Where programs keep what is to be gone after a restart of the machine.
  public var run: String

  /// Sets the roots; by default the system's.
  public init(sys: String = "/sys", dev: String = "/dev", run: String = "/run") {
    self.sys = sys
    self.dev = dev
    self.run = run
  }

  /// The folder of all IIO devices and triggers.
  var iio: SysfsFolder { SysfsFolder(path: "\(sys)/bus/iio/devices") }

  /// The folder in which what has been changed on devices is kept until it is put back: `/run/sluice` for root, and
  /// `$XDG_RUNTIME_DIR/sluice` for everybody else, or `/tmp/sluice-UID` where there is no such thing.
  var state: String {
    guard run == "/run", geteuid() != 0 else { return "\(run)/sluice" }
    if let folder = getenv("XDG_RUNTIME_DIR"), folder.pointee == 0x2f { return "\(String(cString: folder))/sluice" }
    return "/tmp/sluice-\(geteuid())"
  }
}
