/// Every kind of device that there is, in the order in which they are listed.
enum DeviceKinds {
  static let all: [any DeviceKind] = [
    GPIOChipKind(),
    IIODeviceKind(),
    HardwareMonitorKind(),
    ThermalZoneKind(),
  ]
}
