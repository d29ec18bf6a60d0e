import SluiceReadings

/// A device that is set up for reading.
protocol IIOSession: IIOChangedDevice, DeviceSession {
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

  /// The device during reading.
  func connection(
    _ session: Session, _ losses: DeviceLosses, _ clock: EpochClock
  ) -> DeviceConnection<Session> {
    DeviceConnection(
      session, losses, clock,
      reconnection: whenRemoved.map {
        DeviceReconnection(report: $0, isAbsence: { _ in false }) { () throws(SluiceError) in
          try self.session(like: session)
        }
      })
  }

  /// Sets up the same device again; nil if it is still absent.
  /// - Throws: If it cannot be used yet: the files of a device appear one by one, and udev takes a moment to give it to a
  ///   group. Or if a device with this name has other readings, which would be mistaken for those of the old device.
  func session(like before: Session) throws(SluiceError) -> Session? {
    guard let found = try found(), found.name == before.device.name else { return nil }
    let session = try make(found)
    guard session.isLike(before) else {
      throw SluiceError(
        .unsupported, "go on with", found.title, because: "it came back with other channels, formats or scales",
        remedy: "start the recording again")
    }
    return session
  }

  private func found() throws(SluiceError) -> IIODevice? {
    do throws(SluiceError) { return try IIODevice.find(device, roots: roots) } catch {
      guard error.code == .notFound else { throw error }
      return nil
    }
  }
}

extension DeviceConnection where Session: IIOSession {
  /// The timeout of poll(2). The removal of a device wakes poll(2), but then the device does not become readable
  /// (`iio_buffer_poll` in drivers/iio/industrialio-buffer.c, `iio_event_poll` in industrialio-event.c). Only a read
  /// shows the removal.
  var idleTimeout: Int32 { timeout(1_000) }
}
