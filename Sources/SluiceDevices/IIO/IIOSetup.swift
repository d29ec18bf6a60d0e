import SluiceReadings

/// A device that is set up for reading.
protocol IIOSession: IIOChangedDevice {
  /// Whether its readings have the same meaning.
  func isLike(_ other: Self) -> Bool
}

/// Sets up a device, and sets it up again after a removal.
struct IIOSetup<Session: IIOSession> {
  /// The id, number, name or label of the device.
  let device: String
  let roots: DeviceRoots
  /// If set, a removed device is waited for. Called with the removal, with each different error that prevents the
  /// return, and with nil after the return.
  let whenRemoved: (@Sendable (SluiceError?) -> Void)?
  let make: (IIODevice) throws(SluiceError) -> Session

  func session() throws(SluiceError) -> Session { try make(try IIODevice.find(device, roots: roots)) }

  /// Sets up the same device again; nil if it is still absent, or cannot be used yet.
  ///
  /// - Parameter report: Called with the reason why the device cannot be used, although it exists.
  /// - Throws: If a device with this name has other readings. They would be mistaken for those of the old device.
  func session(like before: Session, report: (SluiceError) -> Void = { _ in }) throws(SluiceError) -> Session? {
    do throws(SluiceError) {
      guard let found = try found(), found.name == before.device.name else { return nil }
      let session = try make(found)
      guard session.isLike(before) else {
        throw SluiceError(
          .unsupported, "go on with", found.title, because: "it came back with other channels, formats or scales",
          remedy: "start the recording again")
      }
      return session
    } catch {
      // The files of a device appear one by one, and udev takes a moment to give it to a group.
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
