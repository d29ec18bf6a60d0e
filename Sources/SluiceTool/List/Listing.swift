import SluiceDevices
import SluiceReadings

/// What `sluice list` found. A kind that was not asked for is nil.
struct Listing {
  enum Kind: String, CaseIterable {
    case gpio, iio, hwmon, thermal
  }

  var chips: [GPIOChipInfo]?
  var devices: [(device: IIODevice, rate: IIOSamplingRate?)]?
  var triggers: [String] = []
  var monitors: [HardwareMonitor]?
  var zones: [ThermalZone]?
  /// Why something that is there is not shown.
  var failures: [SluiceError] = []

  /// - Parameter kinds: None means all.
  init(kinds: Set<Kind>, roots: DeviceRoots) {
    let kinds = kinds.isEmpty ? Set(Kind.allCases) : kinds
    if kinds.contains(.gpio) {
      chips = Self.collect(GPIOChips.paths(root: roots.dev), &failures) { path throws(SluiceError) in
        try GPIOChips.info(path: path)
      }
    }
    if kinds.contains(.iio) {
      let devices = Self.collect(IIODevice.ids(roots: roots), &failures) { id throws(SluiceError) in
        try IIODevice.find(id, roots: roots)
      }
      self.devices = devices.map { ($0, $0.samplingRate(roots: roots)) }
      triggers = IIOTriggers.names(roots: roots)
    }
    if kinds.contains(.hwmon) {
      let monitors = HardwareMonitor.list(roots: roots)
      self.monitors = monitors
      failures += monitors.flatMap { $0.sensors.compactMap(\.failure) }
    }
    if kinds.contains(.thermal) {
      let zones = ThermalZone.list(roots: roots)
      self.zones = zones
      failures += zones.compactMap(\.failure)
    }
  }

  private static func collect<T>(
    _ names: [String], _ failures: inout [SluiceError], _ body: (String) throws(SluiceError) -> T
  ) -> [T] {
    var found: [T] = []
    for name in names {
      do throws(SluiceError) { found.append(try body(name)) } catch { failures.append(error) }
    }
    return found
  }
}
