import SluiceSystem

/// The serial ports of this machine that have a device behind them.
package enum SerialPorts {
  /// A port.
  package struct Port: Equatable, Sendable {
    /// Its file, `/dev/ttyUSB0`.
    package var path: String
    /// The product name of its USB device; `serial port` if it has none.
    package var description: String
  }

  /// The ports, in the order of their names. `/sys/class/tty` has all; only those with a `device` are real ones.
  package static func all(_ roots: DeviceRoots) -> [Port] {
    let folder = "\(roots.sys)/class/tty"
    return directoryEntries(folder).sorted().compactMap { name in
      guard access("\(folder)/\(name)/device", F_OK) == 0, access("\(roots.dev)/\(name)", F_OK) == 0 else { return nil }
      let device = SysfsFolder(path: "\(folder)/\(name)/device")
      // The driver serial8250 lists ports without a chip too: their type is 0 (PORT_UNKNOWN).
      if SysfsFolder(path: "\(folder)/\(name)").readIfPresent("type") == "0" { return nil }
      // The port of a USB device is one or two folders below it.
      let product = ["../product", "../../product"].lazy.compactMap { device.readIfPresent($0) }.first
      return Port(path: "\(roots.dev)/\(name)", description: product ?? "serial port")
    }
  }
}
