import SluiceReadings

/// A device that is set up for something: everything that was changed is put back in reverse order, also when a step
/// fails.
class IIOChangedDevice {
  let device: IIODevice
  let changes: IIOChanges
  /// Whether times are on the monotonic clock, and not on the wall clock.
  var isMonotonic = false
  /// What it is read from; -1 before it is opened, and after it was handed over.
  var descriptor: Int32 = -1

  /// - Parameter purpose: Scans and events of a device are set up apart.
  init(_ device: IIODevice, for purpose: String, roots: DeviceRoots) throws(SluiceError) {
    self.device = device
    changes = try IIOChanges(of: device, for: purpose, roots: roots)
  }

  deinit { tearDown() }

  /// What an earlier recording had left, and was put back before this one.
  var restored: [IIOState] { changes.restored }

  /// Hands over the descriptor, which is then closed by somebody else.
  func takeDescriptor() -> Int32 {
    defer { descriptor = -1 }
    return descriptor
  }

  /// Puts everything back. What cannot be put back, because the device is gone, stays.
  func tearDown() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
    changes.undo()
  }
}
