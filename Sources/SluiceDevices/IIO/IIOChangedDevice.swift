import SluiceReadings
import SluiceSystem

/// A device with changes for a purpose. All changes are undone in reverse order, even if a step fails.
class IIOChangedDevice {
  let device: IIODevice
  let changes: IIOChanges
  /// Whether times are on the monotonic clock, not on the wall clock.
  var isMonotonic = false
  /// The descriptor for reading; -1 before it is opened, and after ``tearDown()``.
  var descriptor: Int32 = -1

  /// - Parameter purpose: The purpose of the changes. Scans and events of a device have separate changes.
  init(_ device: IIODevice, for purpose: String, roots: DeviceRoots) throws(SluiceError) {
    self.device = device
    changes = try IIOChanges(of: device, for: purpose, roots: roots)
  }

  deinit { tearDown() }

  /// State of earlier recordings that was restored before this one.
  var restored: [IIOState] { changes.restored }

  /// Its name, for errors.
  var title: String { device.title }

  /// Closes and restores the device. If it is gone, changes that cannot be undone stay.
  func tearDown() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
    changes.undo()
  }
}
