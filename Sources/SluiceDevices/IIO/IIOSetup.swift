import SluiceRecording

/// A device that has been set up, and can be read.
protocol IIOSession: IIOChangedDevice {
  /// Whether what it reads means the same.
  func isLike(_ other: Self) -> Bool
}

/// How a device is set up, also once more after it was removed.
struct IIOSetup<Session: IIOSession> {
  /// By id, number, name or label.
  let device: String
  let roots: DeviceRoots
  /// Waits for a device that was removed: is called with the error, and with nil once the device is back.
  let whenRemoved: (@Sendable (SluiceError?) -> Void)?
  let make: (IIODevice) throws(SluiceError) -> Session

  func session() throws(SluiceError) -> Session { try make(try IIODevice.find(device, roots: roots)) }

  /// The same device again; nil as long as it is not there, or not yet to be used.
  ///
  /// - Throws: Where something of that name is there whose readings are others: they would be taken for what they are not.
  func session(like before: Session) throws(SluiceError) -> Session? {
    do throws(SluiceError) {
      let found = try IIODevice.find(device, roots: roots)
      guard found.name == before.device.name else { return nil }
      let session = try make(found)
      guard session.isLike(before) else {
        throw SluiceError(
          .unsupported, "go on with", found.title, because: "it came back with other channels, formats or scales",
          remedy: "start anew")
      }
      return session
    } catch {
      switch error.code {
      // It comes file by file, and a udev rule takes a moment to give it to a group.
      case .notFound, .disconnected, .permissionDenied, .busy, .failed: return nil
      default: throw error
      }
    }
  }
}
