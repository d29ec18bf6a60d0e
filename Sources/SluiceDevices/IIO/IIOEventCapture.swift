import SluiceReadings
import SluiceSystem

/// A device with enabled events; an ``IIOCapture`` is the same for scans.
final class IIOEventCapture: IIOChangedDevice, IIOSession {
  let events: [IIOEvent]

  init(_ device: IIODevice, events names: [String], roots: DeviceRoots) throws(SluiceError) {
    events = try device.events(named: names)
    try super.init(device, for: "events", roots: roots)
    do throws(SluiceError) {
      descriptor = try open(roots)
      for event in events {
        if let value = event.value { try changes.set("in_\(event.name)_value", of: device.eventFolder, to: value) }
      }
      let wanted = events.map(\.name)
      // Some drivers have one switch for several events, so the wanted events are set last.
      let unwanted = device.events().map(\.name).filter { !wanted.contains($0) }
      for (names, state) in [(unwanted, "0"), (wanted, "1")] {
        for name in names { try changes.set("in_\(name)_en", of: device.eventFolder, to: state) }
      }
    } catch {
      tearDown()
      throw error
    }
  }

  /// `IIO_GET_EVENT_FD_IOCTL`, `_IOR('i', 0x90, int)` (include/uapi/linux/iio/events.h).
  private static let getEventDescriptor: UInt = 0x8004_6990

  /// Opens the descriptor of the events. The clock is set first, because it cannot be set later. The device itself is
  /// closed again, so that its scans can be read too.
  private func open(_ roots: DeviceRoots) throws(SluiceError) -> Int32 {
    let opened = try device.open(roots)
    defer { closeFile(opened) }
    isMonotonic = try changes.setClock(of: device)
    var descriptor: Int32 = -1
    guard ioctl(opened, Self.getEventDescriptor, &descriptor) >= 0, descriptor >= 0 else {
      let remedy =
        switch errno {
        case EBUSY: "another program listens to its events; stop that first"
        case ENODEV, ENOTTY: "this device sends none"
        default: SysfsFolder.driverRemedy
        }
      throw SluiceError(
        "get the events (IIO_GET_EVENT_FD_IOCTL) of", "\(roots.dev)/\(device.id)", errno: errno, remedy: remedy)
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    return descriptor
  }

  func isLike(_ other: IIOEventCapture) -> Bool { events.map(\.name) == other.events.map(\.name) }
}
