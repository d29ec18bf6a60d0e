package import SluiceReadings
import SluiceSystem

/// A source of pulses per second, such as a GPS receiver, as sysfs describes it.
package struct PPSDevice: Equatable, Sendable {
  /// The kernel's name: `pps0`.
  package let id: String
  /// The name from its driver, such as `ktimer` or `pps@12.-1`.
  package let name: String
  /// The file of the serial line that carries the pulses; nil if none does.
  package let line: String?
  private let folder: SysfsFolder

  /// All devices, in the order of their numbers.
  package static func list(roots: DeviceRoots = DeviceRoots()) -> [PPSDevice] {
    let all = SysfsFolder(path: "\(roots.sys)/class/pps")
    return numberedEntries(all.path, "pps").map { PPSDevice($0, all.folder($0)) }
  }

  /// Finds a device by its number (`0`), by `pps0`, or by the path of its file.
  package static func find(_ text: String, roots: DeviceRoots = DeviceRoots()) throws(SluiceError) -> PPSDevice {
    let all = list(roots: roots)
    let id = deviceName(text)
    if let found = all.first(where: { $0.id == id || $0.id == "pps\(text)" }) { return found }
    throw SluiceError(
      .notFound, "open", "PPS device \(text)", because: "there is no such device",
      remedy: all.isEmpty
        ? "this machine has no PPS device; load its driver, such as pps-gpio or pps-ldisc"
        : "there is \(all.map(\.title).joined(separator: ", "))")
  }

  private init(_ id: String, _ folder: SysfsFolder) {
    (self.id, self.folder) = (id, folder)
    name = folder.readIfPresent("name") ?? id
    line = folder.readIfPresent("path").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Name and id, for errors.
  var title: String { "\(id) (\(name))" }

  package func path(_ roots: DeviceRoots) -> String { "\(roots.dev)/\(id)" }

  func identity(_ roots: DeviceRoots) -> StreamDescription.Device {
    StreamDescription.Device(path: path(roots), bus: folder.busIdentity, label: line, name: name)
  }

  func open(_ roots: DeviceRoots) throws(SluiceError) -> Int32 {
    // A request waits for an edge.
    try openDevice(
      path(roots), O_RDONLY, denied: "run it as root, or let a udev rule give the device to your group")
  }
}
