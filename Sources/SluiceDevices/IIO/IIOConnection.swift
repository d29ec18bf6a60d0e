import SluiceReadings
import SluiceSystem

/// A device during reading. It may be removed at any time.
final class IIOConnection<Session: IIOSession> {
  private(set) var session: Session
  /// The losses of the device. The reader adds to them too.
  let losses: DeviceLosses
  private let setup: IIOSetup<Session>
  private var absence = DeviceAbsence()
  private var descriptor: Int32  // -1 while it is away

  /// - Parameter losses: Notes whether the device is away.
  init(_ session: Session, _ setup: IIOSetup<Session>, _ losses: DeviceLosses) {
    self.session = session
    self.setup = setup
    self.losses = losses
    descriptor = session.takeDescriptor()
  }

  deinit { close() }

  var descriptors: [Int32] { descriptor < 0 ? [] : [descriptor] }

  /// The timeout of poll(2). The removal of a device wakes poll(2), but then the device does not become readable
  /// (`iio_buffer_poll` in drivers/iio/industrialio-buffer.c, `iio_event_poll` in industrialio-event.c). Only a read
  /// shows the removal. While the device is away, this timeout is the time between tries.
  var timeout: Int32 { descriptor < 0 ? 200 : 1_000 }

  /// Whether there is a device to read. If a removed device is back, it is set up again.
  func isThere() throws(SluiceError) -> Bool {
    guard descriptor < 0 else { return true }
    let again = try setup.session(like: session) { error in
      if let told = absence.add(error) { setup.whenRemoved?(told) }
    }
    guard let again else { return false }
    descriptor = again.takeDescriptor()
    session = again
    losses.set(isAway: false)
    setup.whenRemoved?(nil)
    return true
  }

  /// Reads without waiting.
  /// - Parameter wasReady: Whether `poll(2)` reported the descriptor as ready.
  /// - Returns: The number of bytes; nil if the device was removed, and is now waited for.
  func read(into bytes: UnsafeMutableRawBufferPointer, wasReady: Bool) throws(SluiceError) -> Int? {
    let count = readOnce(descriptor, bytes)
    if count > 0 || (count == 0 && !wasReady) { return count }
    let code = count == 0 ? ENODEV : errno
    if code == EAGAIN || code == EINTR { return 0 }
    guard code == ENODEV else {
      throw SluiceError("read", session.device.title, errno: code, remedy: SysfsFolder.driverRemedy)
    }
    let removed = SluiceError(
      .disconnected, "read", session.device.title, because: "the device was removed",
      remedy: "connect it and start the recording again, or let --reconnect wait for it", errno: code)
    guard let whenRemoved = setup.whenRemoved else { throw removed }
    close()
    absence = DeviceAbsence()
    losses.set(isAway: true)
    whenRemoved(removed)
    return nil
  }

  func close() {
    if descriptor >= 0 { closeFile(descriptor) }
    descriptor = -1
    session.tearDown()
  }
}

/// Calls read(2), because a method here has the same name.
private func readOnce(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
