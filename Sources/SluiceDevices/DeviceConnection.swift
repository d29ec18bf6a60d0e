import SluiceReadings
import SluiceSystem

/// A device that was opened for reading.
protocol DeviceSession: AnyObject {
  /// The name of the device, for errors.
  var title: String { get }
  /// The descriptor for `read(2)`, which does not wait; -1 after ``tearDown()``.
  var descriptor: Int32 { get }
  /// Closes the device, and undoes what was changed. It may be called more than once.
  func tearDown()
}

/// A device that is read with `read(2)`. It may be removed at any time.
final class DeviceConnection<Session: DeviceSession> {
  private(set) var session: Session
  /// The losses of the device. The reader adds to them too.
  let losses: DeviceLosses
  private let clock: EpochClock
  /// Nil if a removal is an error.
  private var reconnection: DeviceReconnection<Session>?

  init(
    _ session: Session, _ losses: DeviceLosses, _ clock: EpochClock, reconnection: DeviceReconnection<Session>?
  ) {
    (self.session, self.losses, self.clock, self.reconnection) = (session, losses, clock, reconnection)
  }

  deinit { close() }

  var isAway: Bool { session.descriptor < 0 }
  var descriptors: [Int32] { isAway ? [] : [session.descriptor] }

  /// The timeout of poll(2). While the device is away, it is the time between tries.
  /// - Parameter timeout: The timeout while the device is there.
  func timeout(_ timeout: Int32) -> Int32 {
    isAway ? reconnection?.period ?? DeviceReconnection<Session>.usualPeriod : timeout
  }

  /// Whether there is a device to read. If a removed device is back, it is opened again.
  func isThere() throws(SluiceError) -> Bool {
    guard isAway else { return true }
    guard let again = try reconnection?.reopened() else { return false }
    session = again
    reconnection?.end(losses)
    return true
  }

  /// Reads without waiting.
  /// - Parameter wasReady: Whether `poll(2)` reported the descriptor as ready.
  /// - Returns: The number of bytes; nil if the device was removed, and is now waited for.
  func read(into bytes: UnsafeMutableRawBufferPointer, wasReady: Bool) throws(SluiceError) -> Int? {
    let count = readOnce(session.descriptor, bytes)
    if count > 0 || (count == 0 && !wasReady) { return count }
    let code = count == 0 ? ENODEV : errno
    if code == EAGAIN || code == EINTR { return 0 }
    guard code == ENODEV else {
      throw SluiceError("read", session.title, errno: code, remedy: SysfsFolder.driverRemedy)
    }
    let removed = SluiceError(
      .disconnected, "read", session.title, because: "the device was removed",
      remedy: "connect it and start the recording again, or let the key reconnect wait for it", errno: code)
    guard reconnection != nil else { throw removed }
    close()
    reconnection?.begin(removed, losses, at: clock.now)
    return nil
  }

  func close() { session.tearDown() }
}

/// Calls read(2), because a method here has the same name.
private func readOnce(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, bytes.baseAddress, bytes.count)
}
