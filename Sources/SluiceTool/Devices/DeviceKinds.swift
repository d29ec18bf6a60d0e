import SluicePipeline

/// All kinds of device, in the order of `sluice list`.
enum DeviceKinds {
  private static let own: [any DeviceKind] = [
    GPIOChipKind(),
    IIODeviceKind(),
    InputDeviceKind(),
    PPSDeviceKind(),
    SerialPortKind(),
    HardwareMonitorKind(),
    ThermalZoneKind(),
    CANInterfaceKind(),
  ]

  static var all: [any DeviceKind] { own + SourceKinds.added.map { AddedKind(source: $0) } }
}
