/// All kinds of device, in the order of `sluice list`.
enum DeviceKinds {
  static let all: [any DeviceKind] = [
    GPIOChipKind(),
    IIODeviceKind(),
    HardwareMonitorKind(),
    ThermalZoneKind(),
  ]
}
