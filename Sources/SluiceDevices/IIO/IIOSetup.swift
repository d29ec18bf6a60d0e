import SluiceReadings

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
  /// Waits for a device that was removed: is called with the error, with each other one that keeps it from going on, and
  /// with nil once it does.
  let whenRemoved: (@Sendable (SluiceError?) -> Void)?
  let make: (IIODevice) throws(SluiceError) -> Session

  func session() throws(SluiceError) -> Session { try make(try IIODevice.find(device, roots: roots)) }

  /// The same device again; nil as long as it is not there, or not yet to be used.
  ///
  /// - Parameter report: Gets why it is not to be used though it is there.
  /// - Throws: Where something of that name is there whose readings are others: they would be taken for what they are not.
  func session(like before: Session, report: (SluiceError) -> Void = { _ in }) throws(SluiceError) -> Session? {
    do throws(SluiceError) {
      guard let found = try found(), found.name == before.device.name else { return nil }
      let session = try make(found)
      guard session.isLike(before) else {
        throw SluiceError(
          .unsupported, "go on with", found.title, because: "it came back with other channels, formats or scales",
          remedy: "start anew")
      }
      return session
    } catch {
      // It comes file by file, and a udev rule takes a moment to give it to a group.
      guard error.mayPass else { throw error }
      report(error)
      return nil
    }
  }

  private func found() throws(SluiceError) -> IIODevice? {
    do throws(SluiceError) { return try IIODevice.find(device, roots: roots) } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}
